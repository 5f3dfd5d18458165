import type { editor, IPosition } from 'monaco-editor/editor'
import { type LineColumn, type LineIndex, lineColumnAt, offsetAt } from '@/lib/core/text/lines'
import type { Edit } from '@/lib/core/text/span'

const BYTE_ORDER_MARK = '\ufeff'

/** Length of the byte order mark at the start of a text. The editor drops the mark, so its first line is one column shorter. */
function markLength(text: string): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
}

/** Converts a position in the text to a position in the editor. */
export function toPosition(text: string, { line, column }: LineColumn): IPosition {
  return { lineNumber: line, column: Math.max(1, line === 1 ? column - markLength(text) : column) }
}

/** Converts a position in the editor to a position in the text. */
export function fromPosition(text: string, { lineNumber, column }: IPosition): LineColumn {
  return { line: lineNumber, column: lineNumber === 1 ? column + markLength(text) : column }
}

export function positionOf(text: string, index: LineIndex, offset: number): IPosition {
  return toPosition(text, lineColumnAt(index, offset))
}

/** Converts a change in the editor to edits of the text. The index is that of the text before the change. */
export function editsOfChange(
  text: string,
  index: LineIndex,
  changes: readonly editor.IModelContentChange[],
): Edit[] {
  const edits = changes.map(({ range, text: inserted }) => ({
    start: offsetAt(
      index,
      fromPosition(text, { lineNumber: range.startLineNumber, column: range.startColumn }),
    ),
    end: offsetAt(
      index,
      fromPosition(text, { lineNumber: range.endLineNumber, column: range.endColumn }),
    ),
    text: inserted,
  }))
  return edits.sort((a, b) => a.start - b.start)
}

/** True if the editor and the text split lines alike. Otherwise an edit can join or split lines. */
export function hasSameLines(model: editor.ITextModel, index: LineIndex): boolean {
  return model.getLineCount() === index.starts.length
}

/** Returns the full text of the editor with the byte order mark, which the editor does not show. */
export function textWithMark(before: string, model: editor.ITextModel): string {
  return before.slice(0, markLength(before)) + model.getValue()
}
