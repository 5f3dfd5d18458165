/**
 * Replaces old turns with a summary that a model writes. A request then has the messages before the first turn, one
 * summary, and the latest turns unchanged. A new summary is written from the previous one and the turns that have become
 * old since, and the cache does not have the prompt from there on. This is an estimate: the text that a model would
 * write, and how the agent would continue, are unknown.
 */
import { firstKeptTurn } from '../../policy/window-steps'
import { TOKENS_PER_MESSAGE } from '../../tokens/count-conversation'
import { addRequest, applyPrices, emptySums, priceTiers } from '../price-sheet'
import { NO_CHANGES, type RequestChanges } from '../request-changes'
import type { CostTerms } from '../request-terms'
import { prefixTokensOf, type Session } from '../sessions'
import type { Tokens, Usd } from '../units'

export interface SummariseSettings {
  /** A summary is written each time this many turns have become old. */
  readonly everyTurns: number
  /** How many of the latest turns are sent unchanged. */
  readonly recentTurns: number
  readonly summaryTokens: Tokens
}

export const DEFAULT_SUMMARIES: SummariseSettings = {
  everyTurns: 21,
  recentTurns: 10,
  summaryTokens: 500,
}

/** Tokens of the message that contains the summary, without its text. */
export const SUMMARY_OVERHEAD: Tokens = TOKENS_PER_MESSAGE + 1

/** Model calls in addition to the session; they read nothing from a cache. */
interface ExtraCalls {
  readonly count: number
  readonly inputTokens: Tokens
  /** Cost of input and output; undefined if a price is unknown. */
  readonly cost: Usd | undefined
}

interface SummarisedSession {
  /** One item: what stands between the messages before the first turn and the latest turns. */
  readonly changes: RequestChanges
  readonly calls: ExtraCalls
}

/** The requests of a session with old turns summarised, and the calls that write the summaries. */
export function summariseSession(
  { conversation, counts, requests }: Session,
  { everyTurns, recentTurns, summaryTokens }: SummariseSettings,
  { prices }: Pick<CostTerms, 'prices'>,
): SummarisedSession {
  const prefix = prefixTokensOf(counts.messages, counts.perRequest)
  const upTo = (message: number) => prefix[message] as number
  const starts = conversation.messages.flatMap(({ turn }, index) =>
    turn === undefined ? [] : [index],
  )
  const head = starts[0] ?? conversation.messages.length
  const tiers = priceTiers(prices)
  const sums = emptySums(tiers)
  let [count, inputTokens] = [0, 0]
  let recent = head
  const window = { windowTurns: recentTurns, batchTurns: everyTurns }
  const recentFrom = requests.map(({ turnCount }) => {
    const from = starts[firstKeptTurn(turnCount, window)] ?? head
    if (from > recent) {
      const input = (recent > head ? summaryTokens : 0) + upTo(from) - upTo(recent)
      addRequest(sums, tiers, input, { read: 0, written: 0, fresh: input }, summaryTokens)
      count++
      inputTokens += input
      recent = from
    }
    return recent
  })
  const { plain, output } = applyPrices(tiers, sums)
  return {
    changes: count === 0 ? NO_CHANGES : changesOf(),
    calls: {
      count,
      inputTokens,
      cost: plain === undefined || output === undefined ? undefined : plain + output,
    },
  }

  function changesOf(): RequestChanges {
    const saved = new Float64Array(1)
    const savedAt = (request: number): Tokens => {
      const from = recentFrom[request] ?? head
      return from === head ? 0 : upTo(from) - upTo(head) - summaryTokens - SUMMARY_OVERHEAD
    }
    return {
      messageOf: [head],
      sentItems: requests.map(({ end }) => (end > head ? 1 : 0)),
      canReturn: false,
      first: recentFrom.findIndex((from) => from > head),
      next: (request) => {
        if (recentFrom[request] === (recentFrom[request - 1] ?? head)) return 0
        saved[0] = savedAt(request) - savedAt(request - 1)
        return 1
      },
      changed: new Int32Array(1),
      saved,
      state: new Int32Array(1),
    }
  }
}
