import {
  type KeyboardEvent,
  type PointerEvent,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useTranslations } from 'use-intl'
import {
  useDeferredState,
  usePlayground,
  usePlaygroundState,
} from '@/components/playground-context'
import { shownConversationOf, shownDecisionsOf } from '@/lib/state/costs/request-view'
import { markKindsOf, messageTokensOf, resultsByMessage } from '@/lib/state/document/message-facts'
import { conversationOf } from '@/lib/state/document/selectors'
import {
  columnAt,
  layoutTimeline,
  type TimelineColumn,
  type TimelineSize,
} from '@/lib/state/timeline/timeline-layout'
import { type MessageStep, stepMessage } from '@/lib/state/timeline/window-edge'
import { UseArcs } from '../uses/use-arcs'
import {
  drawTimeline,
  HEADROOM,
  readColours,
  type TimelineColours,
  useDeviceSize,
  useThemeClass,
} from './draw-timeline'
import { LoopMarks } from './loop-marks'
import { RequestHandle, RequestLine } from './request-handle'
import { TimelineLegend } from './timeline-legend'
import { type MessageDescription, useMessageDescription } from './use-message-description'
import { WindowHandle } from './window-handle'

/** The conversation as a strip: a mark for each message, the edge of the window, and a legend. */
export function Timeline() {
  const t = useTranslations('timeline')
  const messages = usePlaygroundState(conversationOf)?.messages.length ?? 0
  return (
    <section aria-label={t('label')} className="border-y px-6 pt-1 pb-1 max-sm:px-4">
      <UseArcs />
      <Strip />
      <LoopMarks messages={messages} />
      <TimelineLegend />
      <RequestLine />
    </section>
  )
}

function Strip() {
  const t = useTranslations('timeline')
  const { actions } = usePlayground()
  const strip = useRef<HTMLDivElement>(null)
  const size = useDeviceSize(strip)
  const conversation = usePlaygroundState(conversationOf)
  const shown = usePlaygroundState(shownConversationOf)
  const at = usePlaygroundState((state) => state.conversation)
  const decisions = useDeferredState(shownDecisionsOf)?.[at]
  const tokens = useDeferredState(messageTokensOf)
  const kinds = useDeferredState(markKindsOf)
  const selected = usePlaygroundState((state) => state.selection?.message)
  const descriptionOf = useMessageDescription()
  /** The message under the pointer or reached by keys, which gets a tooltip. */
  const [tipAt, setTipAt] = useState<number>()

  const columns = useMemo(() => {
    if (tokens === undefined || kinds === undefined) return []
    const { width, height, scale } = size
    const room = Math.max(0, height - HEADROOM * scale)
    return layoutTimeline({ ...tokens, kinds }, { width, height: room, scale })
  }, [tokens, kinds, size])

  const box = useRef<DOMRect>(undefined)
  const placeOf = ({ type, buttons, clientX }: PointerEvent) => {
    // Measured once per drag: measuring in each move would force a second layout.
    const isDrag = type === 'pointermove' && buttons !== 0
    if (!isDrag || box.current === undefined) box.current = strip.current?.getBoundingClientRect()
    const { left = 0, width = 1 } = box.current ?? {}
    return Math.min(1, Math.max(0, (clientX - left) / width))
  }
  const choose = (message: number, result: number | undefined) => {
    if (message !== selected) actions.select(message, result, 'timeline')
  }
  const onPointer = (event: PointerEvent<HTMLElement>) => {
    const message = columnAt(columns, placeOf(event))?.message
    if (message === undefined || conversation === undefined) return
    if (event.type === 'pointerdown' && event.button === 0)
      event.currentTarget.setPointerCapture(event.pointerId)
    if (event.buttons === 1) choose(message, resultsByMessage(conversation)[message]?.[0])
    setTipAt(message)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || conversation === undefined) return
    if (event.key === 'Escape') setTipAt(undefined)
    const step = (event.shiftKey ? SHIFTED : STEPS)[event.key]
    if (step === undefined) return
    event.preventDefault()
    const target = stepMessage(conversation, decisions, selected, step)
    if (target === undefined) return
    choose(target.message, target.result)
    setTipAt(target.message)
  }

  const count = conversation?.messages.length ?? 0
  const chosen = selected === undefined ? undefined : descriptionOf(selected)
  const tip = tipAt === undefined ? undefined : descriptionOf(tipAt)
  const valueText =
    selected === undefined || chosen === undefined
      ? t('noneChosen')
      : `${t('position', { message: selected + 1, messages: count })}. ${chosen.title} ${chosen.detail}`

  return (
    <div className="relative h-14">
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
          <SelectionMark place={(selected + 0.5) / count} width={1 / count} />
        )}
        <TimelineCanvas columns={columns} size={size} />
      </div>
      {conversation !== undefined && conversation.turnCount > 0 && (
        <WindowHandle conversation={shown ?? conversation} placeOf={placeOf} />
      )}
      {count > 0 && <RequestHandle messages={count} placeOf={placeOf} />}
      {tip !== undefined && tipAt !== undefined && (
        <TimelineTip description={tip} place={(tipAt + 0.5) / count} />
      )}
    </div>
  )
}

/** A band behind the selected mark, and a wedge below it that is visible even if marks are one pixel wide. */
function SelectionMark({ place, width }: { readonly place: number; readonly width: number }) {
  return (
    <div
      className="-translate-x-1/2 absolute inset-y-0 min-w-[3px] max-w-6 bg-ink/12"
      style={{ left: `${place * 100}%`, width: `${width * 100}%` }}
    >
      <span className="-translate-x-1/2 -bottom-[5px] absolute left-1/2 border-x-4 border-x-transparent border-b-4 border-b-ink" />
    </div>
  )
}

const STEPS: Readonly<Record<string, MessageStep>> = {
  ArrowLeft: 'previous',
  ArrowUp: 'previous',
  ArrowRight: 'next',
  ArrowDown: 'next',
  PageUp: 'previous_turn',
  PageDown: 'next_turn',
  Home: 'first',
  End: 'last',
  n: 'next_masked',
  p: 'previous_masked',
}
const SHIFTED: typeof STEPS = {
  ...STEPS,
  ArrowLeft: 'previous_turn',
  ArrowUp: 'previous_turn',
  ArrowRight: 'next_turn',
  ArrowDown: 'next_turn',
}

/** Draws the marks when they, the size or the theme change. Records the performance measure `timeline`. */
function TimelineCanvas({
  columns,
  size,
}: {
  readonly columns: readonly TimelineColumn[]
  readonly size: TimelineSize
}) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useThemeClass()
  const colours = useRef<{ readonly theme: string; readonly values: TimelineColours }>(undefined)
  useLayoutEffect(() => {
    const { current } = canvas
    const context = current?.getContext('2d')
    if (!current || !context || size.width === 0) return
    const start = performance.now()
    // Setting the size of a canvas reallocates it, even if unchanged.
    if (current.width !== size.width) current.width = size.width
    if (current.height !== size.height) current.height = size.height
    if (colours.current?.theme !== theme) colours.current = { theme, values: readColours(current) }
    drawTimeline(context, columns, size, colours.current.values)
    performance.clearMeasures('timeline')
    performance.measure('timeline', { start })
  }, [columns, size, theme])
  return <canvas ref={canvas} aria-hidden className="absolute inset-0 size-full" />
}

/**
 * Tooltip of the mark under the pointer. Screen readers get the same text as the value of the strip.
 * `place` is from 0 to 1 over the strip; the tooltip stays within it.
 */
function TimelineTip({
  description,
  place,
}: {
  readonly description: MessageDescription
  readonly place: number
}) {
  const percent = `${place * 100}%`
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-full z-30 mt-1.5">
      <div
        className="absolute w-max max-w-[min(22rem,100%)] rounded-lg bg-ink px-3 py-2 text-paper text-sm"
        style={{ left: percent, transform: `translateX(-${percent})` }}
      >
        <p className="font-medium">{description.title}</p>
        <p className="opacity-75">{description.detail}</p>
      </div>
    </div>
  )
}
