import type { ComponentType } from 'react'
import { loadWithTexts } from '../load-with-texts'

/**
 * The editor's code has three megabytes. It loads after the page, in a browser only, after the words of its own menus: it
 * reads them once, so another language shows them after the page is loaded again.
 */
function lazyPane<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return loadWithTexts(async () => {
    if (document.documentElement.lang === 'fr')
      await import('monaco-editor/nls/lang/fr').catch(() => undefined)
    return load()
  })
}

export const LazyEditorPane = lazyPane(async () => (await import('./editor-pane')).EditorPane)

export const LazyDiffPane = lazyPane(async () => (await import('./diff-pane')).DiffPane)
