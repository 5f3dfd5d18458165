import type { KeyboardEvent, PointerEvent, RefObject } from 'react'
import { useMemo, useRef, useState } from 'react'
import { useReasonSentence } from '@/components/messages-view/use-reason-sentence'
import { useDeferredState, usePlaygroundState, useView } from '@/components/playground-context'
import { shownTool } from '@/lib/core/conversation/conversation'
import {
  sentMessagesOf,
  shownConversationOf,
  shownDecisionsOf,
} from '@/lib/state/costs/request-view'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import {
  differingKinds,
  markKindsOf,
  messageTokensOf,
  pinnedMarksOf,
  resultsByMessage,
} from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import { columnAt, layoutTimeline } from '@/lib/state/timeline/timeline-layout'
import { movesOf, type StepKind, stepMessage, windowEdge } from '@/lib/state/timeline/window-edge'
import { loadWithTexts } from '../load-with-texts'
import { CostCurve } from './cost-curve'
import { ClearedMarks, MoveMarks } from './legend-steps'
import { belowHeadroom, TimelineMarks, useDeviceSize } from './marks'
import { TimelineLegend } from './timeline-legend'
import { UseArcs } from './use-arcs'
import { type OnStrip, RequestHandle, RequestLine, WindowHandle } from './window-handle'

/** The instrument: later uses as arcs, messages as marks, and the cost of each place of the window's edge, on one axis. */
export function Timeline() {
  const { t } = useView('timeline')
  const conversation = usePlaygroundState(conversationOf)
  const shown = usePlaygroundState(shownConversationOf) ?? conversation
  const policy = usePlaygroundState((state) => state.policy)
  // Its window is not that of the policy.
  const isTried = usePlaygroundState(isTrying)
  const isComparing = usePlaygroundState(({ pinned }) => pinned !== undefined)
  const strip = useRef<HTMLDivElement>(null)
  const box = useRef<DOMRect>(undefined)
  const placeOf = ({ type, buttons, clientX }: PointerEvent) => {
    // Measured once per drag: measuring in each move would force a second layout.
    const isDrag = type === 'pointermove' && buttons !== 0
    if (!isDrag || box.current === undefined) box.current = strip.current?.getBoundingClientRect()
    const { left = 0, width = 1 } = box.current ?? {}
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const messages = conversation?.messages.length ?? 0
  const edge = shown && windowEdge(shown, policy)
  return (
    <section aria-label={t('label')} className="border-y px-6 pt-2 pb-1 max-sm:px-4">
      <div className={`relative ${HEIGHTS} ${isComparing ? LOW_HEIGHTS : ''}`}>
        <UseArcs />
        <Strip strip={strip} placeOf={placeOf} />
        {isComparing && !isTried && <PinnedStrip />}
        <MoveMarks messages={messages} />
        {isTried ? (
          <div className="relative h-(--curve) max-sm:[--curve:2.75rem]">
            <SettingCurve placeOf={placeOf} />
          </div>
        ) : (
          <CostCurve edge={edge === undefined ? 1 : edge.setMessage / Math.max(1, messages)} />
        )}
        {shown !== undefined && shown.turnCount > 0 && !isTried && (
          <WindowHandle conversation={shown} placeOf={placeOf} />
        )}
      </div>
      <ClearedMarks messages={messages} />
      <TimelineLegend />
      <RequestLine />
    </section>
  )
}

const SettingCurve = loadWithTexts(async () => (await import('./setting-curve')).SettingCurve)

const HEIGHTS =
  '[--arcs:3.75rem] [--bars:7.25rem] [--curve:2.75rem] max-sm:[--arcs:2.75rem] max-sm:[--bars:5rem] max-sm:[--curve:1.75rem] min-[1800px]:[--arcs:5rem] min-[1800px]:[--bars:9.5rem] min-[1800px]:[--curve:4rem]'
// Two strips leave the panes of a low window their place.
const LOW_HEIGHTS = 'lg:low:[--arcs:2rem] lg:low:[--bars:4.5rem] lg:low:[--curve:1.75rem]'

function Strip({ strip, placeOf }: OnStrip & { readonly strip: RefObject<HTMLDivElement | null> }) {
  const { t, actions } = useView('timeline')
  const size = useDeviceSize(strip)
  const conversation = usePlaygroundState(conversationOf)
  const at = usePlaygroundState((state) => state.conversation)
  const decisions = useDeferredState(shownDecisionsOf)?.[at]
  const tokens = useDeferredState(messageTokensOf)
  const kinds = useDeferredState(markKindsOf)
  const selected = usePlaygroundState((state) => state.selection?.message)
  const descriptionOf = useMessageDescription()
  /** The message under the pointer or reached by keys, which gets a tooltip. */
  const [tipAt, setTipAt] = useState<number>()

  const others = useDeferredState(pinnedMarksOf)?.kinds

  const columns = useMemo(() => {
    if (tokens === undefined || kinds === undefined) return []
    const shown = others === undefined ? kinds : differingKinds(kinds, others)
    return layoutTimeline({ ...tokens, kinds: shown }, belowHeadroom(size))
  }, [tokens, kinds, others, size])

  const choose = (message: number, result: number | undefined) => {
    if (message !== selected) actions.select(message, result, 'timeline')
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const message = columnAt(columns, placeOf(event))?.message
    if (message === undefined || conversation === undefined) return
    if (event.type === 'pointerdown' && event.button === 0)
      event.currentTarget.setPointerCapture(event.pointerId)
    if (event.buttons === 1) choose(message, resultsByMessage(conversation).get(message)?.[0])
    setTipAt(message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || conversation === undefined) return
    if (event.key === 'Escape') setTipAt(undefined)
    const [kind, isBack] = STEPS[event.key] ?? []
    if (kind === undefined || isBack === undefined) return
    event.preventDefault()
    const shifted = event.shiftKey && kind === 'message' ? 'turn' : kind
    const target = stepMessage(conversation, decisions, selected, shifted, isBack)
    if (target === undefined) return
    choose(target.message, target.result)
    setTipAt(target.message)
  }

  const count = conversation?.messages.length ?? 0
  const percentOf = (message: number) => `${((message + 0.5) / count) * 100}%`
  const chosen = selected === undefined ? undefined : descriptionOf(selected)
  const tip = tipAt === undefined ? undefined : descriptionOf(tipAt)
  const valueText =
    selected === undefined || chosen === undefined
      ? t('noneChosen')
      : `${t('position', { message: selected + 1, messages: count })}. ${chosen.title} ${chosen.detail}`

  return (
    <div className="relative h-(--bars)">
      <div
        ref={strip}
        role="slider"
        tabIndex={count === 0 ? -1 : 0}
        aria-disabled={count === 0}
        aria-label={t('messages')}
        aria-description={t('keys')}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, count)}
        aria-valuenow={(selected ?? 0) + 1}
        aria-valuetext={valueText}
        className="absolute inset-0 cursor-pointer touch-pan-y rounded-sm border-b outline-offset-4"
        onPointerDown={onPointer}
        onPointerMove={onPointer}
        onPointerLeave={() => setTipAt(undefined)}
        onBlur={() => setTipAt(undefined)}
        onKeyDown={onKeyDown}
      >
        {selected !== undefined && count > 0 && (
          // A band behind the selected mark, and a wedge below it that is visible even if marks are one pixel wide.
          <div
            className="-translate-x-1/2 absolute inset-y-0 min-w-[3px] max-w-6 bg-ink/12"
            style={{ left: percentOf(selected), width: `${100 / count}%` }}
          >
            <span className="-translate-x-1/2 -bottom-[5px] absolute left-1/2 border-x-4 border-x-transparent border-b-4 border-b-ink" />
          </div>
        )}
        <TimelineMarks columns={columns} size={size} />
      </div>
      {count > 0 && <RequestHandle messages={count} placeOf={placeOf} />}
      {tip !== undefined && tipAt !== undefined && (
        // Screen readers get the same text as the value of the strip. The tooltip stays within the strip.
        <div aria-hidden className="pointer-events-none absolute inset-x-0 top-full z-30 mt-1.5">
          <div
            className="absolute w-max max-w-[min(22rem,100%)] rounded-lg bg-ink px-3 py-2 text-paper text-sm"
            style={{ left: percentOf(tipAt), transform: `translateX(-${percentOf(tipAt)})` }}
          >
            <p className="font-medium">{tip.title}</p>
            <p className="opacity-75">{tip.detail}</p>
          </div>
        </div>
      )}
    </div>
  )
}

const STEPS: Readonly<Record<string, readonly [kind: StepKind, isBack: boolean]>> = {
  ArrowLeft: ['message', true],
  ArrowUp: ['message', true],
  ArrowRight: ['message', false],
  ArrowDown: ['message', false],
  PageUp: ['turn', true],
  PageDown: ['turn', false],
  Home: ['end', true],
  End: ['end', false],
  n: ['masked', false],
  p: ['masked', true],
}

/**
 * Describes messages for tooltips and screen readers: the reason for the decision on a result, or the role of another
 * message; then tool, turn and tokens, if known.
 */
export function useMessageDescription() {
  const { t, format } = useView('timeline')
  const reasonSentence = useReasonSentence()
  const conversation = useDeferredState(shownConversationOf)
  const at = useDeferredState((state) => state.conversation)
  const decisions = useDeferredState(shownDecisionsOf)?.[at]
  const tokens = useDeferredState(messageTokensOf)
  const sent = useDeferredState(sentMessagesOf)
  const policy = useDeferredState((state) => state.policy)
  const moves = useDeferredState(movesOf)
  const moneyOf = ({ cost = 0, saved = 0 }) => ({
    isFree: cost === 0 ? 'yes' : 'no',
    cost: format.money(cost),
    saved: format.money(saved),
  })

  return (index: number) => {
    const message = conversation?.messages[index]
    if (conversation === undefined || message === undefined) return undefined
    const results = resultsByMessage(conversation).get(index) ?? []
    const { role } = message
    const shown = results[0] ?? -1
    const result = conversation.results[shown]
    const decision = decisions?.[shown]
    const turn = result === undefined ? message.turn : result.turn
    const move = moves?.find(({ end }) => end === index + 1)
    const calls = conversation.calls.reduce((n, call) => (call.message === index ? n + 1 : n), 0)
    const details = [
      shownTool(result),
      turn !== undefined && t('turn', { turn: turn + 1 }),
      calls > 0 && t('calls', { calls }),
      results.length > 1 && t('results', { results: results.length }),
      tokens && tokensText(index),
      move?.saved !== undefined && t('moved', moneyOf(move)),
    ]
    const title =
      index >= sent
        ? t('notSent')
        : result && decision
          ? reasonSentence(decision, result, policy, conversation.turnCount)
          : t(`roles.${KNOWN_ROLES.find((known) => known === role) ?? 'other'}`, { role })
    return { title, detail: details.filter(Boolean).join(' · ') }
  }

  function tokensText(index: number): string {
    const before = tokens?.before[index] ?? 0
    const after = tokens?.after[index] ?? 0
    const isEstimated = tokens?.isEstimated === true
    if (before === after) return t(isEstimated ? 'tokensEstimated' : 'tokens', { tokens: before })
    return t(isEstimated ? 'tokensChangeEstimated' : 'tokensChange', { before, after })
  }
}

const KNOWN_ROLES = ['system', 'user', 'assistant', 'tool'] as const

/** Policy A, upside down under policy B; what both do alike is pale. */
export function PinnedStrip() {
  const strip = useRef<HTMLDivElement>(null)
  const size = useDeviceSize(strip)
  const marks = useDeferredState(pinnedMarksOf)
  const others = useDeferredState(markKindsOf)
  const columns = useMemo(() => {
    if (marks === undefined || others === undefined) return []
    const kinds = differingKinds(marks.kinds, others)
    return layoutTimeline({ ...marks, kinds }, belowHeadroom(size))
  }, [marks, others, size])
  return (
    <div aria-hidden className="relative h-[calc(var(--bars)/2)]">
      <div ref={strip} className="-scale-y-100 absolute inset-0">
        <TimelineMarks columns={columns} size={size} />
      </div>
      {(['A', 'B'] as const).map((letter) => (
        <strong
          key={letter}
          className={`absolute left-0 bg-paper px-0.5 font-semibold text-accent text-xs ${letter === 'A' ? 'bottom-0' : 'bottom-full'}`}
        >
          {letter}
        </strong>
      ))}
    </div>
  )
}
