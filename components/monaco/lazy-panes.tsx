'use client'

import dynamic from 'next/dynamic'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { Button } from '../ui/button'
import type { DiffPaneProps } from './diff-pane'
import type { EditorPaneProps } from './editor-pane'

/** The editor's code has three megabytes. It loads after the page, in a browser only. */
export const LazyEditorPane = dynamic<EditorPaneProps>(
  async () => {
    await loadEditorTexts()
    return import('./editor-pane').then(({ EditorPane }) => EditorPane, codeMissing)
  },
  { ssr: false },
)

export const LazyDiffPane = dynamic<DiffPaneProps>(
  async () => {
    await loadEditorTexts()
    return import('./diff-pane').then(({ DiffPane }) => DiffPane, codeMissing)
  },
  { ssr: false },
)

/** The words of the editor's own menus. It reads them once, so another language shows them after the page is loaded again. */
async function loadEditorTexts(): Promise<void> {
  if (document.documentElement.lang !== 'fr') return
  await import('monaco-editor/nls/lang/fr').catch(() => undefined)
}

/** A failed download removes a part of the page, not the page. */
export function codeMissing(error: unknown) {
  console.warn('A part of the page could not be loaded.', error)
  return EditorMissing
}

function EditorMissing({ onReady }: Partial<EditorPaneProps & DiffPaneProps>) {
  const t = useTranslations('panes')
  useEffect(() => onReady?.(), [onReady])
  return (
    <p className="p-4 text-soft">
      {t('missing')}{' '}
      <Button kind="link" onClick={() => location.reload()}>
        {t('reload')}
      </Button>
    </p>
  )
}
