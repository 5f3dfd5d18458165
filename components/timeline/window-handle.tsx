import { type ComponentProps, type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import { stepOfKey } from '@/components/ui/step-of-key'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { windowEdge, windowTurnsAt } from '@/lib/state/timeline/window-edge'

export interface StripHandleProps extends Omit<ComponentProps<'div'>, 'onDrag'> {
  /** Converts a pointer position to a position on the strip, from 0 to 1. */
  readonly placeOf: (event: PointerEvent) => number
  readonly onDrag: (place: number) => void
  readonly onDragEnd?: () => void
}

/** A thumb on the strip. While it is dragged, it has the attribute `data-dragged`. */
export function StripHandle(props: StripHandleProps) {
  const { placeOf, onDrag, onDragEnd, className, 'aria-valuenow': value, ...rest } = props
  const [isDragged, setIsDragged] = useState(false)
  const end = () => {
    setIsDragged(false)
    onDragEnd?.()
  }
  return (
    <div
      role="slider"
      tabIndex={0}
      aria-valuenow={value}
      data-dragged={isDragged || undefined}
      className={`pointer-events-none absolute inset-y-0 z-10 w-0 touch-none outline-none ${className}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        placeOf(event)
        event.currentTarget.setPointerCapture(event.pointerId)
        setIsDragged(true)
      }}
      onPointerMove={(event) => isDragged && onDrag(placeOf(event))}
      onPointerUp={end}
      onPointerCancel={end}
      {...rest}
    />
  )
}

interface WindowHandleProps extends Pick<StripHandleProps, 'placeOf'> {
  readonly conversation: Conversation
}

/**
 * The edge of the window: a line at the start of the window, with a handle that moves it.
 * If the window advances in steps, a second, dashed line shows where it really starts.
 */
export function WindowHandle({ conversation, placeOf }: WindowHandleProps) {
  const t = useTranslations('timeline')
  const { actions } = usePlayground()
  const policy = usePlaygroundState((state) => state.policy)
  const { turnCount, messages } = conversation
  const edge = windowEdge(conversation, policy)
  const percentOf = (message: number) => `${(message / messages.length) * 100}%`
  const window = Math.max(0, Math.min(policy.windowTurns, turnCount))
  const kept = turnCount - edge.keptTurn
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
      ? t('windowStep', { ...values, batch: policy.batchTurns, kept: edge.keptTurn + 1 })
      : t('windowValue', values)
  const isNearEnd = edge.setMessage > messages.length * 0.8

  return (
    <>
      {isStepped && (
        <div
          className="pointer-events-none absolute top-1.5 bottom-0 border-ink border-l border-dashed bg-good/8"
          style={{
            left: percentOf(edge.keptMessage),
            right: `calc(100% - ${percentOf(edge.setMessage)})`,
          }}
        />
      )}
      <StripHandle
        placeOf={placeOf}
        onDrag={(place) => setWindow(windowTurnsAt(conversation, place * messages.length))}
        onDragEnd={actions.endGesture}
        aria-label={t('window')}
        aria-valuemin={1}
        aria-valuemax={turnCount}
        aria-valuenow={values.turn}
        aria-valuetext={valueText}
        className={`group/edge ${edge.isOn ? '' : 'opacity-40'}`}
        style={{ left: percentOf(edge.setMessage) }}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1 pointer-events-auto absolute inset-y-0 w-2 cursor-ew-resize" />
        <span className="-left-3 -top-2.5 pointer-coarse:-left-5 pointer-events-auto absolute size-6 cursor-ew-resize pointer-coarse:size-10" />
        <span className="-left-px absolute inset-y-0 w-px bg-ink" />
        <span className="-left-[5px] -top-1 absolute size-[9px] rounded-full bg-ink ring-paper transition-transform group-hover/edge:scale-125 group-focus-visible/edge:scale-125 group-focus-visible/edge:ring-2 group-focus-visible/edge:ring-accent" />
        <span
          aria-hidden
          className={`-top-2 absolute whitespace-nowrap rounded-sm bg-paper px-1 text-ink text-xs opacity-0 group-hover/edge:opacity-100 group-focus-visible/edge:opacity-100 group-data-dragged/edge:opacity-100 ${isNearEnd ? 'right-2.5' : 'left-2.5'}`}
        >
          {isStepped
            ? t('windowTipStep', { window, kept, batch: policy.batchTurns })
            : t('windowTip', { window })}
        </span>
      </StripHandle>
    </>
  )
}
