import type { LoopClock } from '../run-batch'

/** A clock that moves only when advanced. Timers run in the order they are due. */
export interface VirtualClock extends LoopClock {
  /** Advances the clock. Pending promises settle before and after each timer. */
  readonly advance: (milliseconds: number) => Promise<void>
}

/** Enough for a batch of calls that all answer immediately. */
const ROUNDS = 300

export function createVirtualClock(): VirtualClock {
  let time = 0
  let timers: readonly { readonly due: number; readonly done: () => void }[] = []
  return {
    now: () => time,
    after: (milliseconds, done) => {
      const timer = { due: time + milliseconds, done }
      timers = [...timers, timer]
      return () => {
        timers = timers.filter((one) => one !== timer)
      }
    },
    advance: async (milliseconds) => {
      const end = time + milliseconds
      for (;;) {
        await settle()
        const [first] = timers.filter(({ due }) => due <= end).sort((a, b) => a.due - b.due)
        if (first === undefined) break
        timers = timers.filter((one) => one !== first)
        time = first.due
        first.done()
      }
      time = end
      await settle()
    },
  }
}

async function settle(): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) await Promise.resolve()
}
