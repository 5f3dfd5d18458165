import type { ReactNode } from 'react'
import { useDeferredState, useView } from '@/components/playground-context'
import { sessionOf } from '@/lib/state/costs/shown-session'
import {
  markKindsOf,
  messageTokensOf,
  resultGroupsOf,
  unansweredCallsOf,
} from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import { hasCutMarks, kindOfReason, type MarkKind } from '@/lib/state/timeline/timeline-layout'
import { useReasonName } from '../use-reason-name'
import { ClearedLegend, LegendStep, MoveLegend, useSteps } from './legend-steps'
import { UseLegend } from './use-arcs'

/** Reserved before there is a legend. */
const HEIGHT =
  'mt-0.5 min-h-6 max-xl:min-h-12 max-[90rem]:[&:lang(fr)]:min-h-12 max-sm:min-h-18 max-sm:[&:lang(fr)]:min-h-18'

const PLAIN_KINDS = ['assistant', 'user', 'system', 'other'] as const

/** Legend with counts. An entry goes to the next mark of its kind, with Shift to the previous one. */
export function TimelineLegend() {
  const { t } = useView('timeline')
  const { stepMessages, stepResults } = useSteps()
  const conversation = useDeferredState(conversationOf)
  const groups = useDeferredState(resultGroupsOf)
  const unanswered = useDeferredState(unansweredCallsOf)
  const kinds = useDeferredState(markKindsOf)
  const tokens = useDeferredState(messageTokensOf)
  const requests = useDeferredState((state) => sessionOf(state)?.requests.length ?? 0)
  const nameOf = useReasonName()
  if (conversation === undefined) return <div className={HEIGHT} />
  const present = new Set<MarkKind>(kinds)

  const isCut = tokens !== undefined && hasCutMarks(tokens.before)
  const heights = tokens?.isEstimated ? 'heightsEstimated' : isCut ? 'heightsCut' : 'heights'

  // As the reasons of broken results do not depend on the window, the legend of such a history always has a line more.
  const isBroken =
    unanswered.length > 0 || groups.some(({ reason }) => kindOfReason(reason) === 'broken')
  const calls = unanswered.map((call) => conversation.calls[call]?.message ?? 0)
  return (
    <div className={`flex items-start justify-between gap-x-6 text-soft text-sm ${HEIGHT}`}>
      <ul
        aria-label={t('legend')}
        className={`flex max-w-full shrink-0 flex-wrap content-start gap-x-3.5 ${isBroken ? 'max-sm:min-h-24' : ''}`}
      >
        {groups.map(({ reason, results }) => (
          <LegendStep
            key={reason}
            swatch={<MarkSwatch kind={kindOfReason(reason)} />}
            label={t(`groups.${nameOf(reason)}`, { count: results.length })}
            onStep={(isBack) => stepResults(results, isBack)}
          />
        ))}
        {unanswered.length > 0 && (
          <LegendStep
            swatch={<MarkSwatch kind="broken" />}
            label={t('groups.unanswered', { count: unanswered.length })}
            onStep={(isBack) => stepMessages(calls, isBack)}
          />
        )}
        {PLAIN_KINDS.filter((kind) => present.has(kind)).map((kind) => (
          <li key={kind} className="flex min-h-6 items-center gap-1.5">
            <MarkSwatch kind={kind} />
            {t(`legendMessages.${kind}`)}
          </li>
        ))}
        <MoveLegend />
        <ClearedLegend />
        <UseLegend />
      </ul>
      <div className="hidden truncate pr-3 text-faint xl:block" title={t(heights)}>
        {requests > 0 ? t('dragToRequest', { count: requests }) : t(heights)}
      </div>
    </div>
  )
}

const bar = (top: number, className: string) => (
  <rect x="1" y={top} width="6" height={12 - top} className={className} />
)

const SWATCHES: Readonly<Record<MarkKind, ReactNode>> = {
  system: bar(3, 'fill-faint opacity-70'),
  user: bar(3, 'fill-ink'),
  assistant: bar(3, 'fill-ghost opacity-40'),
  other: bar(3, 'fill-ghost opacity-40'),
  in_window: bar(3, 'fill-good forced-colors:fill-[LinkText]'),
  kept: <rect x="1.5" y="3.5" width="5" height="8" className="fill-ghost/30 stroke-ghost" />,
  masked: (
    <>
      {bar(1, 'fill-accent opacity-20')}
      {bar(7, 'fill-accent')}
    </>
  ),
  kept_error: (
    <>
      <circle cx="4" cy="2" r="1.8" className="fill-warn" />
      {bar(5, 'fill-warn')}
    </>
  ),
  broken: (
    <>
      <path d="M2 .5 6 4.5M6 .5 2 4.5" strokeWidth="1.4" className="stroke-bad" />
      <rect x="1.5" y="6.5" width="5" height="5.5" className="fill-none stroke-bad" />
    </>
  ),
}

/** A small timeline mark with the same shape and colour. */
export function MarkSwatch({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 12" className="h-3 w-2 shrink-0">
      {SWATCHES[kind]}
    </svg>
  )
}
