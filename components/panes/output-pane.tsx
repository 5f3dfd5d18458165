'use client'

import { useTranslations } from 'use-intl'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { isAwaited } from '@/lib/state/document/selectors'
import { useDeferredState, usePlaygroundState } from '../playground-context'
import { LargeTextNote } from './large-text-note'
import { attributesOf, type Maximised } from './maximised'
import { DimmedMessages, OlderTextNote, useIsOlder } from './older-text'
import { OutputHeader } from './output-header'
import { PaneBody } from './pane-body'

export interface OutputPaneProps {
  /** Undefined if it is the only pane. */
  readonly maximised?: Maximised
}

/** The masked conversation, read-only. A text too large for the editors is shown as messages only. */
export function OutputPane({ maximised }: OutputPaneProps) {
  const t = useTranslations('panes')
  const isEmpty = usePlaygroundState(({ source, read }) => source.text === '' || read === undefined)
  const isDimmed = useIsOlder()
  const isBusy = usePlaygroundState(isAwaited)
  const view = usePlaygroundState(viewOf)
  const isLarge = useDeferredState(isTooLargeToEdit)
  const areMessagesShown = isLarge || view === 'messages'
  return (
    <section aria-label={t('sent')} {...attributesOf('output', maximised)}>
      <OutputHeader title={t('sent')} maximised={maximised} />
      {isLarge && <LargeTextNote />}
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
