/** Tokens, kinds and results by message, for the timeline and the message list. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { shownDecisionsOf } from '../costs/request-view'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { type MarkKind, markKinds } from '../timeline/mark-kind'
import { conversationOf, countsOf, placeholderTokensOf } from './selectors'

/** Tokens by message. */
export interface MessageTokens {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** True while some of them are estimated as characters / 4. */
  readonly isEstimated: boolean
}

const CHARS_PER_TOKEN = 4

function estimate(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

const tokensBefore = memoize(
  (conversation: Conversation, counts: ConversationCounts | undefined): readonly number[] =>
    counts?.messages ?? conversation.messages.map(({ chars }) => estimate(chars)),
)

/** Tokens by message before and after masking, estimated as characters / 4 until counted. */
export function messageTokens(
  conversation: Conversation,
  counts: ConversationCounts | undefined,
  decisions: readonly Decision[] | undefined,
  placeholderTokens: readonly number[] | undefined,
): MessageTokens {
  const before = tokensBefore(conversation, counts)
  const after = [...before]
  let isEstimated = counts === undefined
  for (const [index, { placeholder }] of (decisions ?? []).entries()) {
    const result = conversation.results[index]
    if (placeholder === undefined || result === undefined) continue
    const counted = counts === undefined ? undefined : placeholderTokens?.[index]
    if (counted === undefined) isEstimated = true
    const before = counts?.results[index] ?? estimate(result.chars)
    const tokens = (after[result.message] ?? 0) - before + (counted ?? estimate(placeholder.length))
    after[result.message] = Math.max(0, tokens)
  }
  return { before, after, isEstimated }
}

const rememberedTokens = memoize(messageTokens)

/** Tokens by message of the shown conversation; undefined if none is read. */
export function messageTokensOf(state: PlaygroundState): MessageTokens | undefined {
  const conversation = conversationOf(state)
  if (conversation === undefined) return undefined
  const at = state.conversation
  return rememberedTokens(
    conversation,
    countsOf(state)?.[at],
    shownDecisionsOf(state)?.[at],
    placeholderTokensOf(state)?.[at],
  )
}

const rememberedKinds = memoize(markKinds)

/** Kinds by message of the shown conversation; undefined if none is read. */
export function markKindsOf(state: PlaygroundState): readonly MarkKind[] | undefined {
  const conversation = conversationOf(state)
  if (conversation === undefined) return undefined
  return rememberedKinds(conversation, shownDecisionsOf(state)?.[state.conversation])
}

const rememberedResults = memoize((conversation: Conversation): readonly (readonly number[])[] => {
  const results: number[][] = conversation.messages.map(() => [])
  for (const [index, { message }] of conversation.results.entries()) results[message]?.push(index)
  return results
})

/** Indices of each message's results. */
export function resultsByMessage(conversation: Conversation): readonly (readonly number[])[] {
  return rememberedResults(conversation)
}
