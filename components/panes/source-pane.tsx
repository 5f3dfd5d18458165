'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { currentReadOf } from '@/lib/state/document/selectors'
import { useWords } from '../language-provider'
import { usePlayground, usePlaygroundState } from '../playground-context'
import { Button } from '../ui/button'
import { attributesOf, MaximiseButton, type Maximised } from './maximised'
import { PaneBody } from './pane-body'
import { PaneHeader } from './pane-header'
import { ProblemBar } from './problem-bar'

/** The conversation as opened, editable. */
export function SourcePane({ maximised }: { readonly maximised: Maximised }) {
  const t = useTranslations('panes')
  const words = useWords()
  const { actions } = usePlayground()
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
