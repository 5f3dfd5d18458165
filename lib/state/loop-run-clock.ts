import { createVirtualClock } from '@/lib/core/loop/virtual-clock'

/** Resolves once everything that could go on without more time has done so. */
function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

/** The clock of a run, driven by real time, by hand, or by both; it begins at zero. What is due while it is moved far happens in its order, at its own time. */
export function createRunClock(realTime: () => number = () => Date.now()) {
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
    /** Moves it to where real time is by now, if that drives it. */
    sync,
    /** Moves it on by hand. */
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
