/**
 * A window of turns in steps that spares what was used again: a result is as old as the last answer that took something from
 * it, and not only as old as itself.
 */
import { firstKeptTurn } from '../policy/window-steps'
import { callOf, clearResults, resultsBefore, withMore } from './clear-results'
import type { HistoryMessage } from './history'
import { namesOf, numberOf, textOf } from './mechanism'
import { defineMechanism } from './mechanism-table'

export const usedAgain = defineMechanism<readonly number[]>(
  'used-again',
  [],
  ({ history, end, request }, state, settings) => {
    const { session, uses, messages } = history
    const { turnCount } = session.requests[request] as (typeof session.requests)[number]
    const batchTurns = numberOf(settings, 'batch_turns')
    const firstKept = (key: string) =>
      firstKeptTurn(turnCount, { windowTurns: numberOf(settings, key), batchTurns })
    const lastUse = new Map<number, number>()
    for (const use of uses) {
      if (use.request >= request) break
      const turns = session.requests[use.request]?.turnCount as number
      for (const holder of use.holders) lastUse.set(holder, turns)
    }
    const [windowFrom, sparedFrom] = [firstKept('window_turns'), firstKept('spared_turns')]
    const known = new Set(state)
    const more = resultsBefore(history, end, namesOf(settings, 'exclude_tools')).filter((at) => {
      const result = (messages[at] as HistoryMessage).result as number
      const asked = messages[callOf(history, at)?.at ?? -1]?.message ?? -1
      const turn = session.conversation.messages[asked]?.turn ?? Number.POSITIVE_INFINITY
      return !known.has(at) && turn < windowFrom && (lastUse.get(result) ?? -1) < sparedFrom
    })
    const cleared = withMore(state, more)
    return {
      state: cleared,
      edits: clearResults(history, cleared, textOf(settings, 'placeholder')),
    }
  },
)
