'use client'

import type { MouseEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useDeferredState, usePlayground } from '@/components/playground-context'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { markKindsOf, messageTokensOf } from '@/lib/state/document/message-facts'
import { resultGroupsOf, unansweredCallsOf } from '@/lib/state/document/result-groups'
import { conversationOf } from '@/lib/state/document/selectors'
import { kindOfReason, type MarkKind } from '@/lib/state/timeline/mark-kind'
import { stepResult } from '@/lib/state/timeline/step-message'
import { hasCutMarks } from '@/lib/state/timeline/timeline-layout'
import { UseLegend } from '../uses/use-arcs'
import { LazyGoToRequest } from './lazy-go-to-request'
import { LoopLegend } from './loop-marks'
import { MarkSwatch } from './mark-swatch'

/** Reserved before there is a legend. */
const HEIGHT =
  'mt-0.5 min-h-6 max-xl:min-h-12 max-[90rem]:[&:lang(fr)]:min-h-12 max-sm:min-h-18 max-sm:[&:lang(fr)]:min-h-18'

const PLAIN_KINDS = ['assistant', 'user', 'system', 'other'] as const

/** Legend with counts. An entry goes to the next mark of its kind, with Shift to the previous one. */
export function TimelineLegend() {
  const t = useTranslations('timeline')
  const { actions, store } = usePlayground()
  const conversation = useDeferredState(conversationOf)
  const groups = useDeferredState(resultGroupsOf)
  const unanswered = useDeferredState(unansweredCallsOf)
  const kinds = useDeferredState(markKindsOf)
  const tokens = useDeferredState(messageTokensOf)
  if (conversation === undefined) return <div className={HEIGHT} />
  const present = new Set<MarkKind>(kinds)

  const isCut = tokens !== undefined && hasCutMarks(tokens.before)
  const heights = tokens?.isEstimated ? 'heightsEstimated' : isCut ? 'heightsCut' : 'heights'

  const stepTo = (results: readonly number[], isBack: boolean) => {
    const next = stepResult(results, store.getState().selection?.result, isBack)
    const result = next === undefined ? undefined : conversation.results[next]
    if (result !== undefined) actions.select(result.message, next, 'timeline')
  }
  const stepToCall = (isBack: boolean) => {
    const messages = unanswered.map((call) => conversation.calls[call]?.message ?? 0)
    const next = stepResult(messages, store.getState().selection?.message, isBack)
    if (next !== undefined) actions.select(next, undefined, 'timeline')
  }

  return (
    <div className={`flex items-start justify-between gap-x-6 text-soft text-sm ${HEIGHT}`}>
      <ul aria-label={t('legend')} className="flex flex-wrap gap-x-3.5">
        {groups.map(({ reason, results }) => (
          <LegendStep
            key={reason}
            kind={kindOfReason(reason)}
            label={t(`groups.${reason}`, { count: results.length })}
            onStep={(isBack) => stepTo(results, isBack)}
          />
        ))}
        {unanswered.length > 0 && (
          <LegendStep
            kind="broken"
            label={t('groups.unanswered', { count: unanswered.length })}
            onStep={stepToCall}
          />
        )}
        {PLAIN_KINDS.filter((kind) => present.has(kind)).map((kind) => (
          <li key={kind} className="flex min-h-6 items-center gap-1.5">
            <MarkSwatch kind={kind} />
            {t(`legendMessages.${kind}`)}
          </li>
        ))}
        <LoopLegend />
        <UseLegend />
      </ul>
      <div className="hidden shrink-0 pr-3 text-faint lg:block" title={t(heights)}>
        <RequestHint fallback={t(heights)} />
      </div>
    </div>
  )
}

/** The choice of a request, or the meaning of mark heights if there are no requests. */
function RequestHint({ fallback }: { readonly fallback: string }) {
  const count = useDeferredState((state) => sessionOf(state)?.requests.length ?? 0)
  return count === 0 ? fallback : <LazyGoToRequest />
}

function LegendStep({
  kind,
  label,
  onStep,
}: {
  readonly kind: MarkKind
  readonly label: string
  readonly onStep: (isBack: boolean) => void
}) {
  const t = useTranslations('timeline')
  return (
    <li>
      <button
        type="button"
        title={t('legendStep', { label })}
        className="-mx-1 flex min-h-6 cursor-pointer items-center gap-1.5 rounded-sm px-1 hover:bg-line/60 hover:text-ink"
        onClick={(event: MouseEvent) => onStep(event.shiftKey)}
      >
        <MarkSwatch kind={kind} />
        {label}
      </button>
    </li>
  )
}
