import { addUp } from '../conversation/add-up'
import type { Conversation, ToolResult } from '../conversation/conversation'
import { CHARS_PER_TOKEN, type PolicyOfModel } from '../policy/break-even'
import { type Decision, decide } from '../policy/decide'
import { countCodePoints } from '../text/span'
import type { ConversationCounts } from '../tokens/count-conversation'
import { CLEARED_TOKENS, countsUntil, requestTokens } from '../tokens/count-conversation'

export interface BeforeAfter {
  readonly before: number
  readonly after: number
}

/** The effect of masking on the next request, which sends all messages of the conversation. */
export type RequestMeasure = Readonly<ReturnType<typeof measureRequest>>

/** Sums counts over decisions. `placeholderTokens` is by result and needed for masked results only. */
export function measureRequest(
  conversation: Conversation,
  counts: ConversationCounts,
  decisions: readonly Decision[],
  placeholderTokens: readonly number[],
) {
  // Of a result that the client cleared, its requests have a mark only.
  const sentTokens = counts.results.map((count, index) =>
    conversation.results[index]?.clearedAt === undefined ? count : Math.min(count, CLEARED_TOKENS),
  )
  let tokens = 0
  let chars = 0
  let maskedResults = 0
  const maskedMessages = new Set<number>()
  for (const [index, decision] of decisions.entries()) {
    if (decision.placeholder === undefined) continue
    const result = conversation.results[index] as ToolResult
    maskedResults++
    maskedMessages.add(result.message)
    tokens += (sentTokens[index] as number) - (placeholderTokens[index] as number)
    chars += result.chars - countCodePoints(decision.placeholder)
  }
  const sum = (list: readonly number[]) => list.reduce((total, count) => total + count, 0)
  const resultTokens = sum(sentTokens)
  const allTokens = requestTokens(counts) - sum(counts.results) + resultTokens
  const allChars = conversation.messages.reduce((total, message) => total + message.chars, 0)
  const resultChars = conversation.results.reduce((total, result) => total + result.chars, 0)
  return {
    tokens: { before: allTokens, after: allTokens - tokens },
    /** Unicode code points of all message texts. */
    chars: { before: allChars, after: allChars - chars },
    /** Tokens and code points of tool results alone. */
    resultTokens: { before: resultTokens, after: resultTokens - tokens },
    resultChars: { before: resultChars, after: resultChars - chars },
    results: decisions.length,
    maskedResults,
    messages: conversation.messages.length,
    maskedMessages: maskedMessages.size,
  }
}

/** The change in percent of `before`; undefined if `before` is 0. */
export function changePercent({ before, after }: BeforeAfter): number | undefined {
  return before === 0 ? undefined : ((after - before) / before) * 100
}

/** Tokens of one result, before and after its decision: of its text alone, without the overhead of its message. */
export interface ResultTokens extends BeforeAfter {
  /** True if a number is characters / 4, because it is not counted yet. */
  readonly isEstimated: boolean
}

/** An estimate for texts that are not counted yet. */
export function estimateTokens(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

/** The tokens of a result, for every view. `counted` and `placeholderTokens` are undefined until counted. */
export function resultTokens(
  { chars }: Pick<ToolResult, 'chars'>,
  decision: Pick<Decision, 'placeholder'> | undefined,
  counted: number | undefined,
  placeholderTokens: number | undefined,
): ResultTokens {
  const before = counted ?? estimateTokens(chars)
  const placeholder = decision?.placeholder
  if (placeholder === undefined) {
    return { before, after: before, isEstimated: counted === undefined }
  }
  const after = placeholderTokens ?? estimateTokens(countCodePoints(placeholder))
  return { before, after, isEstimated: counted === undefined || placeholderTokens === undefined }
}

/** A conversation with its token counts and the texts of its results. */
export interface CountedConversation {
  readonly conversation: Conversation
  readonly resultTexts: readonly (readonly string[])[]
  readonly counts: ConversationCounts
}

/** The effect of a policy on documents, summed over their conversations. Each counts as the next request to be sent. */
export type DocumentTotals = Readonly<ReturnType<typeof totalsOf>>

/**
 * Decides every result of a conversation and measures the next request. Decisions use our counts, the measures those of
 * `provider`, whose session begins with the conversation.
 */
export function measureCounted(
  { conversation, resultTexts, counts }: CountedConversation,
  policy: PolicyOfModel,
  countTokens: (text: string) => number,
  /** The counts of a session as its provider makes them, and the provider's tokens for one of ours. */
  provider: { readonly counts: ConversationCounts; readonly slope: number },
): RequestMeasure & { readonly decisions: readonly Decision[] } {
  const decisions = decide(conversation, policy, {
    textOf: (index) => (resultTexts[index] as readonly string[]).join(''),
    tokensOf: (index) => counts.results[index] as number,
    placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    requestTokens: (end) => requestTokens(counts, end),
  })
  const placeholderTokens = decisions.map(({ placeholder }) =>
    placeholder === undefined ? 0 : Math.round(provider.slope * countTokens(placeholder)),
  )
  const { messages, results } = conversation
  const sent = countsUntil(provider.counts, messages.length, results.length)
  return { ...measureRequest(conversation, sent, decisions, placeholderTokens), decisions }
}

/** The totals of one measured conversation. */
export function totalsOf(
  { turnCount }: Pick<Conversation, 'turnCount'>,
  { messages, results, maskedResults, tokens }: RequestMeasure,
) {
  return { conversations: 1, messages, turns: turnCount, results, maskedResults, tokens }
}

/** The sum of several totals. */
export function sumTotals(parts: readonly DocumentTotals[]): DocumentTotals {
  return addUp([NO_TOTALS, ...parts])
}

const NO_TOTALS: DocumentTotals = {
  conversations: 0,
  messages: 0,
  turns: 0,
  results: 0,
  maskedResults: 0,
  tokens: { before: 0, after: 0 },
}
