/** The fetch wrapper of the package. */
export {
  type FetchOptions,
  type PolicySource,
  type SessionRequest,
  withObservationMasking,
} from './with-observation-masking'
