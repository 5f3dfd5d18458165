import { useCallback, useState } from 'react'
import { isWritten, triedLabelOf } from '@/lib/state/costs/tried-mechanism'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { isText } from '@/lib/state/document/output-view'
import { currentReadOf, isAwaited, isBlank, isUnreadable } from '@/lib/state/document/selectors'
import { SessionCost } from '../cost/session-cost'
import { useWords } from '../language-provider'
import { loadWithTexts } from '../load-with-texts'
import type { EditorPaneProps } from '../monaco/editor-pane'
import { LazyEditorPane } from '../monaco/lazy-panes'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { SessionResults, useResultsChoice } from '../results/results'
import { EmptyZone } from '../shell/open-dialog'
import { Button } from '../ui/button'
import { SegmentedControl } from '../ui/segmented-control'
import { cameByTab, useIsUsed, useWindowEvents } from '../use-events'
import { attributesOf, MaximiseButton, type Maximised } from './maximised'
import { DimmedMessages, OlderTextNote, useIsOlder } from './older-text'
import { OutputHeader, PANE_HEADER, useShownView } from './output-header'
import { ProblemBar } from './problem-bar'
import { TextPreview } from './text-preview'

export const SentNote = loadWithTexts(
  async () => (await import('../mechanisms/mechanism-panel')).SentNote,
)
const LazyMechanisms = loadWithTexts(
  async () => (await import('../mechanisms/mechanism-view')).MechanismView,
)

/** What is sent, read-only: as text, as messages, its cost or its results. Without editors, as messages. */
export function OutputPane(props: {
  /** Undefined if it is the only pane. */
  readonly maximised?: Maximised
}) {
  const { maximised } = props
  const { t, actions } = useView('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  const isSent = useDeferredState(isWritten)
  const label = useDeferredState(triedLabelOf)
  const words = useWords()
  const isEmpty = usePlaygroundState(isBlank)
  const isNeverRead = usePlaygroundState(isUnreadable)
  const isDimmed = useIsOlder()
  const isBusy = usePlaygroundState(isAwaited)
  const { hasEditors, view } = useShownView()
  const results = useResultsChoice()
  const isLarge = useDeferredState(isTooLargeToEdit)
  const isEditorShown = !isEmpty && (view === 'masked' || view === 'diff')
  return (
    <section aria-label={t('sent')} {...attributesOf('output', maximised)}>
      <OutputHeader title={t('sent')} maximised={maximised} />
      {/* Why a text is shown as messages only, and a way to its JSON. */}
      {isLarge && view === 'messages' && (
        <div className="flex shrink-0 flex-wrap items-baseline gap-x-3 border-b bg-paper px-4 py-2 text-sm">
          <p className="min-w-0 flex-1 basis-80 text-soft">
            {t('largeText', { size: Math.round(length / 1e6) })}
          </p>
          <Button kind="link" className="whitespace-nowrap" onClick={actions.showJson}>
            {t('showJson')}
          </Button>
        </div>
      )}
      {!hasEditors && <ProblemBar />}
      <OlderTextNote />
      {isSent && view !== 'messages' && isText(view) && <SentNote />}
      {isEmpty && isText(view) && <EmptyZone />}
      {isNeverRead && isEditorShown && <p className="p-4 text-faint">{t('unreadable')}</p>}
      {!isEmpty && view === 'messages' && <DimmedMessages />}
      {!isText(view) && (
        <section
          aria-label={t(view)}
          className={`@container flex min-h-0 flex-1 flex-col ${isDimmed ? 'faded' : ''}`}
        >
          {(view === 'cost' || view === 'mechanisms') && (
            <div className="px-4 pt-3 pb-1">
              <SegmentedControl
                kind="quiet"
                label={t('costs')}
                value={view}
                options={[
                  { value: 'cost', label: label ? words({ name: label }) : t('policyCost') },
                  { value: 'mechanisms', label: t('mechanisms') },
                ]}
                onValueChange={actions.setView}
              />
            </div>
          )}
          {view === 'cost' && <SessionCost />}
          {view === 'mechanisms' && <LazyMechanisms />}
          {view === 'results' && <SessionResults {...results} />}
        </section>
      )}
      {/* Stays mounted behind the other views, so that the editor is not created again. */}
      {hasEditors && (
        <div
          aria-busy={isBusy}
          className={isEditorShown ? 'flex min-h-0 flex-1 flex-col' : 'hidden'}
        >
          <PaneBody pane="output" isDimmed={isDimmed} empty={undefined} />
        </div>
      )}
    </section>
  )
}

/** The conversation as opened, editable. */
export function SourcePane({ maximised }: { maximised: Maximised }) {
  const { t, actions } = useView('panes')
  const words = useWords()
  const isEmpty = usePlaygroundState((state) => state.source.text === '')
  const recognised = usePlaygroundState((state) => currentReadOf(state)?.model.formatLabel)
  const isMinified = usePlaygroundState((state) => currentReadOf(state)?.model.isOnFewLines)
  const isSample = usePlaygroundState(({ source }) => source.origin.kind === 'sample')
  const [line, setLine] = useState(1)
  return (
    <section aria-label={t('conversation')} {...attributesOf('source', maximised)}>
      <header className={PANE_HEADER}>
        {/* Hidden rather than squeezed to a single letter. */}
        <h2 className="@max-sm:sr-only truncate whitespace-nowrap font-semibold text-ink">
          {t('conversation')}
        </h2>
        <span className="min-w-0 truncate text-soft">
          {isSample ? t('sample') : recognised && words({ name: recognised })}
        </span>
        <div className="ml-auto flex shrink-0 items-center gap-1.5">
          {isMinified && (
            <Button
              kind="ghost"
              size="small"
              title={t('formatHint')}
              onClick={() => {
                actions.formatSource()
                actions.notify('formatted')
              }}
            >
              {t('format')}
            </Button>
          )}
          {/* That of the cursor, which there is while the editor has the focus. */}
          <span className="hidden whitespace-nowrap pr-1 text-soft group-has-[.monaco-editor.focused]/pane:inline">
            {t('line', { line })}
          </span>
          <MaximiseButton pane="source" maximised={maximised} />
        </div>
      </header>
      <ProblemBar />
      <PaneBody
        pane="source"
        onLineChange={setLine}
        empty={isEmpty ? t('emptySource') : undefined}
      />
    </section>
  )
}

interface PaneBodyProps extends Omit<EditorPaneProps, 'onReady'> {
  /** Shown over the editor; undefined if there is a text. */
  readonly empty: string | undefined
  readonly isDimmed?: boolean
}

/** An editor. It loads once the user does something, since it costs more than the rest of the page; until then its first lines are shown. */
export function PaneBody({ empty, isDimmed = false, ...editor }: PaneBodyProps) {
  const { t } = useView('panes')
  // How Tab leaves the editor, after the user entered it with Tab. The editor's label says the same.
  const [isHinting, setHinting] = useState(false)
  useWindowEvents({ pointerdown: () => setHinting(false) }, { isCapture: true })
  const hinting = {
    onFocus: () => setHinting((isStill) => isStill || cameByTab()),
    onBlur: () => setHinting(false),
  }
  const isUsed = useIsUsed()
  const [isReady, setReady] = useState(false)
  // Shown once its first text is laid out and scrolled to the selection.
  const onReady = useCallback(() => {
    requestAnimationFrame(() => requestAnimationFrame(() => setReady(true)))
  }, [])
  return (
    <div className="relative min-h-0 flex-1 bg-raised" {...hinting}>
      <div className={`absolute inset-0 ${isDimmed ? 'faded' : ''} ${isReady ? '' : 'invisible'}`}>
        {isUsed && <LazyEditorPane {...editor} onReady={onReady} />}
      </div>
      {!isReady && <TextPreview pane={editor.pane} />}
      {isReady && empty !== undefined && (
        <p className="pointer-events-none absolute top-2 right-6 left-17 text-base text-faint leading-5">
          {empty}
        </p>
      )}
      {editor.pane === 'source' && (
        <p
          className={`pointer-events-none absolute right-4 bottom-3 rounded-md bg-ink px-2.5 py-1.5 text-paper text-sm ${isHinting ? '' : 'invisible'}`}
        >
          {t('leaveHint')}
        </p>
      )}
    </div>
  )
}
