import type { LoopClock } from '../loop/run-batch'

/** A clock that stands still until it is moved; what is due happens in its order. */
export interface VirtualClock extends LoopClock {
  /** Moves it on, letting promises settle before and after whatever falls due. */
  readonly advance: (milliseconds: number) => Promise<void>
}

export function createVirtualClock(): VirtualClock {
  let time = 0
  let next = 0
  const timers = new Map<number, { readonly due: number; readonly done: () => void }>()
  const settle = async () => {
    for (let round = 0; round < 10; round++) await Promise.resolve()
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
      for (;;) {
        const [first] = [...timers]
          .filter(([, { due }]) => due <= end)
          .sort((a, b) => a[1].due - b[1].due)
        if (first === undefined) break
        timers.delete(first[0])
        time = first[1].due
        first[1].done()
        await settle()
      }
      time = end
      await settle()
    },
  }
}
