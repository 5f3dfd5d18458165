import { createVirtualClock } from '@/lib/core/loop/run-batch'
import { nextTask } from '@/lib/worker/next-task'

/**
 * The simulator's clock. It starts at zero and is advanced by real time, by hand, or both. A large step fires due
 * timers in order, each at its time.
 */
export function createSimulatorClock(realTime: () => number = () => Date.now()) {
  const clock = createVirtualClock(nextTask)
  let isReal = true
  let synced = realTime()
  let moving = Promise.resolve()
  const move = (milliseconds: number): Promise<void> => {
    moving = moving.then(() => clock.advance(milliseconds))
    return moving
  }
  const sync = (): Promise<void> => {
    const now = realTime()
    const passed = Math.max(0, now - synced)
    synced = now
    return isReal ? move(passed) : moving
  }
  return {
    clock,
    /** Advances it to the current real time, if that drives it. */
    sync,
    /** Advances it by hand. */
    advance: async (milliseconds: number): Promise<void> => {
      void sync()
      await move(milliseconds)
    },
    setReal: (isOn: boolean): void => {
      void sync()
      isReal = isOn
    },
  }
}
