import type { editor, IPosition } from 'monaco-editor/editor'
import { firstSpanOnLine } from '@/lib/core/mask/output-layout'
import type { ResultRange, ShownDocument } from '@/lib/state/document/shown-document'
import type { DocumentDecisions } from '@/lib/state/policy/policy-view'
import { endAll, MARK_OF, type Mark, onCaptured, type Pane, textMark } from './editor-session'
import { monaco } from './setup'

const STICKS_TO_ITS_TEXT = 1

export function markOptions(mark: Mark, pane: Pane): editor.IModelDecorationOptions {
  return {
    stickiness: STICKS_TO_ITS_TEXT,
    marginClassName: `mark-bar-${mark}`,
    firstLineDecorationClassName: `mark-sign mark-sign-${mark}`,
    inlineClassName: textMark(mark, pane) ?? null,
  }
}

/** Returns the range of a result in the pane, by index of the document's ranges. */
export type RangeAt = (at: number) => readonly [start: IPosition, end: IPosition]

/** Draws the marks of a pane and updates only the changed ones. */
export function createMarks(model: editor.ITextModel, pane: Pane) {
  let shown: ShownDocument | undefined
  let ids: string[] = []
  let marks: Mark[] = []

  const clear = () => {
    const drawn = ids.filter((id) => id)
    if (!model.isDisposed()) model.deltaDecorations(drawn, [])
    shown = undefined
    ids = []
    marks = []
  }

  /** Draws the marks of some ranges, by index of the document's ranges. `moved` are the spans whose text was just replaced. */
  const update = (
    document: ShownDocument,
    decisions: DocumentDecisions,
    rangeOf: RangeAt,
    from: number,
    until: number,
    moved?: ReadonlySet<number>,
  ) => {
    if (shown !== document) clear()
    shown = document
    const removed: string[] = []
    const added: editor.IModelDeltaDecoration[] = []
    const ranges: number[] = []
    for (let at = from; at < until; at++) {
      const { conversation, result, span } = document.ranges[at] as ResultRange
      const reason = decisions[conversation]?.[result]?.reason
      const mark = reason === undefined ? 'none' : MARK_OF[reason]
      if (marks[at] === mark && !(span !== undefined && moved?.has(span))) continue
      const id = ids[at]
      if (id) removed.push(id)
      ids[at] = ''
      marks[at] = mark
      if (mark === 'none') continue
      ranges.push(at)
      const range = monaco.Range.fromPositions(...rangeOf(at))
      added.push({ range, options: markOptions(mark, pane) })
    }
    if (removed.length === 0 && added.length === 0) return
    const created = model.deltaDecorations(removed, added)
    for (const [index, at] of ranges.entries()) ids[at] = created[index] as string
  }

  return { update, clear }
}

/** What is out of view is updated once no change has come for this long, so a drag updates it once. */
const PAUSE = 300
const MOST_MILLISECONDS = 8
/** Ranges in a step; the time is looked at after each. */
const STEP = 8

/**
 * Keeps an editor up to date with the decisions: what is in view at once, the rest in short tasks. `update` updates the
 * ranges of some whole lines, by index of the document's ranges.
 */
export function createCatchUp(
  paneEditor: editor.IStandaloneCodeEditor,
  shown: () => ShownDocument | undefined,
  update: (from: number, until: number) => void,
) {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Index of the first range that may be old; undefined if none is. */
  let next: number | undefined
  let frame: number | undefined

  const updateVisible = () => {
    const spans = shown()?.spans ?? []
    for (const { startLineNumber, endLineNumber } of paneEditor.getVisibleRanges()) {
      const from = firstSpanOnLine(spans, startLineNumber)
      const until = firstSpanOnLine(spans, endLineNumber + 1)
      if (from < until) update(from, until)
    }
  }

  const updateRest = (most: number) => {
    const { spans = [], ranges = [] } = shown() ?? {}
    const start = performance.now()
    while (next !== undefined) {
      const last = spans[next + STEP - 1]
      const until = last === undefined ? ranges.length : firstSpanOnLine(spans, last.line + 1)
      update(next, until)
      next = until < ranges.length ? until : undefined
      if (performance.now() - start > most) break
    }
    if (next !== undefined) timer = setTimeout(updateRest, 0, most)
  }

  /** Forgets what is not updated yet. */
  const stop = () => {
    clearTimeout(timer)
    next = undefined
  }
  const updateRestNow = (most: number) => {
    clearTimeout(timer)
    updateRest(most)
  }

  const ends = endAll(
    stop,
    () => cancelAnimationFrame(frame ?? 0),
    // An update can scroll the editor itself.
    paneEditor.onDidScrollChange(() => {
      if (next === undefined) return
      frame ??= requestAnimationFrame(() => {
        frame = undefined
        updateVisible()
      })
    }),
    paneEditor.onDidFocusEditorText(() => updateRestNow(MOST_MILLISECONDS)),
    // What is copied must not be a mixture of old and new.
    onCaptured(paneEditor, 'copy', () => updateRestNow(Number.POSITIVE_INFINITY)),
  )
  return {
    /** Updates the ranges in view now, and the others soon. */
    start: () => {
      clearTimeout(timer)
      next = 0
      updateVisible()
      timer = setTimeout(updateRest, PAUSE, MOST_MILLISECONDS)
    },
    stop,
    end: ends,
  }
}
