'use client'

import { Group, Panel, Separator } from 'react-resizable-panels'
import { useTranslations } from 'use-intl'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { isAwaited, isOutdated } from '@/lib/state/document/selectors'
import { LazyDiffPane } from '../monaco/lazy-panes'
import { usePlaygroundState } from '../playground-context'
import { OutputHeader } from './output-header'
import { OutputPane } from './output-pane'
import { SourcePane } from './source-pane'

/** The two texts side by side. A double click on the separator makes them equally wide. */
export function Panes() {
  const t = useTranslations('panes')
  const isCompared = usePlaygroundState((state) => viewOf(state) === 'diff')
  if (usePlaygroundState(isTooLargeToEdit)) return <OutputPane />
  return (
    <div className="relative size-full min-w-0">
      {/* Stays mounted below the comparison, which uses the same models. */}
      <Group
        id="panes"
        orientation="horizontal"
        className={isCompared ? 'invisible' : ''}
        inert={isCompared}
      >
        <Panel id="source" defaultSize="50%" minSize="20%">
          <SourcePane />
        </Panel>
        <Separator
          aria-label={t('resize')}
          className="w-px bg-line transition-colors hover:bg-accent focus-visible:bg-accent"
        />
        <Panel id="output" defaultSize="50%" minSize="20%">
          <OutputPane />
        </Panel>
      </Group>
      {isCompared && <DiffView />}
    </div>
  )
}

/** Above this size a comparison takes too long. */
const MOST_COMPARED = 12_000_000

/** Compares both texts over the full width, with equal parts folded. */
function DiffView() {
  const t = useTranslations('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  const isDimmed = usePlaygroundState(isOutdated)
  const isBusy = usePlaygroundState(isAwaited)
  return (
    <section
      aria-label={t('difference')}
      className="absolute inset-0 z-10 flex min-w-0 flex-col bg-raised"
    >
      <OutputHeader title={t('difference')} />
      <div
        aria-busy={isBusy}
        className={`min-h-0 flex-1 transition-opacity ${isDimmed ? 'opacity-45' : ''}`}
      >
        {length <= MOST_COMPARED ? (
          <LazyDiffPane />
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
