/** The bar, notices, samples, empty and error states. */
export const shell = {
  product: 'Observation Masking',
  playground: 'playground',
} as const
