import { addToGroup } from '../conversation/add-to-group'
import type { ErrorRule } from '../conversation/conversation'
import { countCodePoints } from '../text/span'
import type { PolicyOfModel, WindowStep } from './break-even'
import { hasPattern } from './error-patterns'
import { canBePlaceholder, isPlaceholder, renderPlaceholder } from './placeholder'
import { isMaskingOff, type MaskPolicy } from './policy'
import type { DecidableConversation, DecidableResult, SavedChars } from './window-steps'
import { isBound, isLinked, keptTurnAt } from './window-steps'

/** The reasons for which a result is kept or masked, in the order of the checks. */
export const REASONS = [
  'disabled',
  'below_trigger',
  'no_call_id',
  'orphan',
  'in_window',
  'before_signed_thinking',
  'excluded_tool',
  'kept_last_k',
  'kept_error',
  'non_text',
  'already_masked',
  'would_grow',
  'masked',
] as const

export type Reason = (typeof REASONS)[number]

export type ErrorMark = ErrorRule | 'pattern'

/** The decision for one result, with its reason. */
export interface Decision {
  readonly action: 'mask' | 'keep'
  readonly reason: Reason
  /** The error rules that keep it, and `pattern` for a text of the user; empty for other reasons. */
  readonly keptBy: readonly ErrorMark[]
  /** The text put in the result's place; undefined when it is kept. */
  readonly placeholder: string | undefined
}

/** Texts and token counts that `decide` needs, by index of the result. */
export interface DecideSources {
  /** The text of a result, all parts joined. Called only for results as long as a placeholder, or for the user's patterns. */
  readonly textOf: (index: number) => string
  /** Tokens of the text of a result, and of a placeholder; only `never_grow` and `{original_tokens}` need them. */
  readonly tokensOf?: ((index: number) => number) | undefined
  readonly placeholderTokensOf?: ((index: number, placeholder: string) => number) | undefined
  /** Tokens of the request before masking, or of one that ends before a message; only `trigger_tokens` needs them. */
  readonly requestTokens?: ((end?: number) => number) | undefined
  /** Called with the last step of a window that moves at break-even. */
  readonly onStep?: ((last: WindowStep | undefined) => void) | undefined
}

/**
 * Decides every tool result of a conversation, in order. The first check that applies gives the reason.
 * Throws a `RangeError` if the policy needs counts that are missing.
 */
export function decide(
  conversation: DecidableConversation,
  policy: PolicyOfModel,
  sources: DecideSources,
): Decision[] {
  const results = linkedResults(conversation.results, policy)
  const lastIds = idsOfLastResults(results, policy.keepLastKPerTool)
  const { requestTokens } = sources
  if (isMaskingOff(policy)) return results.map(() => KEEP.disabled)
  if (policy.triggerTokens > 0) {
    if (requestTokens === undefined) throw missingCounts('trigger_tokens')
    if (requestTokens() < policy.triggerTokens) return results.map(() => KEEP.below_trigger)
  }
  const decideOld = decideOldResults(policy, sources)
  const keptTurn = keptTurnAt(conversation, policy, savedCharsOf(policy, sources), sources.onStep)
  const firstKept = keptTurn(conversation.turnCount, Number.POSITIVE_INFINITY)
  /** By message with signed thinking: the last results of each tool in its request; undefined below `trigger_tokens`. */
  const lastIdsAt = new Map<number, ReadonlySet<string> | undefined>()
  const idsByTool = new Map<string, string[]>()
  let sent = 0
  /** Called for messages in their order, so that each result is looked at once. */
  const lastIdsBefore = (message: number): ReadonlySet<string> | undefined => {
    if (lastIdsAt.has(message)) return lastIdsAt.get(message)
    const k = policy.keepLastKPerTool
    for (; k > 0 && (results[sent]?.message ?? message) < message; sent++) {
      const result = results[sent] as DecidableResult
      if (result.toolName !== undefined) addToGroup(idsByTool, result.toolName, idInTurn(result))
    }
    const tokens =
      policy.triggerTokens > 0
        ? (requestTokens as NonNullable<DecideSources['requestTokens']>)(message)
        : 0
    const ids = [...idsByTool.values()].flatMap((all) => all.slice(-k))
    const found = tokens < policy.triggerTokens ? undefined : new Set(ids)
    lastIdsAt.set(message, found)
    return found
  }
  /** True if the request that the signed thinking answered had it masked, so that it is so in all later ones. */
  const wasMasked = (result: DecidableResult): boolean => {
    const { message, turns } = result.signed as NonNullable<DecidableResult['signed']>
    if ((result.turn as number) >= keptTurn(turns, message)) return false
    return lastIdsBefore(message)?.has(idInTurn(result)) === false
  }

  return results.map((result, index) => {
    if (!isLinked(result, policy)) return KEEP.no_call_id
    if (result.turn === undefined) return KEEP.orphan
    if (result.turn >= firstKept) return KEEP.in_window
    if (isBound(result, policy) && !wasMasked(result)) return KEEP.before_signed_thinking
    return decideOld(result, index, lastIds)
  })
}

/** Decides results that are older than the window. */
function decideOldResults(policy: MaskPolicy, sources: DecideSources) {
  const { placeholderTemplate: template, keepErrors, textParts, neverGrow } = policy
  const excluded: ReadonlySet<string | undefined> = new Set(policy.excludeTools)
  const needsTokens = template.includes('{original_tokens}')
  return (result: DecidableResult, index: number, lastIds: ReadonlySet<string>): Decision => {
    if (excluded.size > 0 && excluded.has(result.toolName)) return KEEP.excluded_tool
    if (lastIds.size > 0 && lastIds.has(idInTurn(result))) return KEEP.kept_last_k
    const { shape } = result
    if (keepErrors && (shape !== 'text_parts' || textParts)) {
      const keptBy = errorMarksAt(index, result, policy, sources)
      if (keptBy.length > 0) return { ...KEEP.kept_error, keptBy }
    }
    if (shape === 'other' || (shape === 'text_parts' && !textParts)) return KEEP.non_text
    if (
      canBePlaceholder(template, result) &&
      isPlaceholder(template, result, sources.textOf(index))
    )
      return KEEP.already_masked
    if (needsTokens && sources.tokensOf === undefined) throw missingCounts('{original_tokens}')
    const tokens = needsTokens ? sources.tokensOf?.(index) : undefined
    const placeholder = renderPlaceholder(template, result, tokens)
    if (neverGrow) {
      if (sources.tokensOf === undefined || sources.placeholderTokensOf === undefined) {
        throw missingCounts('never_grow')
      }
      const isSmaller = sources.placeholderTokensOf(index, placeholder) < sources.tokensOf(index)
      if (!isSmaller) return KEEP.would_grow
    }
    return { action: 'mask', reason: 'masked', keptBy: NO_RULES, placeholder }
  }
}

/** What masking an old result saves under a policy. */
export function savedCharsOf(policy: MaskPolicy, sources: DecideSources): SavedChars {
  const decideOld = decideOldResults(policy, sources)
  return (result, index) => {
    const { placeholder } = decideOld(result, index, NO_IDS)
    return placeholder === undefined ? undefined : result.chars - countCodePoints(placeholder)
  }
}

const NO_IDS: ReadonlySet<string> = new Set()

/** The results with the calls that a policy links them to. */
export function linkedResults<Result extends DecidableResult>(
  results: readonly Result[],
  { nearestCall }: Pick<MaskPolicy, 'nearestCall'>,
): readonly Result[] {
  if (!nearestCall || results.every(({ nearest }) => nearest === undefined)) return results
  return results.map((result) =>
    result.nearest === undefined ? result : { ...result, ...result.nearest },
  )
}

/** A closure in `decide` itself would be made for every result, also for those that need none. */
function errorMarksAt(
  index: number,
  result: DecidableResult,
  policy: MaskPolicy,
  { textOf }: DecideSources,
): readonly ErrorMark[] {
  return errorMarksOf(result, policy, () => textOf(index))
}

/** Returns what marks a result as an error under a policy; its text is read only for the user's own patterns. */
export function errorMarksOf(
  result: Pick<DecidableResult, 'errorRules'>,
  { errorRules, errorPatterns }: Pick<MaskPolicy, 'errorRules' | 'errorPatterns'>,
  textOf: () => string,
): readonly ErrorMark[] {
  const found = result.errorRules
  const rules = found.length === 0 ? NO_RULES : found.filter((rule) => errorRules.includes(rule))
  return hasPattern(result, errorPatterns, textOf) ? [...rules, 'pattern'] : rules
}

type Identified = Pick<DecidableResult, 'callId' | 'link' | 'turn'>

/** The id, or else the number, of a result in its turn: an id can be that of several calls. */
export function idInTurn({ callId, link, turn }: Identified): string {
  return `${turn} ${callId ?? link}`
}

/** The last K results of each tool, as `idInTurn` names them; a result whose call has no name is not counted. */
export function idsOfLastResults(
  results: readonly (Identified & Pick<DecidableResult, 'toolName'>)[],
  k: number | null,
): ReadonlySet<string> {
  const ids = new Set<string>()
  if (k === null || k <= 0) return ids
  const counts = new Map<string, number>()
  for (const result of results.toReversed()) {
    const { toolName } = result
    if (toolName === undefined) continue
    const count = (counts.get(toolName) ?? 0) + 1
    counts.set(toolName, count)
    if (count <= k) ids.add(idInTurn(result))
  }
  return ids
}

const NO_RULES: readonly ErrorMark[] = []

/** A decision for each reason; results that are kept for the same one share it. */
const KEEP = Object.fromEntries(
  REASONS.map((reason) => [
    reason,
    { action: 'keep', reason, keptBy: NO_RULES, placeholder: undefined } as const,
  ]),
) as Readonly<Record<Reason, Decision>>

function missingCounts(setting: string): RangeError {
  return new RangeError(`${setting} needs token counts, but there are none; pass a token counter.`)
}
