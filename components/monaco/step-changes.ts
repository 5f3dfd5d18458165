import type { editor } from 'monaco-editor/editor'
import { type LineColumn, lineColumnAt } from '@/lib/core/text/lines'
import { conversationOf } from '@/lib/state/document/selectors'
import { changedSlots, stepChange } from '@/lib/state/document/step-change'
import { type EditorSession, placeInPane, positionInPane } from './editor-session'
import { monaco } from './setup'

const IMMEDIATE = 1

export type StepChange = (isBack: boolean) => void

/** The change at the cursor, counted from 0, and the number of changes. */
export interface ComparedPlace {
  readonly at: number | undefined
  readonly count: number
}

/** Goes from change to change in the comparison, by buttons, keys and the editor's menu. */
export function createChangeSteps(
  session: EditorSession,
  diff: editor.IStandaloneDiffEditor,
  onPlace: (place: ComparedPlace) => void,
  labels: { readonly next: string; readonly previous: string },
) {
  const [source, output] = [diff.getOriginalEditor(), diff.getModifiedEditor()]
  let opening: monaco.IDisposable | undefined

  const changes = () => {
    if (session.shown === undefined) return undefined
    const { document, decisions } = session.shown
    return { slots: document.slots, changed: changedSlots(document.slots, decisions) }
  }

  const goTo = (from: LineColumn, isBack: boolean) => {
    const { slots, changed } = changes() ?? { slots: [], changed: [] }
    const at = stepChange(slots, changed, from, isBack)
    const slot = slots[changed[at ?? 0] ?? 0]
    onPlace({ at, count: changed.length })
    if (at === undefined || slot === undefined) return
    source.setPosition(positionInPane(session, 'source', slot))
    const position = positionInPane(session, 'output', slot)
    output.setPosition(position)
    output.revealPositionInCenter(position, IMMEDIATE)
  }

  const step: StepChange = (isBack) => {
    const isInSource = source.hasTextFocus()
    const position = (isInSource ? source : output).getPosition() ?? START
    goTo(placeInPane(session, isInSource ? 'source' : 'output', position), isBack)
  }

  /** Goes to the first change, or that of the selected message, once the texts are compared and equal parts are folded. */
  const open = () => {
    opening?.dispose()
    opening = diff.onDidUpdateDiff(() => {
      opening?.dispose()
      goTo(placeBeforeSelection(session), false)
    })
  }

  const count = diff.onDidUpdateDiff(() => {
    const { length } = changes()?.changed ?? []
    onPlace({ at: undefined, count: length })
  })
  const { KeyCode } = monaco
  const commands = [
    { id: 'next-change', label: labels.next, key: KeyCode.KeyN, isBack: false },
    { id: 'previous-change', label: labels.previous, key: KeyCode.KeyP, isBack: true },
  ]
  const actions = [source, output].flatMap((paneEditor) =>
    commands.map(({ id, label, key, isBack }, order) =>
      paneEditor.addAction({
        id,
        label,
        keybindings: [key],
        keybindingContext: 'editorTextFocus',
        contextMenuGroupId: 'navigation',
        contextMenuOrder: order,
        run: () => step(isBack),
      }),
    ),
  )
  return {
    step,
    open,
    end: () => {
      opening?.dispose()
      count.dispose()
      for (const action of actions) action.dispose()
    },
  }
}

const START = { lineNumber: 1, column: 1 }

/** A position of the source before the selected message, or before the text. */
function placeBeforeSelection({ playground, shown }: EditorSession): LineColumn {
  const state = playground.store.getState()
  const { selection } = state
  const message = selection && conversationOf(state)?.messages[selection.message]
  if (message === undefined || shown === undefined) return { line: 0, column: 0 }
  const { line, column } = lineColumnAt(shown.document.index, message.start)
  return { line, column: column - 1 }
}
