/** What a job that takes long is given by the worker, or by what runs it inline. */
export interface JobSurroundings {
  /** Told the share done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Resolves after other messages had their turn. */
  readonly pause: () => Promise<void>
}
