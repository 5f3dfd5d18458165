const MILLISECONDS_PER_TASK = 8

/**
 * Runs steps one after the other, in later tasks of about eight milliseconds or of one longer step. Returns a function that
 * cancels the rest.
 */
export function runInTasks(steps: readonly (() => unknown)[]): () => void {
  const run = (from: number) => {
    const start = performance.now()
    for (let at = from; at < steps.length; at++) {
      if (at > from && performance.now() - start >= MILLISECONDS_PER_TASK) {
        timer = setTimeout(run, 0, at)
        return
      }
      steps[at]?.()
    }
  }
  let timer = setTimeout(run, 0, 0)
  return () => clearTimeout(timer)
}
