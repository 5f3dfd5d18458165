/**
 * What a provider reads from its prompt cache, by three rules. A request is head (tool schemas, the same in all of
 * them), then messages; two requests share a prefix as far as their messages are the same. Assumed throughout: a changed
 * message shares none of its tokens, nothing expires between two requests, one session runs at a time, and an answer is
 * read from the cache only once a later request has sent it.
 */
import type { Tokens } from './units'

/** How far back an earlier request is still found. */
export type LookBack =
  /** Its end lies among so many blocks before the end of this request, that end included. */
  | { readonly unit: 'blocks'; readonly count: number }
  /** It is one of the last so many requests. */
  | { readonly unit: 'requests'; readonly count: number }

export type CacheRule =
  | { readonly kind: 'none' }
  /** The longest unchanged prefix any earlier request had. */
  | { readonly kind: 'prefix'; readonly minimumTokens: Tokens; readonly stepTokens: Tokens }
  /** Only up to the end of an earlier request whose whole prefix is unchanged. */
  | {
      readonly kind: 'breakpoint'
      readonly minimumTokens: Tokens
      readonly stepTokens: Tokens
      /** Undefined: any earlier request. */
      readonly lookBack: LookBack | undefined
      /** Whether tool schemas and leading system messages are marked too: always found, once sent. */
      readonly isHeadMarked: boolean
    }

/** The input tokens of one request, each counted once. */
export interface CacheSplit {
  readonly read: Tokens
  readonly written: Tokens
  /** Neither read nor written: paid as without a cache. */
  readonly fresh: Tokens
}

/** The requests of a session as a cache sees them, by index. */
export interface CacheView {
  /** Messages and tokens of each request. */
  readonly ends: readonly number[]
  readonly tokens: readonly Tokens[]
  /** Tokens of tool schemas and leading system messages. */
  readonly headTokens: Tokens
  /** Messages two requests have in common from the beginning on. */
  readonly sharedMessages: (earlier: number, later: number) => number
  /** Tokens of a request's head and of its messages before an index. */
  readonly tokensUpTo: (request: number, message: number) => Tokens
  /** Content blocks of the messages before an index. */
  readonly blocksUpTo: (message: number) => number
}

/** Splits every request of a session into read, written and fresh tokens. */
export function splitSession(rule: CacheRule, view: CacheView): CacheSplit[] {
  return view.tokens.map((total, at) => splitRequest(rule, total, sharedTokens(rule, view, at)))
}

/** Splits one request of `total` tokens of which the first `shared` were sent before. */
export function splitRequest(rule: CacheRule, total: Tokens, shared: Tokens): CacheSplit {
  const read = cachedTokens(rule, shared)
  const written = cachedTokens(rule, total) - read
  return { read, written, fresh: total - read - written }
}

/** How much of a prefix a cache holds: whole steps, nothing below the minimum. */
export function cachedTokens(rule: CacheRule, prefix: Tokens): Tokens {
  if (rule.kind === 'none') return 0
  const tokens = prefix - (prefix % Math.max(1, rule.stepTokens))
  return tokens >= rule.minimumTokens ? tokens : 0
}

/** Whether an earlier request lies within a rule's look-back. */
function isWithinLookBack(
  lookBack: LookBack | undefined,
  requestsBack: number,
  blocksBack: number,
): boolean {
  if (lookBack === undefined) return true
  return lookBack.unit === 'requests' ? requestsBack <= lookBack.count : blocksBack < lookBack.count
}

function sharedTokens(rule: CacheRule, view: CacheView, at: number): Tokens {
  if (at === 0 || rule.kind === 'none') return 0
  if (rule.kind === 'prefix') return view.tokensUpTo(at, longestShared(view, at))
  const { lookBack, isHeadMarked } = rule
  const head = isHeadMarked ? view.headTokens : 0
  const end = view.ends[at] as number
  for (let earlier = at - 1; earlier >= 0; earlier--) {
    const earlierEnd = view.ends[earlier] as number
    const blocksBack = view.blocksUpTo(end) - view.blocksUpTo(earlierEnd)
    if (!isWithinLookBack(lookBack, at - earlier, blocksBack)) break
    if (view.sharedMessages(earlier, at) === earlierEnd)
      return Math.max(head, view.tokens[earlier] as number)
  }
  return head
}

function longestShared(view: CacheView, at: number): number {
  let longest = 0
  for (let earlier = at - 1; earlier >= 0; earlier--) {
    // Earlier requests are shorter: none of the others can share more.
    if ((view.ends[earlier] as number) <= longest) break
    longest = Math.max(longest, view.sharedMessages(earlier, at))
  }
  return longest
}
