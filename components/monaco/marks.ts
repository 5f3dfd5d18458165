import type { editor, IPosition } from 'monaco-editor/editor'
import { firstSlotOnLine } from '@/lib/core/mask/output-layout'
import type { Reason } from '@/lib/core/policy/decide'
import type { ResultPlace, ShownDocument } from '@/lib/state/document/shown-document'
import type { DocumentDecisions } from '@/lib/state/policy/policy-view'

export type Pane = 'source' | 'output'

type Mark = 'masked' | 'kept' | 'window' | 'broken' | 'none'

/** The mark of a result; none if masking is off. */
function markOf(reason: Reason | undefined): Mark {
  switch (reason) {
    case 'masked':
      return 'masked'
    case 'in_window':
      return 'window'
    case 'orphan':
    case 'no_call_id':
      return 'broken'
    case 'excluded_tool':
    case 'kept_last_k':
    case 'kept_error':
    case 'non_text':
    case 'already_masked':
    case 'would_grow':
      return 'kept'
    case 'disabled':
    case 'below_trigger':
    case undefined:
      return 'none'
  }
}

const STICKS_TO_ITS_TEXT = 1

function optionsOf(mark: Mark, pane: Pane): editor.IModelDecorationOptions {
  const text = {
    masked: pane === 'source' ? 'mark-text-faded' : 'mark-text-placeholder',
    kept: pane === 'output' ? 'mark-text-kept' : null,
    window: null,
    broken: null,
    none: null,
  }[mark]
  return {
    stickiness: STICKS_TO_ITS_TEXT,
    marginClassName: `mark-bar-${mark}`,
    firstLineDecorationClassName: `mark-sign mark-sign-${mark}`,
    inlineClassName: text,
  }
}

function allOptions(pane: Pane): Readonly<Record<Mark, editor.IModelDecorationOptions>> {
  return {
    masked: optionsOf('masked', pane),
    kept: optionsOf('kept', pane),
    window: optionsOf('window', pane),
    broken: optionsOf('broken', pane),
    none: optionsOf('none', pane),
  }
}

const OPTIONS = { source: allOptions('source'), output: allOptions('output') }

/** Returns the range of a result in the pane, by index of the document's places. */
export type RangeOfPlace = (place: number) => readonly [start: IPosition, end: IPosition]

/** By index of the document's places. */
interface MarkedPlaces {
  readonly from: number
  readonly until: number
  readonly moved?: ReadonlySet<number> | undefined
}

/** Draws the marks of a pane and updates only the changed ones. */
export function createMarks(model: editor.ITextModel, pane: Pane) {
  let shown: ShownDocument | undefined
  let ids: string[] = []
  let marks: Mark[] = []

  const clear = () => {
    if (!model.isDisposed())
      model.deltaDecorations(
        ids.filter((id) => id),
        [],
      )
    shown = undefined
    ids = []
    marks = []
  }

  /** Draws the marks of a range of places. `moved` are the slots whose text was just replaced. */
  const update = (
    document: ShownDocument,
    decisions: DocumentDecisions,
    rangeOf: RangeOfPlace,
    { from, until, moved }: MarkedPlaces,
  ) => {
    if (shown !== document) clear()
    shown = document
    const removed: string[] = []
    const added: editor.IModelDeltaDecoration[] = []
    const places: number[] = []
    for (let at = from; at < until; at++) {
      const { conversation, result, slot } = document.places[at] as ResultPlace
      const mark = markOf(decisions[conversation]?.[result]?.reason)
      const isSame = marks[at] === mark && !(slot !== undefined && moved?.has(slot))
      if (isSame) continue
      const id = ids[at]
      if (id !== undefined && id !== '') removed.push(id)
      ids[at] = ''
      marks[at] = mark
      if (mark === 'none') continue
      const [start, end] = rangeOf(at)
      places.push(at)
      added.push({
        range: {
          startLineNumber: start.lineNumber,
          startColumn: start.column,
          endLineNumber: end.lineNumber,
          endColumn: end.column,
        },
        options: OPTIONS[pane][mark],
      })
    }
    if (removed.length === 0 && added.length === 0) return
    const created = model.deltaDecorations(removed, added)
    for (const [index, at] of places.entries()) ids[at] = created[index] as string
  }

  return { update, clear }
}

/** What is out of view is updated once no change has come for this long, so a drag updates it once. */
const PAUSE = 300
const MOST_MILLISECONDS = 8
/** Places in a step; the time is looked at after each. */
const PLACES = 8

export interface CatchUp {
  /** Updates the places in view now, and the others soon. */
  readonly start: () => void
  /** Forgets what is not updated yet. */
  readonly stop: () => void
  readonly end: () => void
}

/**
 * Keeps an editor up to date with the decisions: what is in view at once, the rest in short tasks. `update` updates the
 * places of a range of whole lines, by index of the document's places.
 */
export function createCatchUp(
  paneEditor: editor.IStandaloneCodeEditor,
  shown: () => ShownDocument | undefined,
  update: (from: number, until: number) => void,
): CatchUp {
  let timer: ReturnType<typeof setTimeout> | undefined
  /** Index of the first place that may be old; undefined if none is. */
  let next: number | undefined
  let frame: number | undefined

  const updateVisible = () => {
    const slots = shown()?.slots ?? []
    for (const { startLineNumber, endLineNumber } of paneEditor.getVisibleRanges()) {
      const from = firstSlotOnLine(slots, startLineNumber)
      const until = firstSlotOnLine(slots, endLineNumber + 1)
      if (from < until) update(from, until)
    }
  }

  const updateScrolled = () => {
    frame = undefined
    updateVisible()
  }

  const updateRest = (most: number) => {
    const { slots = [], places = [] } = shown() ?? {}
    const start = performance.now()
    while (next !== undefined) {
      const last = slots[next + PLACES - 1]
      const until = last === undefined ? places.length : firstSlotOnLine(slots, last.line + 1)
      update(next, until)
      next = until < places.length ? until : undefined
      if (performance.now() - start > most) break
    }
    if (next !== undefined) timer = setTimeout(updateRest, 0, most)
  }

  const stop = () => {
    clearTimeout(timer)
    next = undefined
  }

  const listening = [
    // An update can scroll the editor itself.
    paneEditor.onDidScrollChange(() => {
      if (next !== undefined) frame ??= requestAnimationFrame(updateScrolled)
    }),
    paneEditor.onDidFocusEditorText(() => {
      clearTimeout(timer)
      updateRest(MOST_MILLISECONDS)
    }),
  ]
  // What is copied must not be a mixture of old and new.
  const finish = () => {
    clearTimeout(timer)
    updateRest(Number.POSITIVE_INFINITY)
  }
  const node = paneEditor.getContainerDomNode()
  const isCapture = true
  node.addEventListener('copy', finish, isCapture)
  return {
    start: () => {
      clearTimeout(timer)
      next = 0
      updateVisible()
      timer = setTimeout(updateRest, PAUSE, MOST_MILLISECONDS)
    },
    stop,
    end: () => {
      stop()
      if (frame !== undefined) cancelAnimationFrame(frame)
      for (const each of listening) each.dispose()
      node.removeEventListener('copy', finish, isCapture)
    },
  }
}
