import type { editor, IDisposable, IPosition } from 'monaco-editor/editor'
import { type OutputLayout, toOutput, toSource } from '@/lib/core/mask/output-layout'
import { memoizeFor } from '@/lib/core/memoize-for'
import type { Reason } from '@/lib/core/policy/decide'
import { type LineIndex, offsetAt, positionAt, type TextPosition } from '@/lib/core/text/lines'
import type { Edit, Offset } from '@/lib/core/text/span'
import { currentReadOf, lineIndexOf } from '@/lib/state/document/selectors'
import { type ShownDocument, shownDocumentOf } from '@/lib/state/document/shown-document'
import type { Playground } from '@/lib/state/playground'
import type { DocumentDecisions } from '@/lib/state/policy/policy-view'

export type Pane = 'source' | 'output'

/** A layout that is brought up to date line by line. */
export type MutableLayout = { readonly [Key in keyof OutputLayout]: OutputLayout[Key][number][] }

/** The document that the output editor shows, the decisions that it is to show, and the layout of its present text. */
export interface ShownOutput {
  readonly document: ShownDocument
  readonly decisions: DocumentDecisions
  readonly layout: MutableLayout
}

type OfPanes<Value> = { [pane in Pane]?: Value | undefined }
type Callback = (() => void) | undefined

/** State shared by the two editors of a playground. */
export class EditorSession {
  readonly editors: OfPanes<editor.IStandaloneCodeEditor> = {}
  /** Called when an editor was added. */
  onEditor: Callback
  shown: ShownOutput | undefined
  /** True while the text of a pane is set in parts, so its last lines are missing. */
  readonly isSetting = { source: false, output: false }
  /** Called once a text that was set in parts is complete. */
  readonly onSet: OfPanes<() => void> = {}
  /** Called when the text of a pane or the position to align changes. */
  align: Callback
  /** Called before a full text is set. Otherwise the comparison applies old line numbers to the new text and throws. */
  pauseComparison: Callback
  /** Distance from the upper edge, in pixels, at which both panes show the same position. */
  alignedAt = 0
  /** The pane the user moves; the other follows. */
  leader: Pane = 'source'
  /** True from opening or pasting a document until its first masked result is scrolled into view. */
  isOpening = false
  /** True while a click in a pane chooses another conversation and then a message of it. */
  isChoosing = false

  constructor(readonly playground: Playground) {}

  /** The document whose text a pane shows; that of the source is undefined while a changed text is read. */
  documentIn(pane: Pane): ShownDocument | undefined {
    if (pane === 'output') return this.shown?.document
    const read = currentReadOf(this.playground.store.getState())
    return read && shownDocumentOf(read)
  }

  /** Converts a position in the source text to a position in a pane. */
  positionInPane(pane: Pane, place: TextPosition): IPosition {
    const { shown, playground } = this
    if (pane === 'source') return toPosition(playground.store.getState().source.text, place)
    if (shown === undefined) return { lineNumber: place.line, column: place.column }
    const moved = toOutput(shown.document.spans, shown.layout, place)
    return toPosition(shown.document.read.source.text, moved)
  }

  /** Converts a position in a pane to a position in the source text. */
  sourcePosition(pane: Pane, position: IPosition): TextPosition {
    const { shown, playground } = this
    if (pane === 'source') return fromPosition(playground.store.getState().source.text, position)
    if (shown === undefined) return { line: position.lineNumber, column: position.column }
    const place = fromPosition(shown.document.read.source.text, position)
    return toSource(shown.document.spans, shown.layout, place)
  }
}

/** Returns the session of a playground, creating it if needed. */
export function editorSessionOf(playground: Playground): EditorSession {
  return memoizeFor(playground, EditorSession, () => new EditorSession(playground))
}

/** Returns the function that ends all of these. */
export function endAll(...parts: readonly (IDisposable | (() => void))[]): () => void {
  return () => {
    for (const part of parts) typeof part === 'function' ? part() : part.dispose()
  }
}

/** Listens to an event of an editor before the editor does. */
export function onCaptured<Type extends keyof HTMLElementEventMap>(
  paneEditor: editor.ICodeEditor,
  type: Type,
  listener: (event: HTMLElementEventMap[Type]) => void,
): IDisposable {
  const node = paneEditor.getContainerDomNode()
  node.addEventListener(type, listener, { capture: true, passive: true })
  return { dispose: () => node.removeEventListener(type, listener, true) }
}

const BYTE_ORDER_MARK = '\ufeff'

/** Length of the byte order mark at the start of a text. The editor drops the mark, so its first line is one column shorter. */
function markLength(text: string): number {
  return text.startsWith(BYTE_ORDER_MARK) ? 1 : 0
}

/** Converts a position in the text to a position in the editor. */
export function toPosition(text: string, { line, column }: TextPosition): IPosition {
  return { lineNumber: line, column: Math.max(1, line === 1 ? column - markLength(text) : column) }
}

/** Converts a position in the editor to a position in the text. */
function fromPosition(text: string, { lineNumber, column }: IPosition): TextPosition {
  return { line: lineNumber, column: lineNumber === 1 ? column + markLength(text) : column }
}

export function positionOf(text: string, index: LineIndex, offset: number): IPosition {
  return toPosition(text, positionAt(index, offset))
}

/** Converts a change in the editor to edits of the text. The index is that of the text before the change. */
export function editsOfChange(
  text: string,
  index: LineIndex,
  changes: readonly editor.IModelContentChange[],
): Edit[] {
  const offset = (lineNumber: number, column: number) =>
    offsetAt(index, fromPosition(text, { lineNumber, column }))
  return changes
    .map(({ range, text: inserted }) => ({
      start: offset(range.startLineNumber, range.startColumn),
      end: offset(range.endLineNumber, range.endColumn),
      text: inserted,
    }))
    .sort((a, b) => a.start - b.start)
}

/** Returns the full text of the editor with the byte order mark, which the editor does not show. */
export function textWithMark(before: string, model: editor.ITextModel): string {
  return before.slice(0, markLength(before)) + model.getValue()
}

/** Moves the cursor of the source pane to an offset, scrolls to it and focuses the pane; false before there is an editor. */
export function goTo(playground: Playground, offset: Offset): boolean {
  const session = editorSessionOf(playground)
  const { text } = playground.store.getState().source
  const position = session.positionInPane('source', positionAt(lineIndexOf(text), offset))
  const { source } = session.editors
  source?.setPosition(position)
  source?.revealPositionInCenterIfOutsideViewport(position)
  source?.focus()
  return source !== undefined
}

export type Mark = 'masked' | 'kept' | 'window' | 'broken' | 'none'

/** The mark of a result; none if masking is off. */
export const MARK_OF: Readonly<Record<Reason, Mark>> = {
  masked: 'masked',
  in_window: 'window',
  orphan: 'broken',
  no_call_id: 'broken',
  before_signed_thinking: 'kept',
  excluded_tool: 'kept',
  kept_last_k: 'kept',
  kept_error: 'kept',
  non_text: 'kept',
  already_masked: 'kept',
  would_grow: 'kept',
  disabled: 'none',
  below_trigger: 'none',
}

/** The class of a result's text in a pane; undefined if it looks as any other text. */
export function textMark(mark: Mark, pane: Pane): string | undefined {
  if (mark === 'masked') return `mark-text-${pane === 'output' ? 'placeholder' : 'faded'}`
  return mark === 'kept' && pane === 'output' ? 'mark-text-kept' : undefined
}
