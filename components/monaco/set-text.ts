import { lineIndexOf } from '@/lib/state/document/selectors'
import type { EditorSession, Pane } from './editor-session'
import { monaco, SHARED_OPTIONS } from './setup'

/** Above this size folding is off, since it scans every line after every change. */
const MOST_FOLDED = 2_000_000

/** In UTF-16 units. An editor wraps all lines of a part at once, which takes some milliseconds. */
const PART = 200_000

/** Up to this length, a text is set at once. So is the start of the first one, before the editor is drawn. */
const SHORT = 20_000

/** `onSet` is called once a text that was set in parts is complete. */
export function createTextSetter(
  session: EditorSession,
  pane: Pane,
  paneEditor: monaco.editor.IStandaloneCodeEditor,
  onSet: () => void,
) {
  const model = paneEditor.getModel() as monaco.editor.ITextModel
  const isReadOnly = pane === 'output'
  let timer: ReturnType<typeof setTimeout> | undefined
  let isDrawn = false

  /** Sets the first part; true if there is no other. */
  const setStart = (text: string): boolean => {
    session.pauseComparison?.()
    const end = endOfPart(text, 0)
    model.setValue(text.slice(0, end))
    if (end < text.length) timer = setTimeout(append, 0, text, end)
    return end === text.length
  }

  const setSoon = (makeText: () => string, source: string) => {
    // Options are faster without a text: a change of them wraps its lines again.
    model.setValue('')
    setOptions(paneEditor, source)
    if (setStart(makeText())) finish()
  }

  const append = (text: string, start: number) => {
    const lineNumber = model.getLineCount()
    const column = model.getLineMaxColumn(lineNumber)
    const range = new monaco.Range(lineNumber, column, lineNumber, column)
    const end = endOfPart(text, start)
    session.pauseComparison?.()
    model.applyEdits([{ range, text: text.slice(start, end) }])
    if (end < text.length) timer = setTimeout(append, 0, text, end)
    else finish()
  }

  const finish = () => {
    show(false)
    onSet()
    session.onSet[pane]?.()
  }

  const show = (isSetting: boolean) => {
    session.isSetting[pane] = isSetting
    paneEditor.updateOptions({ readOnly: isReadOnly || isSetting })
    paneEditor.getContainerDomNode().setAttribute('aria-busy', String(isSetting))
  }

  return {
    /**
     * Replaces the full text of the editor. A long text is made and set in tasks of their own, since the page is redrawn in
     * the present one; meanwhile the editor is read-only and busy, and `session.isSetting` is true. `source` is the source
     * text, which has the same lines.
     */
    set: (makeText: () => string, source: string) => {
      clearTimeout(timer)
      session.pauseComparison?.()
      session.isSetting[pane] = true
      if (isDrawn && source.length > SHORT) {
        show(true)
        timer = setTimeout(setSoon, 0, makeText, source)
      } else {
        setOptions(paneEditor, source)
        show(!setStart(makeText()))
      }
      isDrawn = true
    },
    end: () => {
      clearTimeout(timer)
      session.isSetting[pane] = false
    },
  }
}

/** Options that depend on the document are set before its text: another width of the margin would wrap every line again. */
function setOptions(paneEditor: monaco.editor.IStandaloneCodeEditor, source: string): void {
  const folding = source.length <= MOST_FOLDED
  const digits = String(lineIndexOf(source).starts.length).length
  const lineNumbersMinChars = Math.max(SHARED_OPTIONS.lineNumbersMinChars, digits)
  const { EditorOption } = monaco.editor
  const isSame =
    paneEditor.getOption(EditorOption.folding) === folding &&
    paneEditor.getOption(EditorOption.lineNumbersMinChars) === lineNumbersMinChars
  if (!isSame) paneEditor.updateOptions({ folding, lineNumbersMinChars })
}

/** A part ends after a line feed, so that no line is wrapped twice and no CRLF is split. */
function endOfPart(text: string, start: number): number {
  const lineFeed = text.indexOf('\n', start + PART)
  return lineFeed === -1 ? text.length : lineFeed + 1
}
