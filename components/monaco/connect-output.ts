import type { editor } from 'monaco-editor/editor'
import { maskEdits } from '@/lib/core/mask/mask-edits'
import {
  layoutOutput,
  type PlacedSlot,
  type RangeEdit,
  rangeEdits,
} from '@/lib/core/mask/output-layout'
import { indexLines } from '@/lib/core/text/line-index'
import { singleEdit } from '@/lib/core/text/single-edit'
import { applyEdits } from '@/lib/core/text/span'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import type { DocumentDecisions } from '@/lib/state/document/selectors'
import { type ShownDocument, shownDocumentOf } from '@/lib/state/document/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { positionOf, toPosition } from './editor-positions'
import { type EditorSession, positionInPane, type ShownOutput } from './editor-session'
import { createMarks } from './marks'
import { setText } from './set-text'

/**
 * If more lines change than this, setting the full text is faster than editing. Measured at 0.6 MB (0.4 ms per edit,
 * 40 ms for the text) and at 12 MB (1.3 ms and 1.2 s).
 */
const EDITS_WORTH_A_TEXT = 60
const CHARS_WORTH_AN_EDIT = 15_000

/**
 * Connects the output editor to the store. The full text is set once per document. Later changes of decisions or of
 * the source edit only the ranges that differ. Copy and download never read this editor.
 */
export function connectOutput(
  session: EditorSession,
  output: editor.IStandaloneCodeEditor,
): () => void {
  const { late } = session.playground
  const model = output.getModel() as editor.ITextModel
  const marks = createMarks(model, 'output')

  const showMarks = ({ document, decisions }: ShownOutput, moved?: ReadonlySet<number>) =>
    marks.update(
      document,
      decisions,
      (at) => {
        const { slot, start } = document.places[at] as (typeof document.places)[number]
        if (slot !== undefined) return slotRange(slot)
        const position = positionInPane(session, 'output', start)
        return [position, position]
      },
      moved,
    )

  const slotRange = (at: number) => {
    const { document, layout } = session.shown as ShownOutput
    const { text } = document.read.source
    const { line } = document.slots[at] as PlacedSlot
    const column = layout.columns[at] as number
    const end = column + (layout.lengths[at] as number)
    return [toPosition(text, { line, column }), toPosition(text, { line, column: end })] as const
  }

  const showDocumentAnew = (shown: ShownOutput, last: ShownOutput | undefined) => {
    const text = textOf(shown)
    const isEdited = last !== undefined && shown.document.read.source.origin.kind === 'typed'
    if (isEdited) replaceDifference(model, textOf(last), text)
    else {
      showText(text, shown.document)
      output.setScrollTop(0)
    }
  }

  /** Returns the slots whose text was replaced, or undefined if the whole text was set. */
  const flip = ({ document, layout }: ShownOutput, next: ShownOutput) => {
    const { text } = document.read.source
    const edits = rangeEdits(text, document.slots, layout, next.layout)
    if (edits.length > EDITS_WORTH_A_TEXT + text.length / CHARS_WORTH_AN_EDIT) {
      showText(textOf(next), document)
      return undefined
    }
    if (edits.length > 0) model.applyEdits(edits.map((edit) => operationOf(text, edit)))
    return new Set(
      edits.flatMap(({ first, last }) =>
        Array.from({ length: last - first + 1 }, (_, index) => first + index),
      ),
    )
  }

  const showText = (text: string, document?: ShownDocument) => {
    marks.clear()
    session.pauseComparison?.()
    setText(output, text, document?.read.source.text ?? '')
  }

  const show = (state: PlaygroundState) => {
    if (isTooLargeToEdit(state)) return
    const last = session.shown
    if (state.source.text === '' || state.read === undefined) {
      if (last === undefined) return
      session.shown = undefined
      showText('')
      return
    }
    const decisions = shownDecisionsOf(state)
    if (decisions === undefined) return
    if (last?.document.read === state.read && last.decisions === decisions) return
    const document = shownDocumentOf(state.read)
    const isSameDocument = last?.document === document
    const layout = layoutOutput(document.slots, decisions, isSameDocument ? last.layout : undefined)
    const shown = { document, decisions, layout }
    session.shown = shown
    // The source pane does not move while this one changes, so it leads.
    session.leader = 'source'
    if (!isSameDocument) showDocumentAnew(shown, last)
    showMarks(shown, isSameDocument ? flip(last, shown) : undefined)
    session.align?.()
  }

  session.shown = undefined
  const stop = late.subscribe(show)
  show(late.getState())
  return () => {
    stop()
    session.shown = undefined
  }
}

function operationOf(text: string, { line, startColumn, endColumn, text: inserted }: RangeEdit) {
  const start = toPosition(text, { line, column: startColumn })
  const end = toPosition(text, { line, column: endColumn })
  return {
    range: {
      startLineNumber: line,
      startColumn: start.column,
      endLineNumber: line,
      endColumn: end.column,
    },
    text: inserted,
  }
}

function textOf({ document, decisions }: ShownOutput): string {
  const { source, model } = document.read
  return applyEdits(source.text, maskEdits(model.conversations, decisions as DocumentDecisions))
}

function replaceDifference(model: editor.ITextModel, before: string, after: string): void {
  const edit = singleEdit(before, after)
  if (edit === undefined) return
  const index = indexLines(before)
  const start = positionOf(before, index, edit.start)
  const end = positionOf(before, index, edit.end)
  model.applyEdits([
    {
      range: {
        startLineNumber: start.lineNumber,
        startColumn: start.column,
        endLineNumber: end.lineNumber,
        endColumn: end.column,
      },
      text: edit.text,
    },
  ])
  // If the text has other line endings than the editor, edits can have a different effect.
  if (model.getLineCount() !== indexLines(after).starts.length) model.setValue(after)
}
