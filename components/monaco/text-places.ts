import type { editor, IPosition } from 'monaco-editor/editor'
import { type LineColumn, type LineIndex, lineColumnAt, offsetAt } from '@/lib/core/text/line-index'
import type { Edit } from '@/lib/core/text/span'

const BYTE_ORDER_MARK = '\ufeff'

/** A byte order mark is part of our texts; the editor drops it, so its first line is one column short. */
function markLength(text: string): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
}

/** The editor's position for a place of a text. */
export function toPosition(text: string, { line, column }: LineColumn): IPosition {
  return { lineNumber: line, column: Math.max(1, line === 1 ? column - markLength(text) : column) }
}

/** The place in a text of an editor's position. */
export function fromPosition(text: string, { lineNumber, column }: IPosition): LineColumn {
  return { line: lineNumber, column: lineNumber === 1 ? column + markLength(text) : column }
}

export function positionOf(text: string, index: LineIndex, offset: number): IPosition {
  return toPosition(text, lineColumnAt(index, offset))
}

/** The edits of a text that an editor's change stands for; the index is of the text before the change. */
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

/** Where the text ends lines otherwise than the editor does, an edit can join or part them. */
export function agrees(model: editor.ITextModel, index: LineIndex): boolean {
  return model.getLineCount() === index.starts.length
}

/** The whole text as the editor has it, with the mark it does not show. */
export function textWithMark(before: string, model: editor.ITextModel): string {
  return before.slice(0, markLength(before)) + model.getValue()
}
