/**
 * `LastNObservations` of SWE-agent. The task is the first observation and always stays. Tags of observations, which a
 * transcript does not have, are left out.
 */

import { memoizeFor } from '../memoize-for'
import { resultsBefore } from './clear-results'
import type { HistoryMessage } from './history'
import { positionsOf } from './history'
import { numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const sweAgentLastN = defineStateless('swe-agent-last-n', ({ history, end }, settings) => {
  const task = positionsOf(history, 'user')[0]
  const results = resultsBefore(history, end)
  const isObserved = task !== undefined && task < end && task < (results[0] ?? end)
  const observations = isObserved ? [task, ...results] : results
  const polling = numberOf(settings, 'polling')
  const last = Math.floor(observations.length / polling) * polling - numberOf(settings, 'n')
  const old = observations.slice(1, Math.max(1, last))
  const textOf = ({ content }: HistoryMessage) =>
    `Old environment output: (${lineCount(content)} lines omitted)`
  const edits = new Map(
    old.map((at) => {
      const message = history.messages[at] as HistoryMessage
      return [at, memoizeFor(message, lineCount, () => ({ content: textOf(message) }))]
    }),
  )
  return edits
})

/** Characters, beside a line feed after a carriage return, that end a line for Python's `splitlines`. */
const LINE_ENDS = new Set([10, 11, 12, 13, 28, 29, 30, 0x85, 0x2028, 0x2029])

function lineCount(text: string): number {
  let [lines, isOpen] = [0, false]
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\r' && text[at + 1] === '\n') at++
    isOpen = !LINE_ENDS.has(text.charCodeAt(at))
    if (!isOpen) lines++
  }
  return isOpen ? lines + 1 : lines
}
