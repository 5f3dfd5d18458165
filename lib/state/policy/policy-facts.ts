/** Facts about the shown conversation beside the fields of the policy form: counts, placeholder costs and a preview. */
import type { Conversation, ErrorRule, ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { firstKeptTurn } from '@/lib/core/policy/decide'
import { renderPlaceholder } from '@/lib/core/policy/placeholder'
import { isSameSetting, type MaskPolicy } from '@/lib/core/policy/policy'
import { POLICY_FIELDS } from '@/lib/core/policy/policy-fields'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import type { ReadSource } from '../document/document-slice'
import { conversationOf, countsOf, decisionsOf, placeholderTokensOf } from '../document/selectors'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'

const ruleCounts = memoize((conversation: Conversation) => {
  const counts = new Map<ErrorRule, number>()
  for (const { errorRules } of conversation.results)
    for (const rule of errorRules) counts.set(rule, (counts.get(rule) ?? 0) + 1)
  return counts as ReadonlyMap<ErrorRule, number>
})

/** Number of results that match each error rule, whether the rule is on or off. */
export function errorRuleCountsOf(
  state: PlaygroundState,
): ReadonlyMap<ErrorRule, number> | undefined {
  const conversation = conversationOf(state)
  return conversation && ruleCounts(conversation)
}

export interface ToolShare {
  readonly name: string
  readonly results: number
  /** Tokens of all its results; undefined until counted. */
  readonly tokens: number | undefined
}

const toolShares = memoize(
  (read: ReadSource, counts: readonly ConversationCounts[] | undefined): readonly ToolShare[] => {
    const shares = new Map<string, { results: number; tokens: number }>()
    for (const [at, { results }] of read.model.conversations.entries()) {
      for (const [index, { toolName }] of results.entries()) {
        if (toolName === undefined) continue
        const tokens = counts?.[at]?.results[index] ?? 0
        const share = shares.get(toolName)
        if (share === undefined) shares.set(toolName, { results: 1, tokens })
        else {
          share.results++
          share.tokens += tokens
        }
      }
    }
    return [...shares]
      .map(([name, { results, tokens }]) => ({
        name,
        results,
        tokens: counts === undefined ? undefined : tokens,
      }))
      .sort((a, b) => (b.tokens ?? 0) - (a.tokens ?? 0) || b.results - a.results)
  },
)

const NO_TOOLS: readonly ToolShare[] = []

/** Tools of all conversations of the document; those with the most tokens first. */
export function toolSharesOf(state: PlaygroundState): readonly ToolShare[] {
  return state.read === undefined ? NO_TOOLS : toolShares(state.read, countsOf(state))
}

/** Tokens of the placeholders in the shown conversation. */
export interface PlaceholderPrice {
  /** Tokens of the shortest and the longest. */
  readonly least: number
  readonly most: number
  readonly all: number
  readonly masked: number
  /** Number of masked results whose placeholder is longer, and the tokens lost on them. */
  readonly grown: number
  readonly lost: number
}

const price = memoize(
  (
    decisions: readonly Decision[],
    counts: ConversationCounts,
    placeholders: readonly number[],
  ): PlaceholderPrice => {
    const sums = { least: Number.POSITIVE_INFINITY, most: 0, all: 0, masked: 0, grown: 0, lost: 0 }
    for (const [index, { action }] of decisions.entries()) {
      if (action === 'keep') continue
      const cost = placeholders[index] as number
      const before = counts.results[index] as number
      sums.least = Math.min(sums.least, cost)
      sums.most = Math.max(sums.most, cost)
      sums.all += cost
      sums.masked++
      if (cost > before) {
        sums.grown++
        sums.lost += cost - before
      }
    }
    return sums
  },
)

/** Undefined until counted, and if nothing is masked. */
export function placeholderPriceOf(state: PlaygroundState): PlaceholderPrice | undefined {
  const at = state.conversation
  const decisions = decisionsOf(state)?.[at]
  const counts = countsOf(state)?.[at]
  const placeholders = placeholderTokensOf(state)?.[at]
  if (!decisions || !counts || !placeholders) return undefined
  const sums = price(decisions, counts, placeholders)
  return sums.masked === 0 ? undefined : sums
}

/** A result and the placeholder it would get. */
export interface PlaceholderPreview {
  readonly result: ToolResult
  readonly text: string
  readonly tokensBefore: number | undefined
  readonly tokensAfter: number | undefined
}

const preview = memoize(
  (
    result: ToolResult,
    template: string,
    tokensBefore: number | undefined,
    tokensAfter: number | undefined,
  ): PlaceholderPreview => ({
    result,
    text: renderPlaceholder(template, result, tokensBefore),
    tokensBefore,
    tokensAfter,
  }),
)

/** Preview for the selected result, else the first masked one, else the first; undefined if there are no results. */
export function placeholderPreviewOf(state: PlaygroundState): PlaceholderPreview | undefined {
  const results = conversationOf(state)?.results
  if (results === undefined || results.length === 0) return undefined
  const at = state.conversation
  const firstMasked = decisionsOf(state)?.[at]?.findIndex(({ action }) => action === 'mask') ?? -1
  const index = state.selection?.result ?? Math.max(firstMasked, 0)
  const result = results[index]
  if (result === undefined) return undefined
  return preview(
    result,
    state.policy.placeholderTemplate,
    countsOf(state)?.[at]?.results[index],
    placeholderTokensOf(state)?.[at]?.[index],
  )
}

/** Tokens of the next request, before masking; undefined until counted. */
export function requestTokensOf(state: PlaygroundState): number | undefined {
  const counts = countsOf(state)?.[state.conversation]
  return counts && requestTokens(counts)
}

/** The turns a window covers, counted from 1. */
export type WindowReach =
  | { readonly state: 'off' }
  /** The window covers the whole conversation. */
  | { readonly state: 'longer' | 'all'; readonly turns: number }
  /** The window moves in batches, and the conversation is too short for the first. */
  | { readonly state: 'before_first_step'; readonly turns: number }
  | {
      readonly state: 'keeps'
      readonly first: number
      readonly turns: number
      readonly kept: number
    }

export function windowReach(
  turns: number,
  policy: Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>,
): WindowReach {
  if (policy.windowTurns <= 0) return { state: 'off' }
  if (policy.windowTurns > turns) return { state: 'longer', turns }
  if (policy.windowTurns === turns) return { state: 'all', turns }
  const first = firstKeptTurn(turns, policy)
  if (first === 0) return { state: 'before_first_step', turns }
  return { state: 'keeps', first: first + 1, turns, kept: turns - first }
}

/** True if a setting differs from the page's default. */
export function isChanged(policy: MaskPolicy, key: keyof MaskPolicy): boolean {
  return !isSameSetting(policy[key], LINK_DEFAULTS[key])
}

/** Settings in use that Schema 1 does not have. */
export function extensionsInUse(policy: MaskPolicy): readonly (keyof MaskPolicy)[] {
  return POLICY_FIELDS.filter(({ key, isExtension }) => isExtension && isChanged(policy, key)).map(
    ({ key }) => key,
  )
}
