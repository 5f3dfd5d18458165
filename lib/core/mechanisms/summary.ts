/**
 * A summary that a model writes takes the place of old turns: every few turns, or when the request has grown to a length.
 * It is written from the summary before it and from what has become old since. Its text, and how the agent would go on with
 * it, are unknown.
 */

import { memoizeFor } from '../memoize-for'
import { firstKeptTurn } from '../policy/window-steps'
import { TOKENS_PER_MESSAGE } from '../tokens/count-conversation'
import { positionsBefore } from './clear-results'
import type { SessionHistory } from './history'
import { isOn, type MessageEdit, NO_EDITS, numberOf } from './mechanism'
import { defineMechanism } from './mechanism-table'

/** Tokens of the message that contains the summary, without its text. */
export const OVERHEAD = TOKENS_PER_MESSAGE + 1

interface Summarised {
  /** Position of the first message that is not summarised. */
  readonly from: number
}

export const summary = defineMechanism<Summarised>(
  'summary',
  { from: 0 },
  ({ history, end, sentTokens }, state, settings) => {
    const turns = turnsOf(history)
    const head = turns[0] ?? history.messages.length
    const known = positionsBefore(turns, end)
    const window = {
      windowTurns: numberOf(settings, 'recent_turns'),
      batchTurns: numberOf(settings, 'every_turns'),
    }
    const from = Math.max(state.from, known[firstKeptTurn(known.length, window)] ?? head)
    const tokens = numberOf(settings, 'summary_tokens')
    const { prefixTokens } = history
    const between = (start: number, stop: number) =>
      (prefixTokens[stop] as number) - (prefixTokens[start] as number)
    const hasSummary = state.from > head
    const length =
      (prefixTokens[end] as number) -
      (hasSummary ? between(head, state.from) - tokens - OVERHEAD : 0)
    if (from <= Math.max(head, state.from) || length < numberOf(settings, 'trigger_tokens'))
      return { state, edits: summarised(history, head, state.from, tokens + OVERHEAD) }
    const priceShare = numberOf(settings, 'price_percent') / 100
    const inputTokens = (hasSummary ? tokens : 0) + between(Math.max(head, state.from), from)
    return {
      state: { from },
      edits: summarised(history, head, from, tokens + OVERHEAD),
      extra: isOn(settings, 'reads_cache')
        ? {
            ...{ inputTokens: length, outputTokens: tokens, priceShare },
            cachedTokens: Math.min(length, sentTokens),
          }
        : { inputTokens, outputTokens: tokens, cachedTokens: 0, priceShare },
    }
  },
)

/** Positions of the messages that open a tool turn. */
function turnsOf(history: SessionHistory): readonly number[] {
  const { messages } = history.session.conversation
  return memoizeFor(history, turnsOf, () =>
    history.messages.flatMap(({ message, result }, at) =>
      result === undefined && messages[message]?.turn !== undefined ? [at] : [],
    ),
  )
}

export const REMOVED: MessageEdit = { isRemoved: true }

/** The edits in which a summary stands for the messages from one position until before another. */
export function summarised(history: SessionHistory, from: number, until: number, tokens: number) {
  if (until <= from) return NO_EDITS
  return memoizeFor(history, `summary ${from} ${until} ${tokens}`, () => {
    const edits = new Map<number, MessageEdit>([
      [from, { isRemoved: true, summary: { tokens, until } }],
    ])
    for (let at = from + 1; at < until; at++) edits.set(at, REMOVED)
    return edits
  })
}
