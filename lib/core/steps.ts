/** A computation that yields after each part of its work, so that it can be interrupted. */
export type Steps<Result> = Generator<number, Result>

/** Runs all steps at once. */
export function resultOf<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Returns a function that runs jobs one after another; a job that fails stops none after it. */
export function createJobQueue() {
  let last: Promise<unknown> = Promise.resolve()
  return <Result>(job: () => Promise<Result>): Promise<Result> => {
    const run = last.then(job)
    last = run.catch(() => {})
    return run
  }
}
