'use client'

import type { editor } from 'monaco-editor/editor'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { lineColumnAt } from '@/lib/core/text/line-index'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import { conversationOf } from '@/lib/state/document/selectors'
import { usePlayground } from '../playground-context'
import { type EditorSession, editorSessionOf, positionInPane } from './editor-session'
import { fontFamily, SHARED_OPTIONS } from './options'
import { monaco } from './setup'

/** By then the other text is set too, unless it is still being read. */
const MILLISECONDS_PAUSED = 200

/** Compares the two texts. It uses the models of the panes, so it is live and needs no second copy. */
export function DiffPane() {
  const t = useTranslations('panes')
  const session = editorSessionOf(usePlayground())
  const container = useRef<HTMLDivElement>(null)
  const label = t('diffLabel')
  useEffect(() => {
    const original = session.editors.source?.getModel()
    const modified = session.editors.output?.getModel()
    const place = container.current
    if (place === null || !original || !modified) return
    const { node, diff } = diffEditor()
    place.append(node)
    let viewModel: editor.IDiffEditorViewModel | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const compare = () => {
      viewModel = diff.createViewModel({ original, modified })
      diff.setModel(viewModel)
      revealSelection(diff, session)
    }
    // The view model must be disposed here: one that the editor creates is never disposed and keeps comparing.
    const end = () => {
      clearTimeout(timer)
      diff.setModel(null)
      viewModel?.dispose()
      viewModel = undefined
    }
    session.pauseComparison = () => {
      end()
      timer = setTimeout(compare, MILLISECONDS_PAUSED)
    }
    // The editor drops these names whenever its width or its options change.
    const naming = diff.onDidUpdateDiff(() => {
      for (const side of [diff.getOriginalEditor(), diff.getModifiedEditor()])
        side.updateOptions({ ariaLabel: label })
    })
    compare()
    return () => {
      naming.dispose()
      session.pauseComparison = undefined
      end()
      node.remove()
    }
  }, [session, label])
  return <div ref={container} className="size-full" />
}

let shared: { readonly node: HTMLElement; readonly diff: editor.IStandaloneDiffEditor } | undefined

/**
 * Returns the one diff editor. It is never disposed: the editor created last provides the tooltips of all others, for
 * example those of the find widget, and throws once it is disposed.
 */
function diffEditor() {
  if (shared === undefined) {
    const node = document.createElement('div')
    node.className = 'size-full'
    shared = { node, diff: monaco.editor.createDiffEditor(node, optionsOf()) }
  }
  return shared
}

/** Scrolls to the selected message once the texts are compared and equal parts are folded. */
function revealSelection(diff: editor.IStandaloneDiffEditor, session: EditorSession): void {
  const state = session.playground.store.getState()
  const message = state.selection && conversationOf(state)?.messages[state.selection.message]
  if (!message || state.read === undefined) return
  const place = lineColumnAt(lineIndexOf(state.read.source.text), message.start)
  const { lineNumber } = positionInPane(session, 'output', place)
  const listening = diff.onDidUpdateDiff(() => {
    listening.dispose()
    diff.revealLineInCenter(lineNumber)
  })
}

function optionsOf(): editor.IStandaloneDiffEditorConstructionOptions {
  return {
    ...(SHARED_OPTIONS as editor.IDiffEditorConstructionOptions),
    fontFamily: fontFamily(),
    readOnly: true,
    originalEditable: false,
    domReadOnly: true,
    tabFocusMode: true,
    renderSideBySide: true,
    useInlineViewWhenSpaceIsLimited: true,
    renderSideBySideInlineBreakpoint: 700,
    enableSplitViewResizing: true,
    hideUnchangedRegions: { enabled: true, contextLineCount: 3, minimumLineCount: 4 },
    diffAlgorithm: 'advanced',
    maxComputationTime: 3000,
    renderMarginRevertIcon: false,
    renderOverviewRuler: false,
    renderIndicators: false,
    ignoreTrimWhitespace: false,
  }
}
