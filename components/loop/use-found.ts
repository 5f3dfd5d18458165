import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { findingsOf } from '@/lib/state/loop/loop-findings'
import { loopReportOf } from '@/lib/state/loop/repeated-calls'
import { repairOf } from '@/lib/state/repair/document-repair'
import { useDeferredState } from '../playground-context'
import { useShown } from '../use-shown'

/** Counts of what the Tool calls drawer found; `isKnown` is false until the calls are compared. */
export function useFound() {
  const { shown: report } = useShown(loopReportOf)
  const { shown: findings } = useShown(findingsOf)
  const groups = useDeferredState(historyFindingsOf)
  const added = useDeferredState(maskingFindingsOf).length
  const broken = useDeferredState((state) => repairOf(state)?.calls.length ?? 0)
  return {
    isKnown: report !== undefined,
    repeats: report?.repeats.length ?? 0,
    others: (findings ?? []).filter(({ kind }) => kind !== 'repeat' && kind !== 'duplicate'),
    broken,
    /** Kinds of problems of the original, and those that masking adds; broken arguments have their own count. */
    problems: groups.filter(({ rule }) => broken === 0 || rule !== 'broken_arguments').length,
    added,
  }
}
