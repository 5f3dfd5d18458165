/** Texts that are too large for the editors open as messages, until the user asks for the JSON. */
import { nextTask } from '@/lib/worker/run-in-steps'
import type { PlaygroundState } from '../store'

/** In UTF-16 units. Another width of the panes wraps a text of this length in one task of about half a second. */
const MOST_EDITED = 12_000_000

/** In UTF-16 units. The steps of opening a longer text are tasks of their own, so that none blocks the page. */
export const LONGEST_AT_ONCE = 4_000_000

/** True if the editors do not show the text. */
export function isTooLargeToEdit(state: Pick<PlaygroundState, 'source' | 'jsonDocument'>): boolean {
  const { text, document } = state.source
  return text.length > MOST_EDITED && state.jsonDocument !== document
}

/** Joins a long text in a task of its own. */
export async function joinPieces(pieces: readonly string[]): Promise<string> {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  if (length <= LONGEST_AT_ONCE) return pieces.join('')
  await nextTask()
  const text = pieces.join('')
  await nextTask()
  return text
}
