import type { editor } from 'monaco-editor/editor'
import type { LineSpan, OutputLayout, RangeEdit } from '@/lib/core/mask/output-layout'
import { layoutOutput, rangeEdits } from '@/lib/core/mask/output-layout'
import type { SentRequest } from '@/lib/core/mechanisms/write-request'
import { singleEdit } from '@/lib/core/text/edits'
import { indexLines } from '@/lib/core/text/lines'
import { applyEdits } from '@/lib/core/text/span'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isWritten, sentRequestOf } from '@/lib/state/costs/tried-mechanism'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { shownDocumentOf } from '@/lib/state/document/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import type { EditorSession, MutableLayout, ShownOutput } from './editor-session'
import { endAll, positionOf, toPosition } from './editor-session'
import { createCatchUp, createMarks, markOptions } from './marks'
import { createTextSetter } from './set-text'
import { monaco } from './setup'

/**
 * Connects the output editor to the store. The full text is set once per document. Later changes of decisions or of
 * the source edit only the ranges that differ. Copy and download never read this editor.
 */
export function connectOutput(
  session: EditorSession,
  output: editor.IStandaloneCodeEditor,
  leftOut: (messages: number) => string,
) {
  const { deferred } = session.playground
  const model = output.getModel() as editor.ITextModel
  const marks = createMarks(model, 'output')
  /** The request that a mechanism sends, where that is shown in place of a document. */
  let sent: SentRequest | undefined
  const drawn = output.createDecorationsCollection()
  /** The layout of the text that the editor is to show. */
  let target: OutputLayout | undefined

  const rangeOf = (at: number) => {
    const { document, layout } = session.shown as ShownOutput
    const { span, start } = document.ranges[at] as (typeof document.ranges)[number]
    if (span === undefined) {
      const position = session.positionInPane('output', start)
      return [position, position] as const
    }
    const { text } = document.read.source
    const { line } = document.spans[span] as LineSpan
    const column = layout.columns[span] as number
    const end = column + (layout.lengths[span] as number)
    return [toPosition(text, { line, column }), toPosition(text, { line, column: end })] as const
  }

  /** Edits the spans of a range of whole lines, and draws their marks. */
  const update = (from: number, until: number) => {
    const { shown } = session
    if (shown === undefined || target === undefined) return
    const { document, decisions, layout } = shown
    const { text } = document.read.source
    const lastSpan = Math.min(until, document.spans.length)
    const edits = rangeEdits(text, document.spans, layout, target, from, lastSpan)
    copyLayout(layout, target, from, lastSpan)
    if (edits.length > 0) model.applyEdits(edits.map((edit) => operationOf(text, edit)))
    const moved = new Set<number>()
    for (const { first, last } of edits) for (let at = first; at <= last; at++) moved.add(at)
    marks.update(document, decisions, rangeOf, from, until, moved)
    if (edits.length > 0) session.align?.()
  }

  const catchUp = createCatchUp(output, () => session.shown?.document, update)

  const setter = createTextSetter(session, 'output', output, () => {
    if (sent !== undefined) return drawSent(sent)
    catchUp.start()
    show(deferred.getState())
    session.align?.()
  })

  const showText = (makeText: () => string, source: string) => {
    catchUp.stop()
    marks.clear()
    setter.set(makeText, source)
  }

  /** Marks what a mechanism wrote, and says how many messages it leaves out where. */
  const drawSent = ({ changedLines, leftOut: gaps }: SentRequest) => {
    const at = (line: number) => new monaco.Range(line, 1, line, model.getLineMaxColumn(line))
    const options = markOptions('masked', 'output')
    const changed = changedLines.map((line) => ({ range: at(line), options }))
    const absent = gaps.map(({ line, messages }) => {
      const after = { content: ` ⋯ ${leftOut(messages)}`, inlineClassName: 'mark-text-placeholder' }
      return { range: at(line), options: { after, showIfCollapsed: true } }
    })
    drawn.set([...changed, ...absent])
  }

  const showSent = (next: SentRequest) => {
    const { text } = next
    if (sent !== undefined && !session.isSetting.output) replaceDifference(model, sent.text, text)
    else showText(() => text, text)
    if (sent === undefined) output.setScrollTop(0)
    session.shown = undefined
    sent = next
    if (!session.isSetting.output) drawSent(next)
  }

  const showDocumentAnew = (shown: ShownOutput, last: ShownOutput | undefined) => {
    const { text, origin } = shown.document.read.source
    if (last !== undefined && origin.kind === 'typed' && !session.isSetting.output) {
      catchUp.stop()
      replaceDifference(model, textOf(last), textOf(shown))
    } else {
      showText(() => textOf(shown), text)
      output.setScrollTop(0)
    }
  }

  const show = (state: PlaygroundState) => {
    if (isTooLargeToEdit(state)) return
    const last = session.shown
    if (state.source.text === '' || state.read === undefined) {
      if (last === undefined) return
      session.shown = undefined
      return showText(() => '', '')
    }
    if (isWritten(state)) {
      const next = sentRequestOf(state)
      if (next && next !== sent) showSent(next)
      return
    }
    sent = undefined
    drawn.clear()
    const decisions = shownDecisionsOf(state)
    if (decisions === undefined) return
    if (last?.document.read === state.read && last.decisions === decisions) return
    const document = shownDocumentOf(state.read)
    const isSameDocument = last?.document === document
    // The rest of its text is still being set.
    if (isSameDocument && session.isSetting.output) return
    target = layoutOutput(document.spans, decisions, isSameDocument ? target : undefined)
    const layout: MutableLayout = isSameDocument
      ? last.layout
      : { columns: [], lengths: [], texts: [], placeholders: [] }
    if (!isSameDocument) copyLayout(layout, target, 0, document.spans.length)
    session.shown = { document, decisions, layout }
    // The source pane does not move while this one changes, so it leads.
    session.leader = 'source'
    if (!isSameDocument) showDocumentAnew(session.shown, last)
    if (session.isSetting.output) return
    catchUp.start()
    session.align?.()
  }

  session.shown = undefined
  const stop = deferred.subscribe(show)
  show(deferred.getState())
  return endAll(stop, setter.end, catchUp.end, () => {
    session.shown = undefined
  })
}

/** Copies the spans of a range of whole lines. */
function copyLayout(
  to: MutableLayout,
  { columns, lengths, texts, placeholders }: OutputLayout,
  from: number,
  until: number,
): void {
  for (let at = from; at < until; at++) {
    to.columns[at] = columns[at] as number
    to.lengths[at] = lengths[at] as number
    to.texts[at] = texts[at]
    to.placeholders[at] = placeholders[at]
  }
}

function operationOf(text: string, { line, startColumn, endColumn, text: inserted }: RangeEdit) {
  const start = toPosition(text, { line, column: startColumn })
  const end = toPosition(text, { line, column: endColumn })
  return { range: monaco.Range.fromPositions(start, end), text: inserted }
}

/** The text of the editor, which may still have to follow the decisions. */
function textOf({ document: { read, spans }, layout }: ShownOutput): string {
  const edits = spans.flatMap(({ start, end }, at) => {
    const text = layout.texts[at]
    return text === undefined ? [] : [{ start, end, text }]
  })
  return applyEdits(read.source.text, edits)
}

function replaceDifference(model: editor.ITextModel, before: string, after: string): void {
  const edit = singleEdit(before, after)
  if (edit === undefined) return
  const index = indexLines(before)
  const start = positionOf(before, index, edit.start)
  const end = positionOf(before, index, edit.end)
  model.applyEdits([{ range: monaco.Range.fromPositions(start, end), text: edit.text }])
  // If the text has other line endings than the editor, edits can have a different effect.
  if (model.getLineCount() !== indexLines(after).starts.length) model.setValue(after)
}
