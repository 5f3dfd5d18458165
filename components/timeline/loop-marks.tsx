'use client'

import type { MouseEvent } from 'react'
import { useTranslations } from 'use-intl'
import { useOpenDrawer } from '@/components/drawer/use-open-drawer'
import { usePlayground, usePlaygroundState } from '@/components/playground-context'
import { loopMarksOf } from '@/lib/state/loop-findings'
import { stepResult } from '@/lib/state/step-message'

const HEIGHT = 8
const LOW = 4

/** Under the strip, while the Loop drawer is open: what repeats, and higher what a guard would have stopped. */
export function LoopMarks({ messages }: { readonly messages: number }) {
  const [drawer] = useOpenDrawer()
  const marks = usePlaygroundState(loopMarksOf)
  if (drawer !== 'loop' || marks === undefined || marks.size === 0) return null
  const paths = { found: '', stopped: '' }
  for (const [message, isStopped] of marks) {
    const height = isStopped ? HEIGHT : LOW
    paths[isStopped ? 'stopped' : 'found'] += `M${message + 0.5} 0v${height}`
  }
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${messages} ${HEIGHT}`}
      preserveAspectRatio="none"
      className="mt-2.5 h-2 w-full fill-none stroke-2"
    >
      <path d={paths.found} vectorEffect="non-scaling-stroke" className="stroke-ghost" />
      <path d={paths.stopped} vectorEffect="non-scaling-stroke" className="stroke-accent" />
    </svg>
  )
}

/** What the marks mean, with counts; an entry leads to the next of its kind, with Shift to the one before. */
export function LoopLegend() {
  const t = useTranslations('loop.circles.marks')
  const { actions, store } = usePlayground()
  const [drawer] = useOpenDrawer()
  const marks = usePlaygroundState(loopMarksOf)
  if (drawer !== 'loop' || marks === undefined) return null
  const messagesOf = (isStopped: boolean) =>
    [...marks].flatMap(([message, own]) => (own === isStopped ? [message] : [])).sort(ascending)
  const stepTo = (messages: readonly number[], isBack: boolean) => {
    const next = stepResult(messages, store.getState().selection?.message, isBack)
    if (next !== undefined) actions.select(next, undefined, 'timeline')
  }
  return [false, true].map((isStopped) => {
    const messages = messagesOf(isStopped)
    if (messages.length === 0) return null
    return (
      <li key={String(isStopped)}>
        <button
          type="button"
          title={t('step')}
          className="-mx-1 flex cursor-pointer items-center gap-1.5 rounded-sm px-1 py-px hover:bg-line/60 hover:text-ink"
          onClick={(event: MouseEvent) => stepTo(messages, event.shiftKey)}
        >
          <svg
            aria-hidden="true"
            viewBox="0 0 4 12"
            className="h-3 w-1 shrink-0 fill-none stroke-2"
          >
            <path
              d={isStopped ? 'M2 6v6' : 'M2 9v3'}
              className={isStopped ? 'stroke-accent' : 'stroke-ghost'}
            />
          </svg>
          {t(isStopped ? 'stopped' : 'found', { count: messages.length })}
        </button>
      </li>
    )
  })
}

const ascending = (first: number, second: number) => first - second
