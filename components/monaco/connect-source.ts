import type { editor } from 'monaco-editor/editor'
import { lineIndexOf } from '@/lib/state/line-index-of'
import { shownDecisionsOf } from '@/lib/state/request-view'
import { isCurrent } from '@/lib/state/selectors'
import { showDocument } from '@/lib/state/shown-document'
import type { PlaygroundState } from '@/lib/state/store'
import { createJsonCheck } from './check-json'
import { createMarks } from './marks'
import { type EditorSession, positionInPane } from './session'
import { showProblems } from './show-problems'
import { agrees, editsOfChange, textWithMark } from './text-places'

/** A burst of typing is over, and one undo step, after this pause. */
const PAUSE_AFTER_TYPING = 1000

/**
 * Ties the source editor to the store: it shows the text and its marks, and what is typed into it becomes edits of
 * the text. The editor's own text is read back only where its line ends differ from ours so that edits cannot be told.
 */
export function connectSource(
  session: EditorSession,
  source: editor.IStandaloneCodeEditor,
): () => void {
  const { store, actions } = session.playground
  const model = source.getModel() as editor.ITextModel
  const marks = createMarks(model, 'source')
  const check = createJsonCheck(model)
  let shownText = ''
  let shownName: string | undefined
  let isShowing = false
  let isTyping = false
  let timer: ReturnType<typeof setTimeout> | undefined

  const showText = ({ source: { text, name } }: PlaygroundState) => {
    if (text === shownText) return
    const view = name === shownName ? source.saveViewState() : null
    shownText = text
    shownName = name
    // What was typed stands in the editor already.
    if (isTyping) return
    isShowing = true
    session.pauseComparison?.()
    model.setValue(text)
    isShowing = false
    marks.clear()
    if (view !== null) source.restoreViewState(view)
    else source.setScrollTop(0)
  }

  const show = (state: PlaygroundState) => {
    showText(state)
    const isChecked = isOneJson(state)
    if (isChecked !== undefined) check.want(isChecked)
    showProblems(model, state, isChecked === false)
    const decisions = shownDecisionsOf(state)
    if (state.source.text === '' || decisions === undefined || state.read === undefined) {
      if (state.source.text === '') marks.clear()
      return
    }
    // While a changed text is read, its marks move with what is typed; one that cannot be read has none.
    if (!isCurrent(state)) {
      if (state.reading.state === 'failed') marks.clear()
      return
    }
    const document = showDocument(state.read)
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
    if (!agrees(model, lineIndexOf(shownText))) {
      type(() => actions.replaceTyped(textWithMark(before, model)))
      actions.notify('line_ends')
    }
    clearTimeout(timer)
    timer = setTimeout(() => actions.endGesture('type'), PAUSE_AFTER_TYPING)
  })

  const stop = store.subscribe(show)
  show(store.getState())
  return () => {
    stop()
    listening.dispose()
    check.end()
    clearTimeout(timer)
  }
}

/** Above this the JSON worker costs more memory than it is worth; the reading finds the first error too. */
const MOST_CHECKED = 4_000_000

/** Whether the text is meant as one JSON document, which is checked as such; undefined while that is not known. */
function isOneJson({ source, read, reading }: PlaygroundState): boolean | undefined {
  if (source.text === '' || source.text.length > MOST_CHECKED) return false
  if (reading.state === 'failed') {
    const { code } = reading.problem
    return code === 'invalid_json' || code === 'truncated_json'
  }
  if (read?.source.id !== source.id) return source.origin.kind === 'typed' ? undefined : false
  return read.model.layout === 'json'
}
