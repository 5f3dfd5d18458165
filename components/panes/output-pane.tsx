'use client'

import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { usePlaygroundState } from '../playground-context'
import { OutputHeader } from './output-header'
import { PaneBody } from './pane-body'

export interface OutputPaneProps {
  /** Shown for the view `messages`; without it that view is not offered. */
  readonly messages?: ReactNode
}

/** What is sent in the conversation's place; read only. */
export function OutputPane({ messages }: OutputPaneProps) {
  const t = useTranslations('panes')
  const isEmpty = usePlaygroundState(({ source, read }) => source.text === '' || read === undefined)
  const isStale = usePlaygroundState(
    ({ source, reading, read }) =>
      source.text !== '' && read !== undefined && reading.state === 'failed',
  )
  const view = usePlaygroundState((state) => state.view)
  const hasMessages = messages !== undefined
  const areMessagesShown = hasMessages && view === 'messages'
  return (
    <section aria-label={t('sent')} className="flex size-full min-w-0 flex-col">
      <OutputHeader title={t('sent')} hasMessages={hasMessages} />
      {isStale && (
        <p role="status" className="shrink-0 border-b bg-paper px-4 py-2 text-soft text-sm">
          {t('stale')}
        </p>
      )}
      {areMessagesShown && <div className="min-h-0 flex-1 overflow-hidden">{messages}</div>}
      {/* Kept while the messages are shown, so that nothing is set up again. */}
      <div className={areMessagesShown ? 'hidden' : 'flex min-h-0 flex-1 flex-col'}>
        <PaneBody pane="output" isDimmed={isStale} empty={isEmpty ? t('emptyOutput') : undefined} />
      </div>
    </section>
  )
}
