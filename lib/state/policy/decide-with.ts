/** Decisions of a conversation of the page, whose texts stand in its source. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { PolicyOfModel } from '@/lib/core/policy/break-even'
import { type DecideSources, type Decision, decide } from '@/lib/core/policy/decide'
import { needsCounts } from '@/lib/core/policy/policy'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import type { ReadSource } from '../document/document-slice'
import { slicesOf, textOfResult } from '../document/selectors'

/** Decides a conversation; undefined while the policy needs counts that are not there. */
export function decideWith(
  ...given: Parameters<typeof sourcesOf>
): readonly Decision[] | undefined {
  const [, conversation, policy] = given
  const sources = sourcesOf(...given)
  return sources && decide(conversation, policy, sources)
}

/** What decisions are made with; undefined while the policy needs counts that are not there. */
export function sourcesOf(
  { source }: Pick<ReadSource, 'source'>,
  conversation: Conversation,
  policy: PolicyOfModel,
  counts: ConversationCounts | undefined,
  placeholderTokens: readonly number[] | undefined,
): DecideSources | undefined {
  if (needsCounts(policy) && counts === undefined) return undefined
  if (policy.neverGrow && placeholderTokens === undefined) return undefined
  return {
    textOf: (index) => textOfResult(slicesOf(source), conversation.results[index] as ToolResult),
    tokensOf: counts && ((index) => counts.results[index] as number),
    placeholderTokensOf: placeholderTokens && ((index) => placeholderTokens[index] as number),
    requestTokens: counts && ((end) => requestTokens(counts, end)),
  }
}
