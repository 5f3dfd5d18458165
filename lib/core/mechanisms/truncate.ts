/** Long results are cut in the middle when they are recorded, as gateways do. What is cut stays so, and the cache is kept. */

import { memoizeFor } from '../memoize-for'
import { firstCodePoints } from '../text/span'
import { editsBefore } from './clear-results'
import { charsOf, type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { type MessageEdit, numberOf, type Settings } from './mechanism'
import { defineStateless } from './mechanism-table'

export const truncate = defineStateless('truncate', ({ history, end }, settings) =>
  editsBefore(cutResults(history, settings), end),
)

/** The results that are long, and what they become. */
function cutResults(history: SessionHistory, settings: Settings) {
  const [head, tail] = [numberOf(settings, 'head_chars'), numberOf(settings, 'tail_chars')]
  return memoizeFor(history, `cut ${head} ${tail}`, () =>
    positionsOf(history, 'tool').flatMap((at): [number, MessageEdit][] => {
      const message = history.messages[at] as HistoryMessage
      const left = charsOf(message) - head - tail
      const marker = `[... ${left.toLocaleString('en')} characters left out ...]`
      if (left <= marker.length) return []
      const { content } = message
      // No character has more than two units.
      const start = firstCodePoints(content, head)
      const end = tail === 0 ? '' : [...content.slice(-2 * tail)].slice(-tail).join('')
      return [[at, { content: `${start}\n${marker}\n${end}` }]]
    }),
  )
}
