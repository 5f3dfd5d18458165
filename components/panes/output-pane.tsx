import { useState } from 'react'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { currentReadOf, isAwaited } from '@/lib/state/document/selectors'
import { useWords } from '../language-provider'
import { useDeferredState, usePlaygroundState, useView } from '../playground-context'
import { Button } from '../ui/button'
import { attributesOf, MaximiseButton, type Maximised } from './maximised'
import { DimmedMessages, OlderTextNote, useIsOlder } from './older-text'
import { OutputHeader, PaneHeader } from './output-header'
import { PaneBody } from './pane-body'
import { ProblemBar } from './problem-bar'

/** The masked conversation, read-only. A text too large for the editors is shown as messages only. */
export function OutputPane(props: {
  /** Undefined if it is the only pane. */
  readonly maximised?: Maximised
}) {
  const { maximised } = props
  const { t, actions } = useView('panes')
  const length = usePlaygroundState((state) => state.source.text.length)
  const isEmpty = usePlaygroundState(({ source, read }) => source.text === '' || read === undefined)
  const isDimmed = useIsOlder()
  const isBusy = usePlaygroundState(isAwaited)
  const view = usePlaygroundState(viewOf)
  const isLarge = useDeferredState(isTooLargeToEdit)
  const areMessagesShown = isLarge || view === 'messages'
  return (
    <section aria-label={t('sent')} {...attributesOf('output', maximised)}>
      <OutputHeader title={t('sent')} maximised={maximised} />
      {/* Why a text is shown as messages only, and a way to its JSON. */}
      {isLarge && (
        <>
          <div className="flex shrink-0 flex-wrap items-baseline gap-x-3 border-b bg-paper px-4 py-2 text-sm">
            <p className="min-w-0 flex-1 basis-80 text-soft">
              {t('largeText', { size: Math.round(length / 1e6) })}
            </p>
            <Button kind="link" className="whitespace-nowrap" onClick={actions.showJson}>
              {t('showJson')}
            </Button>
          </div>
          <ProblemBar />
        </>
      )}
      <OlderTextNote />
      {areMessagesShown && <DimmedMessages />}
      {/* Stays mounted behind the messages, so that the editor is not created again. */}
      {!isLarge && (
        <div
          aria-busy={isBusy}
          className={areMessagesShown ? 'hidden' : 'flex min-h-0 flex-1 flex-col'}
        >
          <PaneBody
            pane="output"
            isDimmed={isDimmed}
            empty={isEmpty ? t('emptyOutput') : undefined}
          />
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
  const [line, setLine] = useState(1)
  return (
    <section aria-label={t('conversation')} {...attributesOf('source', maximised)}>
      <PaneHeader title={t('conversation')} note={recognised && words({ name: recognised })}>
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
        <span className="whitespace-nowrap pr-1 text-soft">{t('line', { line })}</span>
        <MaximiseButton pane="source" maximised={maximised} />
      </PaneHeader>
      <ProblemBar />
      <PaneBody
        pane="source"
        onLineChange={setLine}
        empty={isEmpty ? t('emptySource') : undefined}
      />
    </section>
  )
}
