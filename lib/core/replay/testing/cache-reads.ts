/** What requests read under a cache rule, and what that costs. */
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import type { JsonValue } from '../../testing/chat-messages'
import { conversationOf, turnOf } from '../../testing/conversation-of'
import { flatPrices } from '../../testing/test-sessions'
import { cacheFamilyById, NO_CACHE } from '../cache-rules'
import { priceSheet } from '../price-sheet'
import type { CacheRule, CacheSplit } from '../prompt-cache'
import { type ReplayedRequest, replay } from '../replay'
import { createSession } from '../sessions'

export type SizedMessage = readonly [role: string, tokens: number, blocks?: number]

/** Messages of a user and an assistant in turns, of these sizes. */
export function talk(...tokens: readonly number[]): SizedMessage[] {
  return tokens.map((size, at) => [at % 2 === 0 ? 'user' : 'assistant', size])
}

/** Replays messages of these sizes; a masked result is a placeholder of 40 tokens. */
export function replaySized(
  rule: CacheRule,
  messages: readonly JsonValue[],
  sizes: { readonly messages: readonly number[]; readonly results: readonly number[] },
  policy: MaskPolicy = DEFAULT_POLICY,
): readonly ReplayedRequest[] {
  const session = createSession(conversationOf(messages), { ...sizes, perRequest: 0 })
  const sources = { textOf: () => '', placeholderTokensOf: () => 40 }
  return replay(session, policy, sources, { prices: flatPrices(1, 0.1, 1, 1), rule }).requests
}

/** What each request reads, if messages of these sizes are sent and each assistant message answers a request. */
export function readsOf(rule: CacheRule, sized: readonly SizedMessage[]): number[] {
  const messages = sized.map(([role, , blocks = 1]) => ({
    role,
    content: Array.from({ length: blocks }, () => ({ type: 'text', text: 'text' })),
  }))
  const sizes = { messages: sized.map(([, tokens]) => tokens), results: [] }
  return replaySized(rule, messages, sizes).map(({ before }) => before.split.read)
}

/** What each request reads if each turn is a call of 100 tokens with a result of so many, and older results are masked. */
export function maskedReads(
  rule: CacheRule,
  windowTurns: number,
  turnTokens: readonly number[],
  systemTokens: number,
): number[] {
  const messages = [
    { role: 'system', content: 'A' },
    ...turnTokens.flatMap((_, index) => turnOf(`${index}`, 'text')),
  ]
  const sizes = {
    messages: [systemTokens, ...turnTokens.flatMap((tokens) => [100, tokens])],
    results: turnTokens,
  }
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns }
  return replaySized(rule, messages, sizes, policy).map(({ after }) => after.split.read)
}

export function ruleOf(id: string): CacheRule {
  const family = cacheFamilyById(id)
  if (family === undefined) throw new RangeError(`No family ${id}.`)
  return family.rule
}

/** The cost of a million such requests at 1 dollar a million tokens of input, by the factors of a family. */
export function costOf(id: string, { read, written, fresh }: CacheSplit): number {
  const prices = priceSheet(undefined, cacheFamilyById(id) ?? NO_CACHE, { input: 1 })
  const price = (kind: 'input' | 'cachedRead' | 'cacheWrite') => prices[kind]?.price.base ?? NaN
  return fresh * price('input') + written * price('cacheWrite') + read * price('cachedRead')
}
