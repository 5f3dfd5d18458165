import type { OutputPart } from './output-parts'

/** The page's access to a running job, given by the worker or by a test that runs jobs inline. */
export interface JobContext {
  /** Receives the share done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Receives a part of the output before the rest is done. */
  readonly onPart?: (part: OutputPart) => void
  /** Resolves after other messages have been handled. */
  readonly pause: () => Promise<void>
}

interface Stepping {
  readonly charsBetweenPauses: number
  /** Receives the characters done so far; false ends the work. */
  readonly onPause: (chars: number) => Promise<boolean>
}

/**
 * Returns a function that runs generators one after another and pauses regularly, counting characters across them.
 * Each generator yields the characters of a step. The function returns undefined once `onPause` gives false.
 */
export function createStepper({ charsBetweenPauses, onPause }: Stepping) {
  let done = 0
  let doneAtPause = 0
  return async <Result>(steps: Generator<number, Result>): Promise<Result | undefined> => {
    for (;;) {
      const step = steps.next()
      if (step.done) return step.value
      done += step.value
      if (done - doneAtPause <= charsBetweenPauses) continue
      doneAtPause = done
      if (!(await onPause(done))) return undefined
    }
  }
}

/** Resolves in a task of its own, so that the browser can answer the user and draw before it. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}
