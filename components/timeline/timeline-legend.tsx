import { useTranslations } from 'use-intl'
import { useDeferredState, usePlayground } from '@/components/playground-context'
import { sessionOf } from '@/lib/state/costs/shown-session'
import {
  markKindsOf,
  messageTokensOf,
  resultGroupsOf,
  unansweredCallsOf,
} from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import { hasCutMarks, kindOfReason, type MarkKind } from '@/lib/state/timeline/timeline-layout'
import { stepResult } from '@/lib/state/timeline/window-edge'
import { loadWithTexts } from '../load-with-texts'
import { UseLegend } from '../uses/use-arcs'
import { LegendStep, LoopLegend } from './loop-marks'

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
            swatch={<MarkSwatch kind={kindOfReason(reason)} />}
            label={t(`groups.${reason}`, { count: results.length })}
            onStep={(isBack) => stepTo(results, isBack)}
          />
        ))}
        {unanswered.length > 0 && (
          <LegendStep
            swatch={<MarkSwatch kind="broken" />}
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
  return count === 0 ? fallback : <GoToRequest />
}

/** A small timeline mark with the same shape and colour. */
export function MarkSwatch({ kind }: { readonly kind: MarkKind }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 8 12" className="h-3 w-2 shrink-0">
      {swatchOf(kind)}
    </svg>
  )
}

function swatchOf(kind: MarkKind) {
  switch (kind) {
    case 'masked':
      return (
        <>
          <rect x="1" y="1" width="6" height="11" className="fill-accent opacity-20" />
          <rect x="1" y="7" width="6" height="5" className="fill-accent" />
        </>
      )
    case 'in_window':
      return <rect x="1" y="3" width="6" height="9" className="fill-good" />
    case 'kept_error':
      return (
        <>
          <circle cx="4" cy="2" r="1.8" className="fill-warn" />
          <rect x="1" y="5" width="6" height="7" className="fill-warn" />
        </>
      )
    case 'broken':
      return (
        <>
          <path d="M2 .5 6 4.5M6 .5 2 4.5" strokeWidth="1.4" className="stroke-bad" />
          <rect x="1.5" y="6.5" width="5" height="5.5" className="fill-none stroke-bad" />
        </>
      )
    case 'kept':
      return <rect x="1.5" y="3.5" width="5" height="8" className="fill-ghost/30 stroke-ghost" />
    case 'user':
      return <rect x="1" y="3" width="6" height="9" className="fill-ink" />
    case 'system':
      return <rect x="1" y="3" width="6" height="9" className="fill-faint opacity-70" />
    case 'assistant':
    case 'other':
      return <rect x="1" y="3" width="6" height="9" className="fill-ghost opacity-40" />
  }
}

const GoToRequest = loadWithTexts(async () => (await import('./go-to-request')).GoToRequest, {
  isLate: true,
})
