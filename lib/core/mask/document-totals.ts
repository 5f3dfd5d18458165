import type { Conversation } from '../conversation/conversation'
import { decide } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { type ConversationCounts, countsUntil, requestTokens } from '../tokens/count-conversation'
import { type BeforeAfter, measureRequest, type RequestMeasure } from './measure-request'

/** A conversation with its token counts and the texts of its results. */
export interface CountedConversation {
  readonly conversation: Conversation
  readonly resultTexts: readonly (readonly string[])[]
  readonly counts: ConversationCounts
}

/** The effect of a policy on documents, summed over their conversations. Each counts as the next request to be sent. */
export interface DocumentTotals {
  readonly conversations: number
  readonly messages: number
  readonly turns: number
  readonly results: number
  readonly maskedResults: number
  readonly tokens: BeforeAfter
}

/** The counts of a session as its provider makes them, and the provider's tokens for one of ours. */
export interface ProviderCounts {
  readonly counts: ConversationCounts
  readonly slope: number
}

/**
 * Decides every result of a conversation and measures the next request. Decisions use our counts, the measures those of
 * `provider`, whose session begins with the conversation.
 */
export function measureCounted(
  { conversation, resultTexts, counts }: CountedConversation,
  policy: MaskPolicy,
  countTokens: (text: string) => number,
  provider: ProviderCounts,
): RequestMeasure {
  const decisions = decide(conversation, policy, {
    textOf: (index) => (resultTexts[index] as readonly string[]).join(''),
    tokensOf: (index) => counts.results[index] as number,
    placeholderTokensOf: (_, placeholder) => countTokens(placeholder),
    requestTokens: requestTokens(counts),
  })
  const placeholderTokens = decisions.map(({ placeholder }) =>
    placeholder === undefined ? 0 : Math.round(provider.slope * countTokens(placeholder)),
  )
  const { messages, results } = conversation
  return measureRequest(
    conversation,
    countsUntil(provider.counts, messages.length, results.length),
    decisions,
    placeholderTokens,
  )
}

/** The totals of one measured conversation. */
export function totalsOf(
  { turnCount }: Pick<Conversation, 'turnCount'>,
  { messages, results, maskedResults, tokens }: RequestMeasure,
): DocumentTotals {
  return { conversations: 1, messages, turns: turnCount, results, maskedResults, tokens }
}

/** The sum of several totals. */
export function sumTotals(parts: readonly DocumentTotals[]): DocumentTotals {
  const sum = (of: (part: DocumentTotals) => number): number =>
    parts.reduce((total, part) => total + of(part), 0)
  return {
    conversations: sum(({ conversations }) => conversations),
    messages: sum(({ messages }) => messages),
    turns: sum(({ turns }) => turns),
    results: sum(({ results }) => results),
    maskedResults: sum(({ maskedResults }) => maskedResults),
    tokens: {
      before: sum(({ tokens }) => tokens.before),
      after: sum(({ tokens }) => tokens.after),
    },
  }
}
