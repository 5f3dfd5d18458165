import { ChevronDown, ChevronUp } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isWritten } from '@/lib/state/costs/tried-mechanism'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { isAwaited, isOutdated } from '@/lib/state/document/selectors'
import { changeCountOf } from '@/lib/state/document/shown-document'
import type { ShownChange, StepChange } from '../monaco/diff-pane'
import { LazyDiffPane } from '../monaco/lazy-panes'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { IconButton } from '../ui/tooltip'
import { useMaximised } from './maximised'
import { OlderTextNote } from './older-text'
import { OutputHeader } from './output-header'
import { OutputPane, SentNote, SourcePane } from './output-pane'
import { ProblemBar } from './problem-bar'

/** The two texts side by side, or one of them. A double click on the separator makes them equally wide. */
export function Panes() {
  const { t } = useView('panes')
  const container = useRef<HTMLDivElement>(null)
  const maximised = useMaximised(container)
  const isCompared = usePlaygroundState((state) => viewOf(state) === 'diff')
  const isFirst = useRef(true)
  // The other header has the focus of the one that is covered or gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the headers change places
  useEffect(() => {
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    // By then the choice knows its options, and with them the one that arrow keys leave.
    const frame = requestAnimationFrame(() => keepFocus(container.current))
    return () => cancelAnimationFrame(frame)
  }, [isCompared])
  if (useDeferredState(isTooLargeToEdit)) return <OutputPane />
  return (
    <div ref={container} className="relative size-full min-w-0">
      {/* Stays mounted below the comparison, which uses the same models. */}
      <Group
        id="panes"
        orientation="horizontal"
        className={isCompared ? 'invisible' : ''}
        inert={isCompared}
      >
        <Panel id="source" defaultSize="50%" minSize="20%">
          <SourcePane maximised={maximised} />
        </Panel>
        <Separator
          aria-label={t('resize')}
          className={`w-px bg-line transition-colors hover:bg-accent focus-visible:bg-accent ${maximised.pane === undefined ? '' : 'invisible'}`}
        />
        <Panel id="output" defaultSize="50%" minSize="20%">
          <OutputPane maximised={maximised} />
        </Panel>
      </Group>
      {isCompared && <ComparedView />}
    </div>
  )
}

/** Gives a focus that was lost to the choice of the view that is shown. */
function keepFocus(panes: HTMLElement | null): void {
  const focused = document.activeElement
  if (focused !== null && focused !== document.body && focused.closest('[inert]') === null) return
  for (const choice of panes?.querySelectorAll<HTMLElement>(
    'header [role=group] > [aria-pressed=true]',
  ) ?? [])
    if (choice.closest('[inert]') === null) choice.focus()
}

/** Above this size a comparison takes too long. */
const MOST_COMPARED = 12_000_000

/** Compares both texts over the full width, from change to change. */
function ComparedView() {
  const { t } = useView('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  const isDimmed = usePlaygroundState(isOutdated)
  const isBusy = usePlaygroundState(isAwaited)
  const step = useRef<StepChange>(undefined)
  const [place, setPlace] = useState<ShownChange>()
  // Of the text and the decisions that are shown: the editor compares them later.
  const count = useDeferredState(changeCountOf)
  const decisions = useDeferredState(shownDecisionsOf)
  const at = place?.decisions === decisions ? place?.at : undefined
  const [isChangesOnly, setChangesOnly] = useState(true)
  // The editor alone knows the changes of a request that is written anew.
  const isSent = useDeferredState(isWritten)
  const isCompared = length <= MOST_COMPARED
  return (
    <section
      aria-label={t('difference')}
      className="absolute inset-0 z-10 flex min-w-0 flex-col bg-raised"
    >
      <OutputHeader title={t('difference')}>
        {isCompared && (
          <>
            <div className="flex items-center">
              {!isSent && (
                <span role="status" className="mr-1 whitespace-nowrap text-soft tabular-nums">
                  {count === undefined
                    ? t('changes.pending')
                    : at === undefined
                      ? t('changes.count', { count })
                      : t('changes.at', { at: at + 1, count })}
                </span>
              )}
              {(['previous', 'next'] as const).map((to) => (
                <IconButton
                  key={to}
                  label={t(`changes.${to}`)}
                  tooltip={t(`changes.${to}Tip`)}
                  disabled={!isSent && !count}
                  onClick={() => step.current?.(to === 'previous')}
                  icon={to === 'previous' ? ChevronUp : ChevronDown}
                />
              ))}
            </div>
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
      {isSent && <SentNote />}
      <div aria-busy={isBusy} className={`min-h-0 flex-1 ${isDimmed ? 'faded' : ''}`}>
        {isCompared ? (
          <LazyDiffPane isChangesOnly={isChangesOnly} step={step} onPlace={setPlace} />
        ) : (
          <p className="p-4 text-soft">
            {t('tooLargeToCompare', { size: Math.ceil(length / 1e6), limit: MOST_COMPARED / 1e6 })}
          </p>
        )}
      </div>
    </section>
  )
}
