/**
 * `ObservationMaskingCondenser` of OpenHands, up to November 2025. Its window counts events: each call, each result, and each
 * other message is one.
 */
import { clearResults, firstOf, resultsBefore } from './clear-results'
import { type HistoryMessage, sumsOf } from './history'
import { numberOf } from './mechanism'
import { defineStateless } from './mechanism-table'

export const openhandsMask = defineStateless('openhands-mask', ({ history, end }, settings) => {
  const events = sumsOf(history, eventsOf)
  const before = (events[end] as number) - numberOf(settings, 'attention_window')
  const results = resultsBefore(history, end)
  const old = results.filter((at) => (events[at] as number) < before)
  return clearResults(history, firstOf(results, old.length), '<MASKED>')
})

export function eventsOf({ calls }: HistoryMessage): number {
  return Math.max(1, calls.length)
}
