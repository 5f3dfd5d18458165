import type { ComponentType } from 'react'
import { afterFrame } from '@/lib/state/deferred-state'
import { loadWithTexts } from '../load-with-texts'

/**
 * The editor's code has three megabytes. It loads after the page, in a browser only, after the words of its own menus: it
 * reads them once, so another language shows them after the page is loaded again. By `typeof window`, the build sees that
 * the pages can be written without it.
 */
function lazyPane<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  return loadWithTexts(async () => {
    if (typeof window !== 'undefined' && document.documentElement.lang === 'fr')
      await import('monaco-editor/nls/lang/fr').catch(() => undefined)
    for (const loadPart of PARTS) {
      await loadPart().catch(() => undefined)
      await new Promise<void>((resolve) => afterFrame(resolve))
    }
    return load()
  })
}

/** Parts of the editor, each with those before it. All at once would take a task of 0.3 s. */
const PARTS: readonly (() => Promise<unknown>)[] =
  typeof window === 'undefined'
    ? []
    : [
        () => import('monaco-editor/editor/common/model/textModel'),
        () => import('monaco-editor/editor/browser/widget/codeEditor/codeEditorWidget'),
        () => import('monaco-editor/editor/standalone/browser/standaloneServices'),
        () => import('monaco-editor/editor/browser/widget/diffEditor/diffEditorWidget'),
        () => import('monaco-editor/editor'),
      ]

export const LazyEditorPane = lazyPane(async () =>
  typeof window === 'undefined' ? () => null : (await import('./editor-pane')).EditorPane,
)

export const LazyDiffPane = lazyPane(async () =>
  typeof window === 'undefined' ? () => null : (await import('./diff-pane')).DiffPane,
)
