import dynamic from 'next/dynamic'
import { codeMissing } from '../load-with-texts'
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
