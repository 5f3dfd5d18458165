/** The masked text to copy or save, and the view that shows it. */
import { maskEdits } from '@/lib/core/mask/mask-document'
import { LINK_VIEWS, type LinkView } from '@/lib/core/share/link/settings-link'
import { piecesAfter } from '@/lib/core/text/span'
import { isWritten, sentRequestOf } from '../costs/tried-mechanism'
import { allDecisionsOf } from '../policy/policy-view'
import { optional, type PlaygroundState, select } from '../store'
import { readStored, STORAGE_KEYS, type TextStorage, writeStored } from '../sync-stored'
import { currentReadOf, slicesOf } from './selectors'

/**
 * The masked text in pieces, for it can be too long to be joined at once, or the request that a mechanism sends; undefined
 * unless the shown document is current.
 */
export const currentOutputPiecesOf = select(
  [
    currentReadOf,
    allDecisionsOf,
    optional(isWritten),
    optional((state) => sentRequestOf(state) ?? undefined),
  ],
  ({ source, model }, decisions, isRequest, sent): readonly string[] | undefined =>
    isRequest
      ? sent && [sent.text]
      : piecesAfter(slicesOf(source), maskEdits(model.conversations, decisions)),
)

/**
 * By a link or a choice on this page, else by the last choice on an earlier page. Else messages where the lines of the JSON
 * are too long to read, as those of a log are.
 */
export function viewOf(state: PlaygroundState): LinkView {
  const { view, earlierView, read } = state
  const isLong = read !== undefined && (read.model.layout === 'jsonl' || read.model.isOnFewLines)
  return view ?? earlierView ?? (isLong ? 'messages' : 'masked')
}

/** The view that a reader chose last in this browser. */
export function readEarlierView(storage: () => TextStorage): LinkView | undefined {
  const viewNamed = (text: string | null) => LINK_VIEWS.find((view) => view === text)
  return readStored(storage, STORAGE_KEYS.view, viewNamed)
}

/** Figures are looked up; another page opens with a text again. */
export const isText = (view: LinkView): boolean =>
  view === 'masked' || view === 'messages' || view === 'diff'

export function rememberView(storage: () => TextStorage, view: LinkView): void {
  if (isText(view)) writeStored(storage, STORAGE_KEYS.view, view)
}
