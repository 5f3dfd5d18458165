import type { editor } from 'monaco-editor/editor'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import { SHARED_OPTIONS } from './options'
import { monaco } from './setup'

/** Above this size folding is off, since it scans every line after every change. */
const MOST_FOLDED = 2_000_000

/**
 * Sets the full text of an editor. Options that depend on the document are set first: a change of the width of the
 * margin would wrap every line a second time. `source` is the source text, which has the same lines.
 */
export function setText(
  paneEditor: editor.IStandaloneCodeEditor,
  text: string,
  source: string,
): void {
  const folding = source.length <= MOST_FOLDED
  const digits = String(lineIndexOf(source).starts.length).length
  const lineNumbersMinChars = Math.max(SHARED_OPTIONS.lineNumbersMinChars, digits)
  const { EditorOption } = monaco.editor
  const isSame =
    paneEditor.getOption(EditorOption.folding) === folding &&
    paneEditor.getOption(EditorOption.lineNumbersMinChars) === lineNumbersMinChars
  if (!isSame) paneEditor.updateOptions({ folding, lineNumbersMinChars })
  paneEditor.getModel()?.setValue(text)
}
