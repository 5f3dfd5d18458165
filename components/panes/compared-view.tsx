'use client'

import { ChevronDown, ChevronUp } from 'lucide-react'
import { useRef, useState } from 'react'
import { useTranslations } from 'use-intl'
import { isAwaited, isOutdated } from '@/lib/state/document/selectors'
import type { ComparedPlace, StepChange } from '../monaco/diff-pane'
import { LazyDiffPane } from '../monaco/lazy-panes'
import { usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/icon-button'
import { OlderTextNote } from './older-text'
import { OutputHeader } from './output-header'
import { ProblemBar } from './problem-bar'

/** Above this size a comparison takes too long. */
const MOST_COMPARED = 12_000_000

/** Compares both texts over the full width, from change to change. */
export function ComparedView() {
  const t = useTranslations('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  const isDimmed = usePlaygroundState(isOutdated)
  const isBusy = usePlaygroundState(isAwaited)
  const step = useRef<StepChange>(undefined)
  const [place, setPlace] = useState<ComparedPlace>()
  const [isChangesOnly, setChangesOnly] = useState(true)
  const isCompared = length <= MOST_COMPARED
  return (
    <section
      aria-label={t('difference')}
      className="absolute inset-0 z-10 flex min-w-0 flex-col bg-raised"
    >
      <OutputHeader title={t('difference')}>
        {isCompared && (
          <>
            <ChangeSteps place={place} onStep={(isBack) => step.current?.(isBack)} />
            <Button
              kind="ghost"
              size="small"
              aria-pressed={isChangesOnly}
              className="aria-pressed:bg-line aria-pressed:text-ink"
              title={t('changes.onlyTip')}
              onClick={() => setChangesOnly(!isChangesOnly)}
            >
              {t('changes.only')}
            </Button>
          </>
        )}
      </OutputHeader>
      <ProblemBar />
      <OlderTextNote />
      <div aria-busy={isBusy} className={`min-h-0 flex-1 ${isDimmed ? 'faded' : ''}`}>
        {isCompared ? (
          <LazyDiffPane isChangesOnly={isChangesOnly} step={step} onPlace={setPlace} />
        ) : (
          <p className="p-4 text-soft">
            {t('tooLargeToCompare', {
              size: Math.ceil(length / 1e6),
              limit: MOST_COMPARED / 1e6,
            })}
          </p>
        )}
      </div>
    </section>
  )
}

/** The change at the cursor, and buttons to the one before and the next. */
function ChangeSteps({
  place,
  onStep,
}: {
  readonly place: ComparedPlace | undefined
  readonly onStep: (isBack: boolean) => void
}) {
  const t = useTranslations('panes.changes')
  const { at, count = 0 } = place ?? {}
  const text = at === undefined ? t('count', { count }) : t('at', { at: at + 1, count })
  return (
    <div className="flex items-center">
      <span role="status" className="mr-1 whitespace-nowrap text-soft tabular-nums">
        {place !== undefined && text}
      </span>
      <IconButton
        label={t('previous')}
        tooltip={t('previousTip')}
        disabled={count === 0}
        onClick={() => onStep(true)}
      >
        <ChevronUp aria-hidden />
      </IconButton>
      <IconButton
        label={t('next')}
        tooltip={t('nextTip')}
        disabled={count === 0}
        onClick={() => onStep(false)}
      >
        <ChevronDown aria-hidden />
      </IconButton>
    </div>
  )
}
