'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import { currentReadOf } from '@/lib/state/document/selectors'
import type { PlaygroundState } from '@/lib/state/store'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { PaneBody } from './pane-body'
import { PaneHeader } from './pane-header'
import { ProblemBar } from './problem-bar'

/** The conversation as opened, editable. */
export function SourcePane() {
  const t = useTranslations('panes')
  const { actions } = usePlayground()
  const isEmpty = usePlaygroundState((state) => state.source.text === '')
  const recognised = usePlaygroundState((state) => currentReadOf(state)?.model.formatLabel)
  const isMinified = usePlaygroundState(isOnFewLines)
  const [line, setLine] = useState(1)
  return (
    <section aria-label={t('conversation')} className="flex size-full min-w-0 flex-col">
      <PaneHeader title={t('conversation')} note={recognised}>
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

/** True for a JSON document with fewer lines than messages, which is worth formatting. */
function isOnFewLines(state: PlaygroundState): boolean {
  const read = currentReadOf(state)
  if (read === undefined || read.model.layout !== 'json') return false
  const messages = read.model.conversations.reduce((sum, { messages }) => sum + messages.length, 0)
  return lineIndexOf(read.source.text).starts.length <= messages
}
