'use client'

import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import type { Problem } from '@/lib/core/problem'
import { lineColumnAt } from '@/lib/core/text/lines'
import type { Offset } from '@/lib/core/text/span'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { type LineExcerpt, lineExcerpt } from '@/lib/state/document/message-content'
import { viewOf } from '@/lib/state/document/output-view'
import { lineIndexOf } from '@/lib/state/document/selectors'
import { goTo } from '../monaco/editor-session'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { useIsNarrow } from '../shell/use-is-narrow'
import { Button } from '../ui/button'
import { useProblemSentence } from '../use-figure-format'
import { RepairOffer } from './repair-offer'

/** Reason why the text cannot be read, with a link to the position. */
export function ProblemBar() {
  const t = useTranslations('panes')
  const sentence = useProblemSentence()
  const playground = usePlayground()
  const problem = useProblem()
  const text = usePlaygroundState((state) => state.source.text)
  const isLarge = usePlaygroundState(isTooLargeToEdit)
  const isNarrow = useIsNarrow()
  const isChosen = usePlaygroundState((state) => state.source.readAs !== undefined)
  if (problem === undefined) return null
  const { offset } = problem
  const showPlace = (at: Offset) => {
    // The comparison covers the text, and cannot be edited.
    const { store, actions } = playground
    if (viewOf(store.getState()) === 'diff') actions.setView('masked')
    requestAnimationFrame(() => goTo(playground, at))
  }
  return (
    <div
      role="alert"
      className="flex shrink-0 flex-wrap items-baseline gap-x-3 gap-y-1 border-b border-l-3 border-l-bad bg-paper py-2 pr-3 pl-3.25 text-sm"
    >
      <div className="min-w-0 flex-1 text-ink">
        <p>{sentence(problem)}</p>
        {offset !== undefined && offset > 0 && (isLarge || isNarrow) && (
          <Excerpt {...lineExcerpt(text, offset)} />
        )}
      </div>
      {isChosen && (
        <Button
          kind="link"
          className="whitespace-nowrap"
          onClick={() => void playground.actions.readAs(undefined)}
        >
          {t('readAsRecognised')}
        </Button>
      )}
      {offset !== undefined && offset > 0 && !isLarge && isNarrow === false && (
        <Button kind="link" className="whitespace-nowrap" onClick={() => showPlace(offset)}>
          {t('goToLine', { line: lineColumnAt(lineIndexOf(text), offset).line })}
        </Button>
      )}
      <RepairOffer />
    </div>
  )
}

/** The place of the problem, where no editor shows it. */
function Excerpt({ before, found, after }: LineExcerpt) {
  return (
    <p className="overflow-hidden whitespace-pre font-mono text-soft text-xs leading-5">
      {before}
      <mark className="rounded-xs bg-accent-tint text-bad">{found === '' ? ' ' : found}</mark>
      {after}
    </p>
  )
}

/** The problem of the current text. While a change is read, the last problem stays, so that the layout does not jump. */
function useProblem(): Problem | undefined {
  const last = useRef<Problem>(undefined)
  const problem = usePlaygroundState((state) => {
    if (state.source.text === '') return undefined
    if (state.reading.state === 'failed') return state.reading.problem
    const isReread = state.reading.state === 'reading' && state.source.origin.kind === 'typed'
    return isReread ? last.current : undefined
  })
  last.current = problem
  return problem
}
