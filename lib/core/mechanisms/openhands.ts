/**
 * Condensers of OpenHands, up to November 2025. One masks old results; the others forget events: all but the first and the
 * last, or half of them once there are too many, with or without a summary. Each call, each result and each other message is
 * an event; those that forget do not count the system prompt. A call is forgotten with its result, as the vendor does before it
 * sends messages.
 */

import { callsOf, clearResults, firstOf, resultsBefore } from './clear-results'
import type { HistoryMessage, SessionHistory } from './history'
import { sumsOf } from './history'
import { type Mechanism, type MessageEdit, numberOf } from './mechanism'
import { defineMechanism, defineStateless } from './mechanism-table'
import { OVERHEAD, REMOVED } from './summary'

const eventsOf = ({ calls }: HistoryMessage) => Math.max(1, calls.length)

export const openhandsMask = defineStateless('openhands-mask', ({ history, end }, settings) => {
  const events = sumsOf(history, eventsOf)
  const before = (events[end] as number) - numberOf(settings, 'attention_window')
  const results = resultsBefore(history, end)
  const old = results.filter((at) => (events[at] as number) < before)
  return clearResults(history, firstOf(results, old.length), '<MASKED>')
})

const shownEvents = (message: HistoryMessage) => (message.role === 'system' ? 0 : eventsOf(message))

export const openhandsRecent = defineStateless('openhands-recent', ({ history, end }, settings) => {
  const first = numberOf(settings, 'keep_first')
  const last = Math.max(1, numberOf(settings, 'max_events') - first)
  const count = sumsOf(history, shownEvents)[end] as number
  return forgotten(history, end, first, count - last)
})

/** The state is the number of events before the first one after those that are forgotten. */
const rolling =
  (hasSummary: boolean): Mechanism<number>['step'] =>
  ({ history, end }, before, settings) => {
    const first = numberOf(settings, 'keep_first')
    const events = sumsOf(history, shownEvents)
    const count = events[end] as number
    const summaryEvents = hasSummary ? 1 : 0
    const isCondensed = before > first
    const size = count - (isCondensed ? before - first - summaryEvents : 0)
    const most = numberOf(settings, 'max_size')
    const tail = Math.max(1, Math.floor(most / 2) - Math.min(first, count) - summaryEvents)
    const isDue = size > most && count - tail > Math.max(first, before)
    const state = isDue ? count - tail : before
    const tokens = hasSummary ? numberOf(settings, 'summary_tokens') : 0
    const summary = hasSummary ? tokens + OVERHEAD : undefined
    const edits = forgotten(history, end, first, state, summary)
    if (!isDue || !hasSummary) return { state, edits }
    // A long event is cut for the summary. The vendor turns the cache off for its request.
    const longest = numberOf(settings, 'max_event_length')
    const isNew = (at: number) =>
      (events[at] as number) >= Math.max(first, before) && (events[at] as number) < state
    const inputTokens = history.messages.reduce(
      (sum, { content, tokens: own, role }, at) => {
        const share = Math.min(1, longest / Math.max(1, content.length))
        return at < end && role !== 'system' && isNew(at) ? sum + Math.ceil(own * share) : sum
      },
      isCondensed ? tokens : 0,
    )
    return { state, edits, extra: { inputTokens, outputTokens: tokens, cachedTokens: 0 } }
  }

export const openhandsAmortized = defineMechanism('openhands-amortized', 0, rolling(false))
export const openhandsSummary = defineMechanism('openhands-summary', 0, rolling(true))

/** Leaves out the events from one number until another; a summary takes the place of the first message that is gone. */
function forgotten(
  history: SessionHistory,
  end: number,
  first: number,
  until: number,
  summaryTokens?: number,
) {
  const events = sumsOf(history, shownEvents)
  const isOld = (event: number) => event >= first && event < until
  const messages = history.messages.slice(0, end)
  const askedBy = callsOf(history)
  const edits = new Map<number, MessageEdit>()
  /** By message: its calls that are gone, or whose result is. */
  const gone = new Map<number, Set<number>>()
  const drop = (at: number, call: number) => gone.set(at, (gone.get(at) ?? new Set()).add(call))
  if (until <= first) return edits
  for (const [at, { calls }] of messages.entries()) {
    const event = events[at] as number
    const asked = askedBy[at]
    if (asked !== undefined && isOld(event)) drop(asked.at, asked.position)
    for (const call of calls.keys()) if (isOld(event + call)) drop(at, call)
  }
  for (const [at, { role, calls }] of messages.entries()) {
    const asked = askedBy[at]
    const own = gone.get(at)
    const isOldText = role !== 'system' && calls.length === 0 && isOld(events[at] as number)
    const isGone = asked ? gone.get(asked.at)?.has(asked.position) : isOldText
    if (isGone || own?.size === calls.length) edits.set(at, REMOVED)
    else if (own) edits.set(at, { calls: Object.fromEntries([...own].map((call) => [call, null])) })
  }
  const removed = [...edits].find(([, edit]) => edit.isRemoved)?.[0]
  if (summaryTokens !== undefined && removed !== undefined)
    edits.set(removed, { isRemoved: true, summary: { tokens: summaryTokens, until: removed + 1 } })
  return edits
}
