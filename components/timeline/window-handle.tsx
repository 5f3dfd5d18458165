'use client'

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import type { Conversation } from '@/lib/core/conversation/conversation'
import { windowEdge, windowTurnsAt } from '@/lib/state/timeline/window-edge'

const GESTURE = 'windowTurns'
const PAGE_OF_TURNS = 10

/**
 * The edge of the window: a line at the start of the window, with a handle that moves it.
 * If the window advances in steps, a second, dashed line shows where it really starts.
 */
export function WindowHandle({
  conversation,
  placeOf,
}: {
  readonly conversation: Conversation
  /** Converts a pointer position to a position on the strip, from 0 to 1. */
  readonly placeOf: (event: PointerEvent) => number
}) {
  const t = useTranslations('timeline')
  const { actions } = usePlayground()
  const policy = usePlaygroundState((state) => state.policy)
  const [isDragged, setIsDragged] = useState(false)
  const { turnCount, messages } = conversation
  const edge = windowEdge(conversation, policy)
  const percentOf = (message: number) => `${(message / messages.length) * 100}%`
  const window = Math.max(0, Math.min(policy.windowTurns, turnCount))
  const kept = turnCount - edge.keptTurn
  const isStepped = edge.keptTurn < edge.setTurn

  const setWindow = (turns: number) =>
    actions.changePolicy({ windowTurns: Math.max(1, Math.min(turnCount, turns)) }, GESTURE)

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    placeOf(event)
    setIsDragged(true)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (isDragged) setWindow(windowTurnsAt(conversation, placeOf(event) * messages.length))
  }
  const onPointerEnd = () => {
    setIsDragged(false)
    actions.endGesture()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const turns = turnsAfterKey(event.key, window, turnCount)
    if (turns === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    setWindow(turns)
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
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('window')}
        aria-valuemin={1}
        aria-valuemax={turnCount}
        aria-valuenow={values.turn}
        aria-valuetext={valueText}
        className={`group/edge pointer-events-none absolute inset-y-0 z-10 w-0 touch-none outline-none ${edge.isOn ? '' : 'opacity-40'}`}
        style={{ left: percentOf(edge.setMessage) }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={onPointerEnd}
        onPointerCancel={onPointerEnd}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1 pointer-events-auto absolute inset-y-0 w-2 cursor-ew-resize" />
        <span className="-left-3 -top-2.5 pointer-coarse:-left-5 pointer-events-auto absolute size-6 cursor-ew-resize pointer-coarse:size-10" />
        <span className="-left-px absolute inset-y-0 w-px bg-ink" />
        <span className="-left-[5px] -top-1 absolute size-[9px] rounded-full bg-ink ring-paper transition-transform group-hover/edge:scale-125 group-focus-visible/edge:scale-125 group-focus-visible/edge:ring-2 group-focus-visible/edge:ring-accent" />
        <span
          aria-hidden
          className={`-top-2 absolute whitespace-nowrap rounded-sm bg-paper px-1 text-ink text-xs opacity-0 group-focus-visible/edge:opacity-100 ${isNearEnd ? 'right-2.5' : 'left-2.5'} ${isDragged ? 'opacity-100' : 'group-hover/edge:opacity-100'}`}
        >
          {isStepped
            ? t('windowTipStep', { window, kept, batch: policy.batchTurns })
            : t('windowTip', { window })}
        </span>
      </div>
    </>
  )
}

/** Handles slider keys: right is later, so the window gets smaller. */
function turnsAfterKey(key: string, window: number, turnCount: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
    case 'ArrowUp':
      return window - 1
    case 'ArrowLeft':
    case 'ArrowDown':
      return window + 1
    case 'PageUp':
      return window - PAGE_OF_TURNS
    case 'PageDown':
      return window + PAGE_OF_TURNS
    case 'Home':
      return turnCount
    case 'End':
      return 1
    default:
      return undefined
  }
}
