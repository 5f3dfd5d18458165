import type { Conversation, ToolResult } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import type { Decision } from '../policy/decide'
import { type ConversationCounts, requestTokens } from '../tokens/count-conversation'

export interface BeforeAfter {
  readonly before: number
  readonly after: number
}

/** The effect of masking on the next request, which sends all messages of the conversation. */
export interface RequestMeasure {
  readonly tokens: BeforeAfter
  /** Unicode code points of all message texts. */
  readonly chars: BeforeAfter
  /** Tokens and code points of tool results alone. */
  readonly resultTokens: BeforeAfter
  readonly resultChars: BeforeAfter
  readonly results: number
  readonly maskedResults: number
  readonly messages: number
  readonly maskedMessages: number
}

/** Sums counts over decisions. `placeholderTokens` is by result and needed for masked results only. */
export function measureRequest(
  conversation: Conversation,
  counts: ConversationCounts,
  decisions: readonly Decision[],
  placeholderTokens: readonly number[],
): RequestMeasure {
  let tokens = 0
  let chars = 0
  let maskedResults = 0
  const maskedMessages = new Set<number>()
  for (const [index, decision] of decisions.entries()) {
    if (decision.placeholder === undefined) continue
    const result = conversation.results[index] as ToolResult
    maskedResults++
    maskedMessages.add(result.message)
    tokens += (counts.results[index] as number) - (placeholderTokens[index] as number)
    chars += result.chars - countCodePoints(decision.placeholder)
  }
  const allTokens = requestTokens(counts)
  const allChars = conversation.messages.reduce((total, message) => total + message.chars, 0)
  const resultTokens = counts.results.reduce((total, count) => total + count, 0)
  const resultChars = conversation.results.reduce((total, result) => total + result.chars, 0)
  return {
    tokens: { before: allTokens, after: allTokens - tokens },
    chars: { before: allChars, after: allChars - chars },
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
