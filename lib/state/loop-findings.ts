import type { LoopReport } from '@/lib/core/loop/loop-report'

/** How many things were found, whatever the guards would have done about them. */
export function findingsOf(report: LoopReport): number {
  const { repeats, repeatedIds, beyondLimit, pingPongs, repeatedErrors } = report
  const calls = new Set([...repeats, ...repeatedIds, ...beyondLimit].map(({ call }) => call))
  return calls.size + pingPongs.length + repeatedErrors.length
}
