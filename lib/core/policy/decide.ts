import type { Conversation, ErrorRule, ToolResult } from '../conversation/conversation'
import { isPlaceholder, renderPlaceholder } from './placeholder'
import type { MaskPolicy } from './policy'

/** Why a result is kept or masked, in the order of the checks. */
export const REASONS = [
  'disabled',
  'below_trigger',
  'no_call_id',
  'orphan',
  'in_window',
  'excluded_tool',
  'kept_last_k',
  'kept_error',
  'non_text',
  'already_masked',
  'would_grow',
  'masked',
] as const

export type Reason = (typeof REASONS)[number]

/** For one result: mask or keep, and why. */
export interface Decision {
  readonly action: 'mask' | 'keep'
  readonly reason: Reason
  /** The error rules that keep it; empty for other reasons. */
  readonly keptBy: readonly ErrorRule[]
  /** The text put in the result's place; undefined when it is kept. */
  readonly placeholder: string | undefined
}

/** What `decide` needs beside the facts; all by index of the result. */
export interface DecideSources {
  /** The text of a result, all its parts joined. Asked only for texts as long as a placeholder. */
  readonly textOf: (index: number) => string
  /** Tokens of a result's text, and of a placeholder; needed by `never_grow` and `{original_tokens}` only. */
  readonly tokensOf?: ((index: number) => number) | undefined
  readonly placeholderTokensOf?: ((index: number, placeholder: string) => number) | undefined
  /** Tokens of the whole request before masking; needed by `trigger_tokens` only. */
  readonly requestTokens?: number | undefined
}

/**
 * Decides for every tool result of a conversation, in its order: design section 3.
 * Pure; a loop over the results. Throws a `RangeError` when the policy needs counts that are not given.
 */
export function decide(
  conversation: Pick<Conversation, 'results' | 'turnCount'>,
  policy: MaskPolicy,
  sources: DecideSources,
): Decision[] {
  const { results } = conversation
  if (!policy.enabled || policy.windowTurns <= 0) return results.map(() => keep('disabled'))
  if (policy.triggerTokens > 0) {
    if (sources.requestTokens === undefined) throw missingCounts('trigger_tokens')
    if (sources.requestTokens < policy.triggerTokens)
      return results.map(() => keep('below_trigger'))
  }
  const firstKept = firstKeptTurn(conversation.turnCount, policy)
  const lastOfTools = lastKOfEachTool(results, policy.keepLastKPerTool)
  const excluded = new Set(policy.excludeTools)
  const needsTokens = policy.placeholderTemplate.includes('{original_tokens}')

  return results.map((result, index) => {
    if (result.callId === undefined) return keep('no_call_id')
    if (result.turn === undefined) return keep('orphan')
    if (result.turn >= firstKept) return keep('in_window')
    if (result.toolName !== undefined && excluded.has(result.toolName)) return keep('excluded_tool')
    if (lastOfTools.has(index)) return keep('kept_last_k')
    if (policy.keepErrors && (result.shape !== 'text_parts' || policy.textParts)) {
      const keptBy = result.errorRules.filter((rule) => policy.errorRules.includes(rule))
      if (keptBy.length > 0) return keep('kept_error', keptBy)
    }
    if (result.shape === 'other' || (result.shape === 'text_parts' && !policy.textParts)) {
      return keep('non_text')
    }
    if (isPlaceholder(policy.placeholderTemplate, result, () => sources.textOf(index))) {
      return keep('already_masked')
    }
    if (needsTokens && sources.tokensOf === undefined) throw missingCounts('{original_tokens}')
    const placeholder = renderPlaceholder(
      policy.placeholderTemplate,
      result,
      sources.tokensOf?.(index),
    )
    if (policy.neverGrow) {
      if (sources.tokensOf === undefined || sources.placeholderTokensOf === undefined) {
        throw missingCounts('never_grow')
      }
      const isSmaller = sources.placeholderTokensOf(index, placeholder) < sources.tokensOf(index)
      if (!isSmaller) return keep('would_grow')
    }
    return { action: 'mask', reason: 'masked', keptBy: NO_RULES, placeholder }
  })
}

/** The first turn whose results are kept, from 0; the window moves in steps of `batchTurns`. */
export function firstKeptTurn(
  turnCount: number,
  policy: Pick<MaskPolicy, 'windowTurns' | 'batchTurns'>,
): number {
  const batch = Math.max(1, policy.batchTurns)
  return Math.floor(Math.max(0, turnCount - policy.windowTurns) / batch) * batch
}

function lastKOfEachTool(results: readonly ToolResult[], k: number | null): ReadonlySet<number> {
  const kept = new Set<number>()
  if (k === null || k <= 0) return kept
  const seen = new Map<string, number>()
  for (let index = results.length - 1; index >= 0; index--) {
    const name = results[index]?.toolName
    if (name === undefined) continue
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    if (count <= k) kept.add(index)
  }
  return kept
}

const NO_RULES: readonly ErrorRule[] = []

function keep(reason: Exclude<Reason, 'masked'>, keptBy = NO_RULES): Decision {
  return { action: 'keep', reason, keptBy, placeholder: undefined }
}

function missingCounts(setting: string): RangeError {
  return new RangeError(`${setting} needs token counts, and none were given; pass a token counter.`)
}
