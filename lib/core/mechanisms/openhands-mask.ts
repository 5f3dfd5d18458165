/**
 * `ObservationMaskingCondenser` of OpenHands, up to November 2025. Its window counts events: each call, each result, and each
 * other message is one.
 */
import { clearedPicture, firstOf, resultsBefore } from './clear-results'
import { type HistoryMessage, sumsOf } from './history'
import { type Mechanism, numberOf } from './mechanism'

export const openhandsMask: Mechanism<null> = {
  id: 'openhands-mask',
  rows: [{ key: 'attention_window', value: 100, tried: [5, 10, 20, 50, 100, 200], least: 1 }],
  source: {
    url: 'https://github.com/All-Hands-AI/OpenHands/blob/156d0686c46aafb0fa9d291da6421fb6f64dddc0/openhands/memory/condenser/impl/observation_masking_condenser.py',
    read: '2026-11',
  },
  start: null,
  step: ({ history, end }, state, settings) => {
    const events = sumsOf(history, eventsOf)
    const before = (events[end] as number) - numberOf(settings, 'attention_window')
    const results = resultsBefore(history, end)
    const old = results.filter((at) => (events[at] as number) < before)
    return { state, picture: clearedPicture(history, firstOf(results, old.length), '<MASKED>') }
  },
}

function eventsOf({ calls }: HistoryMessage): number {
  return Math.max(1, calls.length)
}
