/**
 * Simulates the prompt cache of a provider, by one of four rules. A request consists of its head (tool schemas, which
 * all requests share) and its messages. Two requests share a prefix up to the first message that differs. Assumptions: a
 * changed message shares none of its tokens, entries expire only as `request-terms` finds, one session runs at a time,
 * and, except by `units`, an answer is read from the cache only after a later request has sent it.
 */
import type { Message } from '../conversation/conversation'
import type { LinkedMessages } from '../conversation/link-messages'

/** Tokens under the encoding the counts were made with. */
export type Tokens = number

/** United States dollars. */
export type Usd = number

/** Dollars for a million tokens, as price lists write it. */
export type UsdPerMillion = number

/** How far back an earlier request is found. */
export type LookBack =
  /** The earlier request must end within this many blocks before the end of the request, including that block. */
  | { readonly unit: 'blocks'; readonly count: number }
  /** The earlier request must be one of this many previous requests. */
  | { readonly unit: 'requests'; readonly count: number }

export type CacheRule =
  | { readonly kind: 'none' }
  /** Reads the longest prefix that is shared with any earlier request. */
  | {
      readonly kind: 'prefix'
      readonly minimumTokens: Tokens
      readonly stepTokens: Tokens
      readonly lifetimeSeconds?: number | undefined
    }
  /** Reads up to the end of an earlier request, if the entire earlier request is unchanged. */
  | {
      readonly kind: 'breakpoint'
      readonly minimumTokens: Tokens
      readonly stepTokens: Tokens
      /** How long an entry lives after its last use; undefined where it is not documented, and nothing expires. */
      readonly lifetimeSeconds?: number | undefined
      /** Undefined if any earlier request is found. */
      readonly lookBack: LookBack | undefined
      /** True if tool schemas and leading system messages are marked too; they are always found once sent. */
      readonly isHeadMarked: boolean
    }
  /**
   * Reads the longest stored unit that the request starts with. A unit ends with a request, with an answer, or where
   * two earlier requests first differed, and at every `intervalTokens` of what an earlier request shares.
   */
  | {
      readonly kind: 'units'
      readonly minimumTokens: Tokens
      /** Undefined if the provider does not state it; no unit then ends at an interval. */
      readonly intervalTokens?: Tokens | undefined
      readonly lifetimeSeconds?: number | undefined
    }

/** The same rule for a cache that forgets nothing. */
export function withoutLifetime(rule: CacheRule): CacheRule {
  return rule.kind === 'none' ? rule : { ...rule, lifetimeSeconds: undefined }
}

/** The input tokens of one request, each counted once. */
export interface CacheSplit {
  readonly read: Tokens
  readonly written: Tokens
  /** Neither read nor written; these have the normal input price. */
  readonly fresh: Tokens
}

/** Splits a request of `total` tokens, of which an earlier request sent the first `shared`. */
export function splitRequest(rule: CacheRule, total: Tokens, shared: Tokens): CacheSplit {
  const read = cachedTokens(rule, shared)
  const written = cachedTokens(rule, total) - read
  return { read, written, fresh: total - read - written }
}

/** Tokens of a prefix that a cache stores: a multiple of the step, and none below the minimum. */
export function cachedTokens(rule: CacheRule, prefix: Tokens): Tokens {
  if (rule.kind === 'none') return 0
  const tokens = rule.kind === 'units' ? prefix : wholeSteps(prefix, rule.stepTokens)
  return tokens >= rule.minimumTokens ? tokens : 0
}

function wholeSteps(tokens: Tokens, step: Tokens): Tokens {
  // Division is much faster here than the remainder of two floats.
  return step <= 1 ? tokens : Math.floor(tokens / step) * step
}

/**
 * Number of content blocks before each message, and before the end, as Anthropic counts them for a look-back: the calls
 * of a message are one block, and so are the results of successive messages.
 */
export function blocksBefore({ messages, calls, results }: LinkedMessages): number[] {
  const hasCalls = new Uint8Array(messages.length)
  const hasResults = new Uint8Array(messages.length)
  for (const { message } of calls) hasCalls[message] = 1
  for (const { message } of results) hasResults[message] = 1
  const blocks = [0]
  let before = 0
  let isAfterResults = false
  for (let index = 0; index < messages.length; index++) {
    const { role, contents, reasoning, nonTextParts } = messages[index] as Message
    const isAnswer = hasResults[index] === 1
    const texts = isAnswer && role === 'tool' ? 0 : contents.length
    // Images in a message with results are parts of them.
    const parts = texts + reasoning.length + (isAnswer ? 0 : nonTextParts)
    const run = isAnswer && !isAfterResults ? 1 : 0
    const own = parts + run + (hasCalls[index] as number)
    isAfterResults = isAnswer && parts === 0
    before += isAfterResults ? own : Math.max(1, own)
    blocks.push(before)
  }
  return blocks
}
