'use client'

import { type ReactNode, useEffect, useState } from 'react'
import { useTranslations } from 'use-intl'
import { afterFrame } from '@/lib/state/after-frame'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { viewOf } from '@/lib/state/document/output-view'
import { isAwaited, isOutdated } from '@/lib/state/document/selectors'
import { MessageList } from '../messages-view/message-list'
import { useLateState, usePlaygroundState } from '../playground-context'
import { LargeTextNote } from './large-text-note'
import { attributesOf, type Maximised } from './maximised'
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
  const isDimmed = usePlaygroundState(isOutdated) && !isEmpty
  const isBusy = usePlaygroundState(isAwaited)
  const name = usePlaygroundState(({ source }) => source.name)
  const view = usePlaygroundState(viewOf)
  const isLarge = useLateState(isTooLargeToEdit)
  const areMessagesShown = isLarge || view === 'messages'
  return (
    <section aria-label={t('sent')} {...attributesOf('output', maximised)}>
      <OutputHeader title={t('sent')} maximised={maximised} />
      {isLarge && <LargeTextNote />}
      {isDimmed && (
        <p role="status" className="shrink-0 border-b bg-paper px-4 py-2 text-soft text-sm">
          {isBusy ? t(isLarge ? 'awaitedMessages' : 'awaited', { name }) : t('stale')}
        </p>
      )}
      {areMessagesShown && (
        <div
          aria-busy={isBusy}
          className={`min-h-0 flex-1 overflow-hidden ${isDimmed ? 'opacity-45' : ''}`}
        >
          {isLarge ? <LargeMessageList /> : <MessageList />}
        </div>
      )}
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

/** The messages of a large text, once it is read; drawn in a task of their own. */
function LargeMessageList() {
  const isBusy = useLateState(isAwaited)
  return isBusy ? null : (
    <AfterFrame>
      <MessageList />
    </AfterFrame>
  )
}

function AfterFrame({ children }: { readonly children: ReactNode }) {
  const [isDrawn, setDrawn] = useState(false)
  useEffect(() => afterFrame(() => setDrawn(true)), [])
  return isDrawn && children
}
