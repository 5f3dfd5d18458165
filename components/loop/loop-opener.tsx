import { useTranslations } from 'use-intl'
import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import type { LoopFinding } from '@/lib/core/loop/find-repeated-calls'
import { modelNameOf } from '@/lib/state/costs/chosen-model'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { loopReportOf } from '@/lib/state/loop/repeated-calls'
import { repairOf } from '@/lib/state/repair/document-repair'
import { DrawerOpener } from '../drawer/drawer-opener'
import { useDeferredState, useShown } from '../playground-context'

/** Opens the drawer for tool calls. Its label counts the repeats or other findings, broken arguments and kinds of problems. */
export function LoopOpener() {
  const t = useTranslations('loop')
  const { isKnown, repeats, others, broken, ...kinds } = useFound()
  const problems = kinds.problems + kinds.added
  const all = [
    repeats > 0
      ? t('repeats', { count: repeats })
      : others.length > 0 && t('found', { count: others.length }),
    broken > 0 && t('broken', { count: broken }),
    problems > 0 && t('problems', { count: problems }),
  ].filter(Boolean)
  const found = all.join(', ')
  const count = (repeats || others.length) + broken + problems
  return (
    <DrawerOpener
      drawer="loop"
      title={t('title')}
      spoken={isKnown ? t('open', { found: found || t('nothing') }) : t('title')}
    >
      {found !== '' && (
        <>
          <span className="max-sm:hidden">{found}</span>
          <span className="sm:hidden">{all.length === 1 ? found : t('found', { count })}</span>
        </>
      )}
    </DrawerOpener>
  )
}

/** Counts of what the Tool calls drawer found; `isKnown` is false until the calls are compared. */
export function useFound() {
  const { shown: report } = useShown(loopReportOf)
  const groups = useDeferredState(historyFindingsOf)
  const findingsOfMasking = useDeferredState(maskingFindingsOf)
  const isBinding = useDeferredState((state) => bindsThinking(modelNameOf(state).name))
  const broken = useDeferredState((state) => repairOf(state)?.calls.length ?? 0)
  const isRepeat = ({ kind }: LoopFinding) => kind === 'repeat' || kind === 'duplicate'
  const { findings = [], calls = 0 } = report ?? {}
  const again = findings.filter(isRepeat)
  return {
    isKnown: report !== undefined,
    calls,
    repeats: again.reduce((sum, { occurrences }) => sum + occurrences.length - 1, 0),
    tokens: again.reduce((sum, { tokens }) => sum + tokens, 0),
    others: findings.filter((finding) => !isRepeat(finding)),
    broken,
    /** Kinds of problems of the original, and those that masking adds; broken arguments have their own count. */
    problems: groups.filter(({ rule }) => broken === 0 || rule !== 'broken_arguments').length,
    /** Those that the model in use refuses. */
    added: findingsOfMasking.filter(({ rule }) => isBinding || rule !== 'edited_before_thinking')
      .length,
  }
}
