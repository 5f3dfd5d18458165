'use client'

import { Editor } from '@monaco-editor/react'
import type { editor } from 'monaco-editor/editor'
import { useEffect, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl'
import type { Playground } from '@/lib/state/playground'
import { usePlayground } from '../playground-context'
import { connectOutput } from './connect-output'
import { connectSelection } from './connect-selection'
import { connectSource } from './connect-source'
import { leaveByTab } from './leave-by-tab'
import type { Pane } from './marks'
import { fontFamily, SHARED_OPTIONS } from './options'
import { sessionOf } from './session'
import { JSON_LANGUAGE, monaco } from './setup'
import { syncScroll } from './sync-scroll'
import { startTheme, THEME } from './theme'
import { useResultHover } from './use-result-hover'

const READ_ONLY = { readOnly: true, domReadOnly: true, tabFocusMode: true } as const

const NO_BRACKET_COLOURS = { enabled: false, independentColorPoolPerBracketType: false }

/** Above this, where folding looks at every line after every change, it is left out. */
const MOST_FOLDED = 5_000_000

export interface EditorPaneProps {
  readonly pane: Pane
  readonly onLineChange?: (line: number) => void
  readonly onReady: () => void
}

/** One editor of the two, tied to the store. */
export function EditorPane({ pane, onLineChange, onReady }: EditorPaneProps) {
  const t = useTranslations('panes')
  const playground = usePlayground()
  const session = sessionOf(playground)
  const [own, setOwn] = useState<editor.IStandaloneCodeEditor>()
  const label = t(pane === 'source' ? 'sourceLabel' : 'outputLabel')
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
    if (own === undefined) return
    session.editors[pane] = own
    // A model takes this from its creation, which is not ours, and not from the editor's options.
    own.getModel()?.updateOptions({ bracketColorizationOptions: NO_BRACKET_COLOURS })
    const ends = [
      foldWhereSmall(own),
      pane === 'source' ? connectSource(session, own) : connectOutput(session, own),
      connectSelection(session, pane, own),
      syncScroll(session, pane, own),
      followUndo(own, pane, playground.actions),
      ...(pane === 'source' ? [leaveByTab(own)] : []),
    ]
    const moving = own.onDidChangeCursorPosition(({ position }) => {
      onLineChange?.(position.lineNumber)
    })
    onReady()
    return () => {
      moving.dispose()
      for (const end of ends) end()
      session.editors[pane] = undefined
    }
  }, [own, pane, session, playground, onLineChange, onReady])

  return (
    <Editor
      path={`${pane}.json`}
      defaultLanguage={JSON_LANGUAGE}
      defaultValue=""
      theme={THEME}
      options={options}
      loading={null}
      beforeMount={startTheme}
      onMount={(mounted) => {
        setOwn(mounted)
        void document.fonts.ready.then(() => monaco.editor.remeasureFonts())
      }}
    />
  )
}

function foldWhereSmall(own: editor.IStandaloneCodeEditor): () => void {
  const listening = own.onDidChangeModelContent(({ isFlush }) => {
    if (!isFlush) return
    const folding = (own.getModel()?.getValueLength() ?? 0) <= MOST_FOLDED
    if (own.getOption(monaco.editor.EditorOption.folding) !== folding)
      own.updateOptions({ folding })
  })
  return () => listening.dispose()
}

/** The page's undo and redo where the editor has none of its own: always in what is read only. */
function followUndo(
  own: editor.IStandaloneCodeEditor,
  pane: Pane,
  actions: Playground['actions'],
): () => void {
  const { KeyCode } = monaco
  const listening = own.onKeyDown((event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return
    const isRedo =
      (event.keyCode === KeyCode.KeyZ && event.shiftKey) || event.keyCode === KeyCode.KeyY
    if (!isRedo && event.keyCode !== KeyCode.KeyZ) return
    const model = own.getModel() as
      | (editor.ITextModel & { canUndo?: () => boolean; canRedo?: () => boolean })
      | null
    const hasOwn = isRedo ? model?.canRedo?.() : model?.canUndo?.()
    if (pane === 'source' && hasOwn !== false) return
    event.preventDefault()
    event.stopPropagation()
    if (isRedo) actions.redo()
    else actions.undo()
  })
  return () => listening.dispose()
}
