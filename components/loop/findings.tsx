import { bindsThinking } from '@/lib/core/conversation/reasoning-marks'
import { modelNameOf } from '@/lib/state/costs/chosen-model'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isOutdated } from '@/lib/state/document/selectors'
import { historyFindingsOf, maskingFindingsOf } from '@/lib/state/integrity/history-findings'
import { loopReportOf } from '@/lib/state/loop/found-repeats'
import { repairOf } from '@/lib/state/repair/document-repair'
import { useDeferredState, usePlaygroundState, useShown, useView } from '../playground-context'
import { PageLink, type Tool } from '../shell/page-link'

/** One sentence of what each tool found; empty if nothing was found. */
export function useFound(): readonly (readonly [tool: Tool, sentence: string])[] {
  const { t } = useView('loop.found')
  const { shown: report } = useShown(loopReportOf)
  const findings = report?.findings ?? []
  const again = findings.filter(({ kind }) => kind === 'repeat' || kind === 'duplicate')
  const repeats = again.reduce((sum, { occurrences }) => sum + occurrences.length - 1, 0)
  const broken = useDeferredState((state) => repairOf(state)?.calls.length ?? 0)
  const problems = useDeferredState((state) => {
    // Broken arguments have their own count, and only some models bind their thinking to what precedes it.
    const added = maskingFindingsOf(state).filter(
      ({ rule }) => rule !== 'edited_before_thinking' || bindsThinking(modelNameOf(state).name),
    )
    const own = historyFindingsOf(state).filter(
      ({ rule }) => broken === 0 || rule !== 'broken_arguments',
    )
    return own.length + added.length
  })
  const errors = useDeferredState(
    (state) =>
      shownDecisionsOf(state)?.[state.conversation]?.filter(({ reason }) => reason === 'kept_error')
        .length ?? 0,
  )
  const tokens = again.reduce((sum, finding) => sum + finding.tokens, 0)
  const counts = [
    ['repeated_calls', 'repeats', repeats],
    ['repeated_calls', 'others', findings.length - again.length],
    ['arguments', 'broken', broken],
    ['checks', 'problems', problems],
    ['errors', 'errors', errors],
  ] as const
  return counts.flatMap(([tool, key, count]) =>
    count === 0 ? [] : [[tool, t(key, { count, tokens })] as const],
  )
}

/** The sentences as links to the tools, faded while they are of an older text. */
export function Findings() {
  const { t } = useView('loop')
  const found = useFound()
  const isOld = usePlaygroundState(isOutdated)
  // Beside the policy, its line stays while there is nothing in it.
  if (found.length === 0) return <span className="h-[1lh] w-full lg:max-xl:block hidden" />
  return (
    <ul
      aria-label={t('findings')}
      className={`flex shrink-0 gap-x-4 gap-y-1 max-xl:w-full max-xl:flex-wrap ${isOld ? 'faded' : ''}`}
    >
      {found.map(([tool, sentence]) => (
        <li key={sentence}>
          <PageLink to={`/tools?tool=${tool}`}>{sentence}</PageLink>
        </li>
      ))}
    </ul>
  )
}
