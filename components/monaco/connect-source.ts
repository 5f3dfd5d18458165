import type { editor } from 'monaco-editor/editor'
import { shownDecisionsOf } from '@/lib/state/costs/request-view'
import { isTooLargeToEdit } from '@/lib/state/document/large-text'
import { lineIndexOf } from '@/lib/state/document/line-index-of'
import { currentReadOf, isCurrent } from '@/lib/state/document/selectors'
import { shownDocumentOf } from '@/lib/state/document/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { createJsonCheck } from './check-json'
import { editsOfChange, hasSameLines, textWithMark } from './editor-positions'
import { type EditorSession, positionInPane } from './editor-session'
import { createMarks } from './marks'
import { setText } from './set-text'
import { showProblems } from './show-problems'

/** A pause of this many milliseconds ends an undo step. */
const PAUSE_AFTER_TYPING = 1000

/**
 * Connects the source editor to the store: the editor shows the text and its marks, and typing becomes edits of the
 * text. The editor's text is read back only if its line endings differ, which makes its edits ambiguous.
 */
export function connectSource(
  session: EditorSession,
  source: editor.IStandaloneCodeEditor,
): () => void {
  const { store, late, actions } = session.playground
  const model = source.getModel() as editor.ITextModel
  const marks = createMarks(model, 'source')
  const check = createJsonCheck(model)
  let shownText = ''
  let shownName: string | undefined
  let isShowing = false
  let isTyping = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const showText = (state: PlaygroundState) => {
    const { text, name } = state.source
    if (text === shownText || isTooLargeToEdit(state)) return
    const view = name === shownName ? source.saveViewState() : null
    shownText = text
    shownName = name
    // The editor already shows what was typed.
    if (isTyping) return
    isShowing = true
    session.pauseComparison?.()
    setText(source, text, text)
    isShowing = false
    marks.clear()
    if (view !== null) source.restoreViewState(view)
    else source.setScrollTop(0)
  }

  const show = (state: PlaygroundState) => {
    showText(state)
    if (isTooLargeToEdit(state)) return
    const isChecked = isOneJson(state)
    if (isChecked !== undefined) check.want(isChecked)
    showProblems(model, state, isChecked === false)
  }

  const showMarks = (state: PlaygroundState) => {
    if (isTooLargeToEdit(state)) return
    const decisions = shownDecisionsOf(state)
    if (state.source.text === '' || decisions === undefined || state.read === undefined) {
      if (state.source.text === '') marks.clear()
      return
    }
    // While a changed text is read, its marks move with the edits. An unreadable text has no marks.
    if (!isCurrent(state)) {
      if (state.reading.state === 'failed') marks.clear()
      return
    }
    const document = shownDocumentOf(state.read)
    marks.update(document, decisions, (at) => {
      const place = document.places[at] as (typeof document.places)[number]
      return [
        positionInPane(session, 'source', place.start),
        positionInPane(session, 'source', place.end),
      ]
    })
  }

  const type = (change: () => void) => {
    isTyping = true
    change()
    isTyping = false
  }

  const listening = model.onDidChangeContent((event) => {
    if (isShowing) return
    const before = shownText
    type(() => actions.editText(editsOfChange(before, lineIndexOf(before), event.changes)))
    if (!hasSameLines(model, lineIndexOf(shownText))) {
      type(() => actions.replaceTyped(textWithMark(before, model)))
      actions.notify('line_ends')
    }
    clearTimeout(timer)
    timer = setTimeout(() => actions.endGesture('type'), PAUSE_AFTER_TYPING)
  })

  const stops = [store.subscribe(show), late.subscribe(showMarks)]
  show(store.getState())
  showMarks(late.getState())
  return () => {
    for (const stop of stops) stop()
    listening.dispose()
    check.end()
    clearTimeout(timer)
  }
}

/** Above this size the JSON worker takes too much memory. The reader also reports the first error. */
const MOST_CHECKED = 4_000_000

/** True if the text should be checked as one JSON document; undefined if unknown. */
function isOneJson(state: PlaygroundState): boolean | undefined {
  const { source, reading } = state
  if (source.text === '' || source.text.length > MOST_CHECKED) return false
  if (reading.state === 'failed') {
    const { code } = reading.problem
    return code === 'invalid_json' || code === 'truncated_json'
  }
  const read = currentReadOf(state)
  if (read === undefined) return source.origin.kind === 'typed' ? undefined : false
  return read.model.layout === 'json'
}
