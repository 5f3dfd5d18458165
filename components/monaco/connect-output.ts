import type { editor } from 'monaco-editor/editor'
import { maskEdits } from '@/lib/core/mask/mask-edits'
import {
  layoutOutput,
  type OutputLayout,
  type PlacedSlot,
  rangeEdits,
} from '@/lib/core/mask/output-layout'
import { indexLines } from '@/lib/core/text/line-index'
import { singleEdit } from '@/lib/core/text/single-edit'
import { applyEdits } from '@/lib/core/text/span'
import { type DocumentDecisions, decisionsOf, outputTextOf } from '@/lib/state/selectors'
import { type ShownDocument, showDocument } from '@/lib/state/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { createMarks } from './marks'
import { type EditorSession, positionInPane, type ShownOutput } from './session'
import { positionOf, toPosition } from './text-places'

/**
 * Ties the output editor to the store. The whole text is set once for a document; when decisions flip, only their
 * ranges are edited, and when the source was edited, only what differs. Copy and download never read this editor.
 */
export function connectOutput(
  session: EditorSession,
  output: editor.IStandaloneCodeEditor,
): () => void {
  const { store } = session.playground
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

  const showDocumentAnew = (state: PlaygroundState, last: ShownOutput | undefined) => {
    const text = outputTextOf(state) as string
    const isEdited = last !== undefined && state.source.origin.kind === 'typed'
    if (isEdited) replaceDifference(model, textOf(last), text)
    else {
      model.setValue(text)
      output.setScrollTop(0)
    }
  }

  const flip = (document: ShownDocument, last: ShownOutput, next: OutputLayout) => {
    const { text } = document.read.source
    const edits = rangeEdits(text, document.slots, last.layout, next)
    if (edits.length === 0) return
    model.applyEdits(
      edits.map(({ line, startColumn, endColumn, text: inserted }) => {
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
      }),
    )
    return new Set(edits.map(({ slot }) => slot))
  }

  const show = (state: PlaygroundState) => {
    const last = session.shown
    if (state.source.text === '') {
      if (last === undefined) return
      session.shown = undefined
      marks.clear()
      model.setValue('')
      return
    }
    const decisions = decisionsOf(state)
    if (state.read === undefined || decisions === undefined) return
    if (last?.document.read === state.read && last.decisions === decisions) return
    const document = showDocument(state.read)
    const isSameDocument = last?.document === document
    const layout = layoutOutput(document.slots, decisions, isSameDocument ? last.layout : undefined)
    const shown = { document, decisions, layout }
    session.shown = shown
    if (!isSameDocument) showDocumentAnew(state, last)
    showMarks(shown, isSameDocument ? flip(document, last, layout) : undefined)
    session.align?.()
  }

  session.shown = undefined
  const stop = store.subscribe(show)
  show(store.getState())
  return () => {
    stop()
    session.shown = undefined
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
  // Other line ends than the editor's own can shift what it makes of an edit.
  if (model.getLineCount() !== indexLines(after).starts.length) model.setValue(after)
}
