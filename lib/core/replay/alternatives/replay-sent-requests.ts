import { addRequest, emptySums, priceTiers } from '../apply-prices'
import type { CacheSplit, CacheView } from '../prompt-cache'
import { blocksBefore, splitSession } from '../prompt-cache'
import { type CostTerms, outputTokens, type ReplaySide, totalSide } from '../replay'
import { requestTermsOf } from '../request-terms'
import type { Session } from '../sessions'
import type { Tokens } from '../units'

/** The requests of a session as an alternative to masking sends them. The first one is not asked for what it shares. */
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
  { prices, rule, variants }: CostTerms,
): { readonly total: ReplaySide; readonly splits: readonly CacheSplit[] } {
  const { conversation, requests } = session
  const blocks = blocksBefore(conversation)
  const { priceClass, startsCold } = requestTermsOf(requests, rule, variants)
  // What was sent before a request that started cold has expired.
  let from = 0
  const warmFrom = requests.map((_, request) => {
    if (startsCold[request] === 1) from = request
    return from
  })
  const splits = splitSession(rule, {
    ...sent,
    wholeRequest: (request) => {
      const found = sent.wholeRequest(request)
      return found !== undefined && found < (warmFrom[request] as number) ? undefined : found
    },
    warmTokens: session.warmTokens,
    startsCold: (request) => startsCold[request] === 1,
    ends: requests.map(({ end }) => end),
    blocksUpTo: (message) => blocks[message] as number,
  })
  const tiers = priceTiers(prices, variants)
  const outputs = outputTokens(session)
  const sums = emptySums(tiers)
  for (const [index, tokens] of sent.tokens.entries()) {
    addRequest(
      sums,
      tiers,
      tokens,
      splits[index] as CacheSplit,
      outputs[index] as Tokens,
      priceClass[index],
    )
  }
  return { total: totalSide(tiers, sums), splits }
}
