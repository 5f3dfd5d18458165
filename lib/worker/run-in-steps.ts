import type { Steps } from '@/lib/core/steps'

/** Characters between two pauses: a few milliseconds. */
export const CHARS_BETWEEN_PAUSES = 200_000

/** Runs steps and pauses regularly; undefined once `onPause` gives false. */
export async function runSteps<Result>(
  steps: Steps<Result>,
  onPause: () => Promise<boolean>,
  charsBetweenPauses = CHARS_BETWEEN_PAUSES,
): Promise<Result | undefined> {
  for (let chars = 0; ; ) {
    const step = steps.next()
    if (step.done) return step.value
    chars += step.value
    if (chars <= charsBetweenPauses) continue
    chars = 0
    if (!(await onPause())) return undefined
  }
}

/** The same steps; `onProgress` receives the share of `all` characters that is done. */
export function* withProgress<Result>(
  steps: Steps<Result>,
  all: number,
  onProgress: (done: number) => void,
): Steps<Result> {
  for (let done = 0; ; ) {
    const step = steps.next()
    if (step.done) return step.value
    done += step.value
    onProgress(done / all)
    yield step.value
  }
}

/** Resolves in a task of its own, so that the browser can answer the user and draw before it. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** The same without delay: a timer that follows timers waits for four milliseconds in browsers. */
export function nextMessage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
