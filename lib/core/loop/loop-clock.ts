/** The time of a tool loop; it comes from outside, so that a test or a page can hold it. */
export interface LoopClock {
  /** In milliseconds. */
  readonly now: () => number
  /** Calls back after so many milliseconds unless it is cancelled by the function it gives. */
  readonly after: (milliseconds: number, done: () => void) => () => void
}
