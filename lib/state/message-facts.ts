/** Facts by message that the timeline and the message list show, derived from the store. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { type MarkKind, markKinds } from './mark-kind'
import { remembered } from './remembered'
import { shownDecisionsOf } from './request-view'
import { conversationOf, countsOf, placeholderTokensOf } from './selectors'
import type { PlaygroundState } from './store'

/** Tokens of every message of the conversation shown. */
export interface MessageTokens {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** True while some of them are characters / 4, since they are still being counted. */
  readonly isEstimated: boolean
}

const CHARS_PER_TOKEN = 4

function estimate(chars: number): number {
  return Math.ceil(chars / CHARS_PER_TOKEN)
}

const tokensBefore = remembered(
  (conversation: Conversation, counts: ConversationCounts | undefined): readonly number[] =>
    counts?.messages ?? conversation.messages.map(({ chars }) => estimate(chars)),
)

/** Tokens of messages before and after masking; characters / 4 where nothing is counted yet. */
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
    const own = counts?.results[index] ?? estimate(result.chars)
    const tokens = (after[result.message] ?? 0) - own + (counted ?? estimate(placeholder.length))
    after[result.message] = Math.max(0, tokens)
  }
  return { before, after, isEstimated }
}

const rememberedTokens = remembered(messageTokens)

/** Tokens of the messages of the conversation shown; undefined when nothing was read. */
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

const rememberedKinds = remembered(markKinds)

/** Kinds of the messages of the conversation shown; undefined when nothing was read. */
export function markKindsOf(state: PlaygroundState): readonly MarkKind[] | undefined {
  const conversation = conversationOf(state)
  if (conversation === undefined) return undefined
  return rememberedKinds(conversation, shownDecisionsOf(state)?.[state.conversation])
}

const rememberedResults = remembered(
  (conversation: Conversation): readonly (readonly number[])[] => {
    const results: number[][] = conversation.messages.map(() => [])
    for (const [index, { message }] of conversation.results.entries()) results[message]?.push(index)
    return results
  },
)

/** Indices of the results each message holds. */
export function resultsByMessage(conversation: Conversation): readonly (readonly number[])[] {
  return rememberedResults(conversation)
}
