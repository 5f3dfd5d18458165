import { type ComponentProps, type KeyboardEvent, type PointerEvent, useRef, useState } from 'react'
import { Announcement, moneyOf } from '@/components/meters/figure'
import {
  useDeferredState,
  usePlaygroundState,
  useShown,
  useView,
} from '@/components/playground-context'
import { Button, linkTo } from '@/components/ui/button'
import { stepOfKey } from '@/components/ui/step-of-key'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { batchNumber, isMaskingOff } from '@/lib/core/policy/policy'
import type { RequestFigures } from '@/lib/core/replay/replay-figures'
import { requestNear, requestViewOf, sentMessagesOf } from '@/lib/state/costs/request-view'
import { sessionOf } from '@/lib/state/costs/shown-session'
import { isWritten } from '@/lib/state/costs/tried-mechanism'
import { resultsByMessage } from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import { figuresOf, windowStepsOf } from '@/lib/state/policy/policy-view'
import { isSettling } from '@/lib/state/policy/session-policy'
import { windowEdge, windowTurnsAt } from '@/lib/state/timeline/window-edge'
import { forgottenOf } from '@/lib/state/uses/later-uses'
import { useWindowEvents } from '../use-events'
import { useReasonName } from '../use-reason-name'

export interface OnStrip {
  /** Converts a pointer position to a position on the strip, from 0 to 1. */
  readonly placeOf: (event: PointerEvent) => number
}

interface StripHandleProps extends Omit<ComponentProps<'div'>, 'onDrag' | 'onDragStart'>, OnStrip {
  readonly onDrag: (place: number) => void
  /** Receives where it was pressed. */
  readonly onDragStart?: (place: number) => void
  readonly onDragEnd?: () => void
  /** Escape ends the drag. */
  readonly onDragCancel?: () => void
}

/** A thumb on the strip. While it is dragged, it has the attribute `data-dragged`. */
export function StripHandle(props: StripHandleProps) {
  const { placeOf, onDrag, onDragStart, onDragEnd, onDragCancel, ...more } = props
  const { className, 'aria-valuenow': value, ...rest } = more
  const [isDragged, setIsDragged] = useState(false)
  const end = () => {
    setIsDragged(false)
    onDragEnd?.()
  }
  const cancel = (event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    setIsDragged(false)
    onDragCancel?.()
  }
  useWindowEvents({ keydown: cancel }, { isActive: isDragged, isCapture: true })
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-valuenow={value}
      data-dragged={isDragged || undefined}
      className={`pointer-events-none absolute inset-y-0 z-10 w-0 touch-none outline-none ${className}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        const place = placeOf(event)
        event.currentTarget.setPointerCapture(event.pointerId)
        setIsDragged(true)
        onDragStart?.(place)
      }}
      onPointerMove={(event) => isDragged && onDrag(placeOf(event))}
      onPointerUp={end}
      onPointerCancel={end}
      {...rest}
    />
  )
}

/**
 * The edge of the window: a line at the start of the window, with a handle that moves it.
 * If the window advances in steps, a second, dashed line shows where it really starts.
 */
export function WindowHandle(props: OnStrip & { readonly conversation: Conversation }) {
  const { conversation, placeOf } = props
  const { t, actions, store } = useView('timeline')
  const atStart = useRef(store.getState())
  const policy = usePlaygroundState((state) => state.policy)
  const { turnCount, messages } = conversation
  const edge = windowEdge(conversation, policy, usePlaygroundState(windowStepsOf))
  const percentOf = (message: number) => `${(message / messages.length) * 100}%`
  const window = Math.max(0, Math.min(policy.windowTurns, turnCount))
  const isStepped = edge.keptTurn < edge.setTurn

  const setWindow = (turns: number) =>
    actions.changePolicy({ windowTurns: Math.max(1, Math.min(turnCount, turns)) }, 'windowTurns')
  const onKeyDown = (event: KeyboardEvent) => {
    // To the right is later, so the window gets smaller.
    const step = stepOfKey(event, 10, -window, -turnCount, -1)
    if (step === undefined) return
    event.preventDefault()
    setWindow(-step)
    actions.endGesture()
  }

  const values = { turn: Math.min(turnCount, edge.setTurn + 1), turns: turnCount, window }
  const valueText = !edge.isOn
    ? t('windowOff')
    : isStepped
      ? t('windowStep', { ...values, batch: batchNumber(policy), kept: edge.keptTurn + 1 })
      : t('windowValue', values)
  const percent = percentOf(edge.setMessage)

  return (
    <>
      {edge.isOn && (
        <div
          className={`pointer-events-none absolute top-(--arcs) right-0 bottom-(--curve) bg-good/8 ${isStepped ? 'border-ink border-l border-dashed' : ''}`}
          style={{ left: percentOf(edge.keptMessage) }}
        />
      )}
      <StripHandle
        placeOf={placeOf}
        onDrag={(place) => setWindow(windowTurnsAt(conversation, place * messages.length))}
        onDragStart={() => {
          atStart.current = store.getState()
        }}
        onDragEnd={actions.endGesture}
        onDragCancel={() => actions.takeBack(atStart.current)}
        aria-label={t('window')}
        aria-valuemin={1}
        aria-valuemax={turnCount}
        aria-valuenow={values.turn}
        aria-valuetext={valueText}
        className={`group/edge ${edge.isOn ? '' : 'opacity-40'}`}
        style={{ left: percent }}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1 pointer-coarse:-left-5 pointer-events-auto absolute inset-y-0 w-2 cursor-ew-resize pointer-coarse:w-10" />
        <span className="-left-px absolute inset-y-0 w-px bg-ink" />
        <span className="-left-1.5 absolute top-[calc(var(--arcs)+var(--bars)/2-1rem)] h-8 w-3 rounded-full bg-ink transition-transform group-hover/edge:scale-110 group-focus-visible/edge:ring-2 group-focus-visible/edge:ring-accent group-focus-visible/edge:ring-offset-1" />
      </StripHandle>
      <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0 z-20">
        <Flag left={percent} />
      </div>
    </>
  )
}

/** Rides on the edge, within the strip: cost, change, and what was forgotten. */
function Flag({ left }: { readonly left: string }) {
  const { t, format } = useView('timeline')
  const { shown: figures, isOld } = useShown(figuresOf)
  const forgotten = useDeferredState((state) => forgottenOf(state)?.length) ?? 0
  const isOn = usePlaygroundState(({ policy }) => !isMaskingOff(policy))
  const isUnset = useDeferredState(isSettling)
  if (figures === undefined || isUnset) return null
  const money = moneyOf(figures)
  const [from, to] = money
    ? [money.before, money.after]
    : [figures.before.tokens, figures.after.tokens]
  return (
    <p
      className={`absolute w-max rounded-md bg-ink px-2.5 py-1 font-semibold text-paper text-sm tabular-nums ${isOld ? 'faded-late' : ''}`}
      style={{ left, transform: `translateX(-${left})` }}
    >
      {isOn ? (
        <>
          {money ? format.money(to, from) : t('tokens', { tokens: to })} · {format.change(from, to)}
          {forgotten > 0 && <> · {t('forgotten', { count: forgotten })}</>}
        </>
      ) : (
        t('windowOff')
      )}
    </p>
  )
}

/** A handle at the end of the next request. Dragged left, it shows an earlier request and fades later messages. */
export function RequestHandle({ messages, placeOf }: OnStrip & { readonly messages: number }) {
  const { t, actions } = useView('cost.request')
  const session = usePlaygroundState(sessionOf)
  const chosen = usePlaygroundState((state) => state.request)
  const end = usePlaygroundState(sentMessagesOf)
  if (session === undefined || session.origin === 'log' || session.requests.length === 0)
    return null
  const { requests } = session
  const count = requests.length
  const percent = `${(end / Math.max(1, messages)) * 100}%`

  const onKeyDown = (event: KeyboardEvent) => {
    const isEscape = event.key === 'Escape' && chosen !== undefined
    const next = isEscape ? count : stepOfKey(event, 10, chosen ?? count, 0, count)
    if (next === undefined) return
    event.preventDefault()
    actions.chooseRequest(next >= count ? undefined : next)
  }

  return (
    <>
      {chosen !== undefined && (
        <div
          aria-hidden
          className="-top-2 pointer-events-none absolute right-0 bottom-0 bg-paper/75"
          style={{ left: percent }}
        />
      )}
      <StripHandle
        placeOf={placeOf}
        onDrag={(place) => {
          const next = requestNear(requests, place * messages, messages)
          if (next !== chosen) actions.chooseRequest(next)
        }}
        aria-label={t('handle')}
        aria-description={t('handleKeys')}
        aria-valuemin={1}
        aria-valuemax={count + 1}
        aria-valuenow={(chosen ?? count) + 1}
        aria-valuetext={t(chosen === undefined ? 'handleNext' : 'handleValue', {
          request: (chosen ?? 0) + 1,
          count,
        })}
        className="group/request"
        style={{ left: percent }}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1.5 -bottom-4 pointer-events-auto absolute h-8 w-4 cursor-ew-resize pointer-coarse:-left-5 pointer-coarse:h-10 pointer-coarse:w-10" />
        {chosen !== undefined && <span className="-left-px absolute inset-y-0 w-0.5 bg-accent" />}
        <span className="-bottom-2 -left-[5px] absolute size-[10px] rotate-45 rounded-xs border border-paper bg-accent transition-transform group-hover/request:scale-125 group-focus-visible/request:scale-125 group-focus-visible/request:ring-2 group-focus-visible/request:ring-accent group-focus-visible/request:ring-offset-1" />
      </StripHandle>
    </>
  )
}

/** Describes the selected earlier request: its cache use, its first difference from the one before, and a way back. */
export function RequestLine() {
  const { t, actions } = useView('cost.request')
  const isLookingBack = useDeferredState(({ request }) => request !== undefined)
  const view = useDeferredState(requestViewOf)

  const leave = (event: globalThis.KeyboardEvent) => {
    // Popups and editors handle Escape first.
    const isElsewhere =
      event.target instanceof Element && event.target.closest('.monaco-editor, [role="dialog"]')
    if (event.key === 'Escape' && !event.defaultPrevented && !isElsewhere)
      actions.chooseRequest(undefined)
  }
  useWindowEvents({ keydown: leave }, { isActive: isLookingBack })
  if (!isLookingBack) return null
  return (
    <section
      aria-label={t('label')}
      className="-mx-6 mt-2 -mb-2 flex flex-wrap items-center gap-x-4 gap-y-1 border-t bg-accent-tint/60 px-6 py-1.5 text-sm max-sm:-mx-4 max-sm:px-4"
    >
      <p className="min-w-0 flex-1 basis-80">{view !== undefined && <Sentences view={view} />}</p>
      <Button size="small" onClick={() => actions.chooseRequest(undefined)}>
        {t('back')}
      </Button>
    </section>
  )
}

function Sentences({ view }: { readonly view: RequestFigures }) {
  const { t, format, actions } = useView('cost.request')
  const conversation = useDeferredState(conversationOf)
  const isSent = useDeferredState(isWritten)
  const nameOf = useReasonName()
  const { index, count, replayed, firstChanged } = view
  const { read, written, fresh } = replayed.after.split
  const cache = t('cache', {
    read: format.number(read),
    written: format.number(written),
    fresh: format.number(fresh),
  })
  const title = t('title', { request: index + 1, count })
  const changed = { message: (firstChanged ?? 0) + 1, before: index }
  const result = conversation && resultsByMessage(conversation).get(firstChanged ?? -1)?.[0]
  const same = index === 0 ? 'first' : 'same'
  const difference = t(firstChanged === undefined ? same : 'changedPlain', changed)
  return (
    <>
      <strong className="font-semibold">{title}.</strong> {cache}{' '}
      {firstChanged === undefined
        ? difference
        : t.rich('changed', {
            ...changed,
            how: nameOf('masked'),
            a: linkTo(() => actions.select(firstChanged, result, 'page')),
          })}{' '}
      {!isSent && <span className="text-soft max-lg:hidden">{t('copies')}</span>}
      <Announcement sentence={`${title}. ${cache} ${difference}`} />
    </>
  )
}
