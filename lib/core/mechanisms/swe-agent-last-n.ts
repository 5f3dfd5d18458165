/**
 * `LastNObservations` of SWE-agent. The task is the first observation and always stays. Tags of observations, which a
 * transcript does not have, are left out.
 */

import { memoizeFor } from '../memoize-for'
import { editsBefore, positionsBefore } from './clear-results'
import { type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { type MessageEdit, numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const sweAgentLastN = defineStateless('swe-agent-last-n', ({ history, end }, settings) => {
  const { observations, edits } = observationsOf(history)
  const polling = numberOf(settings, 'polling')
  const { length: sent } = positionsBefore(observations, end)
  const last = Math.floor(sent / polling) * polling - numberOf(settings, 'n')
  return editsBefore(edits, observations[Math.max(0, last)] ?? end)
})

/** Positions of the observations, and what they become; the first one stays. */
function observationsOf(history: SessionHistory) {
  return memoizeFor(history, observationsOf, () => {
    const [task = Number.POSITIVE_INFINITY] = positionsOf(history, 'user')
    const results = positionsOf(history, 'tool')
    const isObserved = task < (results[0] ?? Number.POSITIVE_INFINITY)
    const observations = isObserved ? [task, ...results] : results
    const edits = observations.slice(1).map((at): [number, MessageEdit] => {
      const { content } = history.messages[at] as HistoryMessage
      return [at, { content: `Old environment output: (${lineCount(content)} lines omitted)` }]
    })
    return { observations, edits }
  })
}

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
