import type { editor } from 'monaco-editor/editor'
import type { Problem } from '@/lib/core/problem'
import type { TextPosition } from '@/lib/core/text/lines'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { pastedName, type SourceText } from '@/lib/state/document/document-slice'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { currentReadOf, isCurrent, lineIndexOf } from '@/lib/state/document/selectors'
import type { ResultRange, ShownDocument } from '@/lib/state/document/shown-document'
import { shownDocumentOf } from '@/lib/state/document/shown-document'
import type { DocumentDecisions } from '@/lib/state/policy/policy-view'
import type { PlaygroundState } from '@/lib/state/store'
import type { EditorSession } from './editor-session'
import { editsOfChange, endAll, onCaptured, positionOf, textWithMark } from './editor-session'
import { createCatchUp, createMarks } from './marks'
import { createTextSetter } from './set-text'
import { monaco } from './setup'

/** A pause of this many milliseconds ends an undo step. */
const PAUSE_AFTER_TYPING = 1000

/**
 * Connects the source editor to the store: the editor shows the text and its marks, and typing becomes edits of the
 * text. The editor's text is read back only if its line endings differ, which makes its edits ambiguous.
 */
export function connectSource(
  session: EditorSession,
  source: editor.IStandaloneCodeEditor,
  sentenceOf: (problem: Problem) => string,
): () => void {
  const { store, deferred, actions } = session.playground
  const model = source.getModel() as editor.ITextModel
  const marks = createMarks(model, 'source')
  let shownText = ''
  let shownName: string | undefined
  /** The part of the document in view before its text was set again. */
  let view: editor.ICodeEditorViewState | null = null
  let marked:
    | { readonly document: ShownDocument; readonly decisions: DocumentDecisions }
    | undefined
  let isTyping = false
  let underlined: readonly Problem[] = []
  let timer: ReturnType<typeof setTimeout> | undefined

  const showText = (state: PlaygroundState) => {
    const { text, name } = state.source
    if (text === shownText || isTooLargeToEdit(state)) return
    view = name === shownName ? source.saveViewState() : null
    const isGrown = view !== null && shownText !== '' && text.startsWith(shownText)
    const more = isGrown ? text.slice(shownText.length) : ''
    shownText = text
    shownName = name
    // The editor already shows what was typed.
    if (isTyping || (isGrown && !session.isSetting.source && append(more, text))) return
    catchUp.stop()
    marked = undefined
    setter.set(() => text, text)
    marks.clear()
    if (view === null) scrollToTop()
    else if (!session.isSetting.source) source.restoreViewState(view)
  }

  /** Adds to the end of the editor; nothing that it shows moves. False if it does not split lines as the text does. */
  const append = (more: string, text: string): boolean => {
    session.isSetting.source = true
    model.applyEdits([{ range: endOf(model), text: more }])
    session.isSetting.source = false
    return model.getLineCount() === lineIndexOf(text).starts.length
  }

  const scrollToTop = () => {
    // The output follows, wherever it was scrolled to.
    session.leader = 'source'
    session.isOpening = true
    source.setScrollTop(0)
  }

  const show = (state: PlaygroundState) => {
    showText(state)
    if (isTooLargeToEdit(state) || session.isSetting.source) return
    const problems = problemsOf(state)
    if (problems === undefined) return
    if (problems.length === underlined.length && problems[0] === underlined[0]) return
    underlined = problems
    monaco.editor.setModelMarkers(model, 'reading', markersOf(model, problems, state, sentenceOf))
  }

  const showMarks = (state: PlaygroundState) => {
    if (isTooLargeToEdit(state) || session.isSetting.source) return
    if (state.source !== store.getState().source) return
    const decisions = shownDecisionsOf(state)
    if (state.source.text === '') return clearMarks()
    if (decisions === undefined || state.read === undefined) return
    // While a changed text is read, its marks move with the edits. An unreadable text has no marks.
    if (!isCurrent(state)) return state.reading.state === 'failed' ? clearMarks() : undefined
    const document = shownDocumentOf(state.read)
    if (marked?.document === document && marked.decisions === decisions) return
    marked = { document, decisions }
    catchUp.start()
  }

  const updateMarks = (from: number, until: number) => {
    if (marked === undefined) return
    const { document, decisions } = marked
    const inPane = (place: TextPosition) => session.positionInPane('source', place)
    const rangeOf = (at: number) => {
      const { start, end } = document.ranges[at] as ResultRange
      return [inPane(start), inPane(end)] as const
    }
    marks.update(document, decisions, rangeOf, from, until)
  }

  const clearMarks = () => {
    catchUp.stop()
    marked = undefined
    marks.clear()
  }

  const catchUp = createCatchUp(source, () => marked?.document, updateMarks)
  const setter = createTextSetter(session, 'source', source, () => {
    if (view !== null) source.restoreViewState(view)
    show(store.getState())
    showMarks(deferred.getState())
  })

  const type = (change: () => void) => {
    isTyping = true
    change()
    isTyping = false
  }

  const listening = model.onDidChangeContent((event) => {
    if (session.isSetting.source) return
    session.isOpening = false
    const before = shownText
    type(() => actions.editText(editsOfChange(before, lineIndexOf(before), event.changes)))
    // Where the editor and the text do not split lines alike, an edit can join or split lines.
    if (model.getLineCount() !== lineIndexOf(shownText).starts.length) {
      type(() => actions.replaceTyped(textWithMark(before, model)))
      actions.notify('line_ends')
    }
    clearTimeout(timer)
    timer = setTimeout(() => actions.endGesture('type'), PAUSE_AFTER_TYPING)
  })

  let pasted: { readonly text: string; readonly before: SourceText } | undefined
  const beforePasting = onCaptured(source, 'paste', ({ clipboardData }) => {
    const text = clipboardData?.getData('text/plain')
    // While its text is set, the editor takes no other.
    if (session.isSetting.source && text?.trim())
      return actions.openText(text, pastedName(text), { kind: 'paste' })
    pasted = text === undefined ? undefined : { text, before: store.getState().source }
  })
  const pasting = source.onDidPaste(() => {
    if (pasted === undefined) return
    const { text, before } = pasted
    pasted = undefined
    const isWhole =
      before.text.trim() === '' || before.document !== store.getState().source.document
    // The editor scrolled to the end of what was pasted.
    if (isWhole) scrollToTop()
    else void actions.offerReplacing(text, before)
  })

  const stops = [store.subscribe(show), deferred.subscribe(showMarks)]
  show(store.getState())
  showMarks(deferred.getState())
  const ends = [setter.end, catchUp.end, () => clearTimeout(timer)]
  return endAll(...stops, beforePasting, pasting, listening, ...ends)
}

function endOf(model: editor.ITextModel) {
  const line = model.getLineCount()
  return new monaco.Range(line, model.getLineMaxColumn(line), line, model.getLineMaxColumn(line))
}

/** Undefined while it is unknown. */
function problemsOf(state: PlaygroundState): readonly Problem[] | undefined {
  if (state.source.text === '') return []
  if (state.reading.state === 'failed') return [state.reading.problem]
  return currentReadOf(state)?.model.problems
}

/** The underlining of the reader's problems. */
function markersOf(
  model: editor.ITextModel,
  problems: readonly Problem[],
  { source: { text }, reading }: PlaygroundState,
  sentenceOf: (problem: Problem) => string,
): editor.IMarkerData[] {
  const { Error: Wrong, Warning } = monaco.MarkerSeverity
  return problems.flatMap((problem) => {
    if (problem.offset === undefined) return []
    const { lineNumber, column } = positionOf(text, lineIndexOf(text), problem.offset)
    const last = Math.max(1, model.getLineMaxColumn(lineNumber) - 1)
    return {
      severity: reading.state === 'failed' ? Wrong : Warning,
      message: sentenceOf(problem),
      startLineNumber: lineNumber,
      startColumn: Math.min(column, last),
      endLineNumber: lineNumber,
      endColumn: Math.min(column, last) + 1,
    }
  })
}
