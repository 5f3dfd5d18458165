/**
 * Old turns replaced by a summary a model writes: what comes before the first turn stays, then one summary, then the
 * latest turns whole. Each time the summary is written anew, from itself and the turns that have grown old, and the prompt
 * from there on is new to the cache. An estimate: what a model would really write, and how the agent would go on, is unknown.
 */
import { firstKeptTurn } from '../policy/decide'
import { TOKENS_PER_MESSAGE } from '../tokens/message-tokens'
import { addUse, costsOf, emptyUses, priceBands } from './costs'
import type { CostTerms } from './replay'
import type { Session } from './requests'
import { prefixTokensOf, type SentRequests } from './strategies-play'
import type { Tokens, Usd } from './units'

export interface SummariseSettings {
  /** A summary is written whenever so many turns have grown old. */
  readonly everyTurns: number
  /** The latest turns, sent whole. */
  readonly keepTurns: number
  /** Length of the summary. */
  readonly summaryTokens: Tokens
}

export const DEFAULT_SUMMARIES: SummariseSettings = {
  everyTurns: 21,
  keepTurns: 10,
  summaryTokens: 500,
}

/** A message with a role, around the summary. */
export const SUMMARY_OVERHEAD: Tokens = TOKENS_PER_MESSAGE + 1

/** The calls to a model that a strategy makes itself; nothing of them is read from a cache. */
export interface OwnCalls {
  readonly count: number
  readonly inputTokens: Tokens
  readonly outputTokens: Tokens
  /** Input and output; undefined where a price is unknown. */
  readonly cost: Usd | undefined
}

export interface SummarisedSession {
  readonly sent: SentRequests
  readonly calls: OwnCalls
  /** Of the last request: turns that only the summary tells of, and the tokens of their messages. */
  readonly summarisedTurns: number
  readonly droppedTokens: Tokens
}

/** The requests of a session with old turns summarised, and the calls that takes. */
export function summariseSession(
  { conversation, counts, requests }: Session,
  { everyTurns, keepTurns, summaryTokens }: SummariseSettings,
  { prices }: Pick<CostTerms, 'prices'>,
): SummarisedSession {
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const upTo = (message: number) => prefix[message] as number
  const starts = conversation.messages.flatMap(({ turn }, index) =>
    turn === undefined ? [] : [index],
  )
  const head = starts[0] ?? conversation.messages.length
  const bands = priceBands(prices)
  const uses = emptyUses(bands)
  let [count, inputTokens, summarised] = [0, 0, 0]
  let kept = head
  const window = { windowTurns: keepTurns, batchTurns: everyTurns }
  const keptFrom = requests.map(({ turnCount }) => {
    const turns = firstKeptTurn(turnCount, window)
    const from = turns === 0 ? head : (starts[turns] ?? head)
    if (from > kept) {
      const input = (kept > head ? summaryTokens : 0) + upTo(from) - upTo(kept)
      addUse(uses, bands, input, { read: 0, written: 0, fresh: input }, summaryTokens)
      count++
      inputTokens += input
      kept = from
      summarised = turns
    }
    return kept
  })
  const summary = summaryTokens + SUMMARY_OVERHEAD
  const tokensUpTo = (at: number, message: number): Tokens => {
    const from = keptFrom[at] as number
    if (from === head || message <= head) return upTo(message)
    return upTo(head) + summary + upTo(Math.max(message, from)) - upTo(from)
  }
  const { plain, output } = costsOf(bands, uses)
  return {
    sent: {
      tokens: requests.map(({ end }, at) => tokensUpTo(at, end)),
      sharedMessages: (earlier, later) => {
        const end = requests[earlier]?.end as number
        return keptFrom[earlier] === keptFrom[later] ? end : Math.min(head, end)
      },
      tokensUpTo,
    },
    calls: {
      count,
      inputTokens,
      outputTokens: count * summaryTokens,
      cost: plain === undefined || output === undefined ? undefined : plain + output,
    },
    summarisedTurns: summarised,
    droppedTokens: upTo(kept) - upTo(head),
  }
}
