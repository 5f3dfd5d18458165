import { addRequest, emptySums, priceTiers } from '../apply-prices'
import type { CacheSplit, CacheView } from '../prompt-cache'
import { splitSession } from '../prompt-cache'
import { blocksBefore, type CostTerms, outputTokens, type ReplaySide, totalSide } from '../replay'
import type { Session } from '../sessions'
import type { Tokens } from '../units'

/** The requests of a session as an alternative to masking sends them. */
export interface SentRequests {
  /** Input tokens of each request. */
  readonly tokens: readonly Tokens[]
  readonly headTokens: Tokens
  readonly longestShared: CacheView['longestShared']
  readonly wholeRequest: CacheView['wholeRequest']
  readonly longestUnit: CacheView['longestUnit']
}

/** Adds up the requests of a session as an alternative sends them; `splits` is by request. */
export function replaySentRequests(
  session: Session,
  sent: SentRequests,
  { prices, rule }: CostTerms,
): { readonly total: ReplaySide; readonly splits: readonly CacheSplit[] } {
  const { conversation, requests } = session
  const blocks = blocksBefore(conversation)
  const splits = splitSession(rule, {
    ...sent,
    ends: requests.map(({ end }) => end),
    blocksUpTo: (message) => blocks[message] as number,
  })
  const tiers = priceTiers(prices)
  const outputs = outputTokens(session)
  const sums = emptySums(tiers)
  for (const [index, tokens] of sent.tokens.entries()) {
    addRequest(sums, tiers, tokens, splits[index] as CacheSplit, outputs[index] as Tokens)
  }
  return { total: totalSide(tiers, sums), splits }
}
