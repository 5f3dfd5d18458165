/** The view of the output. */
import { LINK_VIEWS, type LinkView } from '@/lib/core/share/link/settings-link'
import { hasMoreLines } from '@/lib/core/text/line-index'
import { memoize } from '../memoize'
import { STORAGE_KEYS } from '../storage-keys'
import type { PlaygroundState } from '../store'
import type { TextStorage } from '../sync-stored'
import type { ReadSource } from './document-slice'

/** By a link or a choice on this page, else by the last choice on an earlier page, else by the document. */
export function viewOf({
  view,
  earlierView,
  read,
}: Pick<PlaygroundState, 'view' | 'earlierView' | 'read'>): LinkView {
  return view ?? earlierView ?? suitableView(read)
}

/** Messages where the lines of the JSON are too long to read, as those of a log are. */
function suitableView(read: ReadSource | undefined): LinkView {
  if (read === undefined) return 'masked'
  return read.model.layout === 'jsonl' || isOnFewLines(read) ? 'messages' : 'masked'
}

/** True for a JSON document with fewer lines than messages, which is worth formatting. */
export const isOnFewLines = memoize(({ source, model }: ReadSource): boolean => {
  if (model.layout !== 'json') return false
  const messages = model.conversations.reduce((sum, { messages }) => sum + messages.length, 0)
  return !hasMoreLines(source.text, messages)
})

/** The view that a reader chose last in this browser. */
export function readEarlierView(storage: () => TextStorage): LinkView | undefined {
  try {
    const text = storage().getItem(STORAGE_KEYS.view)
    return LINK_VIEWS.find((view) => view === text)
  } catch {
    return undefined
  }
}

export function rememberView(storage: () => TextStorage, view: LinkView): void {
  try {
    storage().setItem(STORAGE_KEYS.view, view)
  } catch {
    // The browser refuses: nothing is remembered.
  }
}
