import type { editor } from 'monaco-editor/editor'
import { firstSlotOnLine } from '@/lib/core/mask/output-layout'
import type { ShownDocument } from '@/lib/state/document/shown-document'

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
