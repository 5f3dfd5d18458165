import { addUse, emptyUses, priceBands } from './costs'
import type { CacheSplit, CacheView } from './prompt-cache'
import { splitSession } from './prompt-cache'
import {
  blocksBefore,
  type CostTerms,
  headMessages,
  outputTokens,
  type ReplaySide,
  totalOf,
} from './replay'
import type { Session } from './requests'
import type { Tokens } from './units'

/** What a way of sending a session other than masking makes of its requests. */
export interface SentRequests {
  /** By request: its input tokens. */
  readonly tokens: readonly Tokens[]
  readonly sharedMessages: CacheView['sharedMessages']
  readonly tokensUpTo: CacheView['tokensUpTo']
}

/** All requests of a session, sent in some way, added up; `splits` by request. */
export function playSent(
  session: Session,
  sent: SentRequests,
  { prices, rule }: CostTerms,
): { readonly total: ReplaySide; readonly splits: readonly CacheSplit[] } {
  const { conversation, requests } = session
  const blocks = blocksBefore(conversation)
  const splits = splitSession(rule, {
    ...sent,
    ends: requests.map(({ end }) => end),
    headTokens: sent.tokensUpTo(0, headMessages(conversation)),
    blocksUpTo: (message) => blocks[message] as number,
  })
  const bands = priceBands(prices)
  const outputs = outputTokens(session)
  const uses = emptyUses(bands)
  for (const [at, tokens] of sent.tokens.entries()) {
    addUse(uses, bands, tokens, splits[at] as CacheSplit, outputs[at] as Tokens)
  }
  return { total: totalOf(bands, uses), splits }
}

/** By message index, and once for the end: tokens of all messages before it and of what every request pays. */
export function prefixTokensOf(messages: readonly Tokens[], perRequest: Tokens): Tokens[] {
  const prefix = [perRequest]
  for (const tokens of messages) prefix.push((prefix.at(-1) as number) + tokens)
  return prefix
}
