/** Long results are cut in the middle when they are recorded, as gateways do. What is cut stays so, and the cache is kept. */

import { memoizeFor } from '../memoize-for'
import { resultsBefore } from './clear-results'
import { charsOf, type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { type MessageEdit, type MessageEdits, numberOf, type Settings } from './mechanism'
import { defineStateless } from './mechanism-table'

export const truncate = defineStateless('truncate', ({ history, end }, settings) => {
  const all = cutResults(history, settings)
  const last = resultsBefore(history, end).length
  const edits: MessageEdits = memoizeFor(
    all,
    last,
    () => new Map(all.slice(0, last).flatMap((one) => one ?? [])),
  )
  return edits
})

/** By result, in the order of the history: its position and what it becomes, if it is long. */
function cutResults(
  history: SessionHistory,
  settings: Settings,
): readonly ([[number, MessageEdit]] | undefined)[] {
  const [head, tail] = [numberOf(settings, 'head_chars'), numberOf(settings, 'tail_chars')]
  return memoizeFor(history, `cut ${head} ${tail}`, () =>
    positionsOf(history, 'tool').map((at) => {
      const message = history.messages[at] as HistoryMessage
      const left = charsOf(message) - head - tail
      const marker = `[... ${left.toLocaleString('en')} characters left out ...]`
      if (left <= marker.length) return undefined
      const { content } = message
      // No character has more than two units.
      const start = [...content.slice(0, 2 * head)].slice(0, head).join('')
      const end = tail === 0 ? '' : [...content.slice(-2 * tail)].slice(-tail).join('')
      return [[at, { content: `${start}\n${marker}\n${end}` }]]
    }),
  )
}
