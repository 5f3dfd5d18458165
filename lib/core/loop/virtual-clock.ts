import type { LoopClock } from './run-batch'

/** A clock that moves only when advanced. Timers run in the order they are due. */
export interface VirtualClock extends LoopClock {
  /** Advances the clock. Pending promises settle before and after each timer. */
  readonly advance: (milliseconds: number) => Promise<void>
}

/** Enough for a batch of calls that all answer immediately. */
const ROUNDS = 300

/** `settle` resolves once all pending promises have settled; a page waits for its next task. */
export function createVirtualClock(settle: () => Promise<void> = settleInRounds): VirtualClock {
  let time = 0
  let next = 0
  const timers = new Map<number, { readonly due: number; readonly done: () => void }>()
  const firstDue = (end: number) => {
    const due = [...timers].filter(([, timer]) => timer.due <= end)
    return due.sort((one, other) => one[1].due - other[1].due)[0]
  }
  return {
    now: () => time,
    after: (milliseconds, done) => {
      const id = next++
      timers.set(id, { due: time + milliseconds, done })
      return () => timers.delete(id)
    },
    advance: async (milliseconds) => {
      const end = time + milliseconds
      await settle()
      for (let first = firstDue(end); first !== undefined; first = firstDue(end)) {
        const [id, { due, done }] = first
        timers.delete(id)
        time = due
        done()
        await settle()
      }
      time = end
      await settle()
    },
  }
}

async function settleInRounds(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await Promise.resolve()
}
