'use client'

import { type KeyboardEvent, type PointerEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import { requestNear, sentMessagesOf } from '@/lib/state/costs/request-view'
import { sessionOf } from '@/lib/state/costs/shown-session'

const PAGE_OF_REQUESTS = 10

export interface RequestHandleProps {
  readonly messages: number
  /** Converts a pointer position to a position on the strip, from 0 to 1. */
  readonly placeOf: (event: PointerEvent) => number
}

/** A handle at the end of the next request. Dragged left, it shows an earlier request and fades later messages. */
export function RequestHandle({ messages, placeOf }: RequestHandleProps) {
  const t = useTranslations('cost.request')
  const { actions } = usePlayground()
  const session = usePlaygroundState(sessionOf)
  const chosen = usePlaygroundState((state) => state.request)
  const end = usePlaygroundState(sentMessagesOf)
  const [isDragged, setIsDragged] = useState(false)
  if (session === undefined || session.origin === 'log' || session.requests.length === 0)
    return null
  const { requests } = session
  const count = requests.length
  const percent = `${(end / Math.max(1, messages)) * 100}%`

  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    placeOf(event)
    event.currentTarget.setPointerCapture(event.pointerId)
    setIsDragged(true)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (!isDragged) return
    const next = requestNear(requests, placeOf(event) * messages, messages)
    if (next !== chosen) actions.chooseRequest(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Escape' && chosen !== undefined) {
      event.preventDefault()
      actions.chooseRequest(undefined)
      return
    }
    const next = afterKey(event.key, chosen ?? count, count)
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
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('handle')}
        aria-description={t('handleKeys')}
        aria-valuemin={1}
        aria-valuemax={count + 1}
        aria-valuenow={(chosen ?? count) + 1}
        aria-valuetext={
          chosen === undefined
            ? t('handleNext', { count })
            : t('handleValue', { request: chosen + 1, count })
        }
        className="group/request pointer-events-none absolute inset-y-0 z-10 w-0 touch-none outline-none"
        style={{ left: percent }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerUp={() => setIsDragged(false)}
        onPointerCancel={() => setIsDragged(false)}
        onKeyDown={onKeyDown}
      >
        <span className="-left-1.5 -bottom-4 pointer-events-auto absolute h-8 w-4 cursor-ew-resize pointer-coarse:-left-5 pointer-coarse:h-10 pointer-coarse:w-10" />
        {chosen !== undefined && <span className="-left-px absolute inset-y-0 w-0.5 bg-accent" />}
        <span className="-bottom-2 -left-[5px] absolute size-[10px] rotate-45 rounded-xs border border-paper bg-accent transition-transform group-hover/request:scale-125 group-focus-visible/request:scale-125 group-focus-visible/request:ring-2 group-focus-visible/request:ring-accent group-focus-visible/request:ring-offset-1" />
      </div>
    </>
  )
}

/** Handles slider keys. After the last recorded request comes the next request. */
function afterKey(key: string, at: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return at - 1
    case 'ArrowRight':
    case 'ArrowUp':
      return at + 1
    case 'PageDown':
      return at - PAGE_OF_REQUESTS
    case 'PageUp':
      return at + PAGE_OF_REQUESTS
    case 'Home':
      return 0
    case 'End':
      return count
    default:
      return undefined
  }
}
