import { Editor } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import { useEffect, useMemo, useState } from 'react'
import type { Playground } from '@/lib/state/playground'
import { useProblemSentence } from '../language-provider'
import { AfterFrame, usePlayground, useView } from '../playground-context'
import { cameByTab } from '../use-events'
import { connectOutput } from './connect-output'
import { connectSelection, syncScroll } from './connect-selection'
import { connectSource } from './connect-source'
import { editorSessionOf, endAll, type Pane } from './editor-session'
import { showWhyOnClick, useResultHover } from './result-hover'
import {
  fontFamily,
  JSON_LANGUAGE,
  monaco,
  READ_ONLY,
  SHARED_OPTIONS,
  startTheme,
  THEME,
} from './setup'

export interface EditorPaneProps {
  readonly pane: Pane
  readonly onLineChange?: (line: number) => void
  readonly onReady: () => void
}

/** One of the two editors, connected to the store. */
export function EditorPane({ pane, onLineChange, onReady }: EditorPaneProps) {
  const { t } = useView('panes')
  const playground = usePlayground()
  const sentenceOf = useProblemSentence()
  const session = editorSessionOf(playground)
  const [paneEditor, setPaneEditor] = useState<editor.IStandaloneCodeEditor>()
  const label = t(pane === 'source' ? 'sourceLabel' : 'outputLabel')
  const whyLabel = t('showWhy')
  useResultHover(session, pane === 'source')

  const options = useMemo(
    () => ({
      ...SHARED_OPTIONS,
      fontFamily: fontFamily(),
      ariaLabel: label,
      ...(pane === 'output' ? READ_ONLY : {}),
    }),
    [label, pane],
  )

  useEffect(() => {
    if (paneEditor === undefined) return
    session.editors[pane] = paneEditor
    session.onEditor?.()
    // A model takes this option when it is created elsewhere, not from the editor's options.
    paneEditor.getModel()?.updateOptions({
      bracketColorizationOptions: SHARED_OPTIONS.bracketPairColorization,
    })
    const end = endAll(
      pane === 'source'
        ? connectSource(session, paneEditor, sentenceOf)
        : connectOutput(session, paneEditor, (n) => t('leftOut', { n })),
      connectSelection(session, pane, paneEditor),
      syncScroll(session, pane, paneEditor),
      showWhyOnClick(session, paneEditor, whyLabel),
      followUndo(paneEditor, pane, playground.actions),
      ...(pane === 'source' ? [leaveByTab(paneEditor)] : []),
      paneEditor.onDidChangeCursorPosition(({ position }) => onLineChange?.(position.lineNumber)),
      () => {
        session.editors[pane] = undefined
      },
    )
    onReady()
    return end
  }, [paneEditor, pane, session, playground, sentenceOf, whyLabel, onLineChange, onReady, t])

  const monacoEditor = (
    <Editor
      path={`${pane}.json`}
      defaultLanguage={JSON_LANGUAGE}
      defaultValue=""
      theme={THEME}
      options={options}
      loading={null}
      beforeMount={startTheme}
      onMount={(mounted) => {
        setPaneEditor(mounted)
        void document.fonts.ready.then(() => monaco.editor.remeasureFonts())
      }}
    />
  )
  // Both at once would take a task of 0.2 s.
  return pane === 'source' ? monacoEditor : <AfterFrame>{monacoEditor}</AfterFrame>
}

/** Uses the undo and redo of the page where the editor has none: always if it is read-only. */
function followUndo(
  paneEditor: editor.IStandaloneCodeEditor,
  pane: Pane,
  actions: Playground['actions'],
): monaco.IDisposable {
  const { KeyCode } = monaco
  return paneEditor.onKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const isRedo =
      (event.keyCode === KeyCode.KeyZ && event.shiftKey) || event.keyCode === KeyCode.KeyY
    if (!isRedo && event.keyCode !== KeyCode.KeyZ) return
    const model = paneEditor.getModel() as
      | (editor.ITextModel & { canUndo?: () => boolean; canRedo?: () => boolean })
      | null
    const hasOwn = isRedo ? model?.canRedo?.() : model?.canUndo?.()
    if (pane === 'source' && hasOwn !== false) return
    event.preventDefault()
    event.stopPropagation()
    if (isRedo) actions.redo()
    else actions.undo()
  })
}

/** Makes Tab leave the editor if it was entered by Tab, and after Escape. Typing makes Tab type too. */
function leaveByTab(paneEditor: editor.IStandaloneCodeEditor): () => void {
  const set = (tabFocusMode: boolean) => {
    if (paneEditor.getOption(monaco.editor.EditorOption.tabFocusMode) !== tabFocusMode)
      paneEditor.updateOptions({ tabFocusMode })
  }
  return endAll(
    paneEditor.onKeyDown(({ keyCode, ctrlKey, metaKey, browserEvent: { key } }) => {
      if (keyCode === monaco.KeyCode.Escape) set(true)
      else if (key.length === 1 && !ctrlKey && !metaKey) set(false)
    }),
    paneEditor.onDidFocusEditorText(() => set(cameByTab())),
  )
}
