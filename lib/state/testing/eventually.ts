import { vi } from 'vitest'

/** Repeats a check until it passes; fails after 30 seconds, since a busy machine is slow. */
export const eventually = <Result>(check: () => Result | Promise<Result>): Promise<Result> =>
  vi.waitFor(check, { timeout: 30_000 })
