/**
 * A window of turns in steps that spares what was used again: a result is as old as the last answer that took something from
 * it, and not only as old as itself.
 */
import { callOf, clearedPicture, resultsBefore } from './clear-results'
import type { HistoryMessage } from './history'
import { type Mechanism, namesOf, numberOf, textOf } from './mechanism'

export const usedAgain: Mechanism<readonly number[]> = {
  id: 'used-again',
  rows: [
    { key: 'window_turns', value: 8, tried: [2, 4, 8, 16, 32], least: 1 },
    { key: 'batch_turns', value: 10, tried: [1, 5, 10, 25, 50], least: 1 },
    // Turns for which a result that was used stays after its last use.
    { key: 'spared_turns', value: 24, tried: [8, 24, 48] },
    { key: 'exclude_tools', value: [] },
    { key: 'placeholder', value: '[cleared]' },
  ],
  source: { url: 'https://arxiv.org/abs/2508.21433', read: '2026-11' },
  start: [],
  step: ({ history, end, request }, state, settings) => {
    const { session, uses, messages } = history
    const { turnCount } = session.requests[request] as (typeof session.requests)[number]
    const step = numberOf(settings, 'batch_turns')
    const firstKept = (turns: number) => {
      const old = turnCount - turns
      return old <= 0 ? 0 : old - (old % step)
    }
    const lastUse = new Map<number, number>()
    for (const use of uses) {
      if (use.request >= request) break
      const turns = session.requests[use.request]?.turnCount as number
      for (const holder of use.holders) lastUse.set(holder, turns)
    }
    const [windowFrom, sparedFrom] = [
      numberOf(settings, 'window_turns'),
      numberOf(settings, 'spared_turns'),
    ].map(firstKept) as [number, number]
    const known = new Set(state)
    const more = resultsBefore(history, end, namesOf(settings, 'exclude_tools')).filter((at) => {
      const result = (messages[at] as HistoryMessage).result as number
      const asked = messages[callOf(history, at)?.at ?? -1]?.message ?? -1
      const turn = session.conversation.messages[asked]?.turn ?? Number.POSITIVE_INFINITY
      return !known.has(at) && turn < windowFrom && (lastUse.get(result) ?? -1) < sparedFrom
    })
    const cleared = more.length === 0 ? state : [...state, ...more].sort((a, b) => a - b)
    return {
      state: cleared,
      picture: clearedPicture(history, cleared, textOf(settings, 'placeholder')),
    }
  },
}
