/** Tokens, kinds and results by message, for the timeline and the message list. */
import { type Conversation, indexByMessage } from '@/lib/core/conversation/conversation'
import { estimateTokens, resultTokens } from '@/lib/core/mask/measure-request'
import { type Decision, REASONS, type Reason } from '@/lib/core/policy/decide'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { shownDecisionsOf } from '../costs/request-view'
import { pinned, placeholderTokensOf } from '../policy/policy-view'
import { memoizeOf, ofShown, optional, type PlaygroundState, select } from '../store'
import { type MarkKind, markKinds } from '../timeline/timeline-layout'
import { conversationOf, countsAt } from './selectors'

const onlyResults = memoizeOf(({ messages, calls, results }: Conversation): readonly boolean[] => {
  const found = messages.map(() => false)
  for (const { message } of results) found[message] = messages[message]?.contents.length === 0
  for (const { message } of calls) found[message] = false
  return found
})

const tokensBefore = memoizeOf(
  (conversation: Conversation, counts: ConversationCounts | undefined): readonly number[] => {
    const { messages, results } = conversation
    const isSummed = onlyResults(conversation)
    const tokens = messages.map(({ chars }, message) =>
      isSummed[message] ? 0 : (counts?.messages[message] ?? estimateTokens(chars)),
    )
    for (const [index, { message, chars }] of results.entries()) {
      const before = tokens[message]
      if (before === undefined || !isSummed[message]) continue
      tokens[message] = before + (counts?.results[index] ?? estimateTokens(chars))
    }
    return tokens
  },
)

/** True for a message with results and no other text or call; its tokens are those of its results. */
export function holdsOnlyResults(conversation: Conversation, message: number): boolean {
  return onlyResults(conversation)[message] ?? false
}

/**
 * Tokens by message before and after masking, with their overheads, estimated as characters / 4 until counted; a message of
 * results only has the tokens of its results, without overhead.
 */
export function messageTokens(
  conversation: Conversation,
  counts: ConversationCounts | undefined,
  decisions: readonly Decision[] | undefined,
  placeholderTokens: readonly number[] | undefined,
) {
  const before = tokensBefore(conversation, counts)
  const after = [...before]
  /** True while some of them are estimated. */
  let isEstimated = counts === undefined
  for (const [index, { placeholder }] of (decisions ?? []).entries()) {
    const result = conversation.results[index]
    if (placeholder === undefined || result === undefined) continue
    const [counted, masked] = [counts?.results[index], placeholderTokens?.[index]]
    const tokens = resultTokens(result, { placeholder }, counted, masked)
    if (tokens.isEstimated) isEstimated = true
    const others = (after[result.message] ?? 0) - tokens.before
    after[result.message] = Math.max(0, others + tokens.after)
  }
  return { before, after, isEstimated }
}

/** Tokens by message of the shown conversation; undefined if none is read. */
export const messageTokensOf = select(
  [
    conversationOf,
    optional((state) => countsAt(state, state.conversation)),
    optional(ofShown(shownDecisionsOf)),
    optional(ofShown(placeholderTokensOf)),
  ],
  messageTokens,
)

/** Tokens of a result as the page shows it, whatever view asks; undefined if there is no such result. */
export function resultTokensOf(state: PlaygroundState, conversation: number, result: number) {
  const shown = state.read?.model.conversations[conversation]?.results[result]
  if (shown === undefined) return undefined
  return resultTokens(
    shown,
    shownDecisionsOf(state)?.[conversation]?.[result],
    countsAt(state, conversation)?.results[result],
    placeholderTokensOf(state)?.[conversation]?.[result],
  )
}

/** Kinds by message of the shown conversation; undefined if none is read. */
export const markKindsOf = select(
  [conversationOf, optional(ofShown(shownDecisionsOf))],
  (conversation, decisions): readonly MarkKind[] => markKinds(conversation, decisions),
)

/** The marks of the pinned policy; undefined if none is pinned. */
export const pinnedMarksOf = select(
  [
    conversationOf,
    optional((state) => countsAt(state, state.conversation)),
    ofShown(pinned.decisionsOf),
    optional(ofShown(pinned.placeholderTokensOf)),
  ],
  (conversation, counts, decisions, placeholders) => ({
    ...messageTokens(conversation, counts, decisions, placeholders),
    kinds: markKinds(conversation, decisions),
  }),
)

/** The kinds of one policy, pale where those of the other are the same. */
export const differingKinds = (
  kinds: readonly MarkKind[],
  others: readonly MarkKind[],
): readonly MarkKind[] => kinds.map((kind, at) => (kind === others[at] ? 'other' : kind))

/** Indices of the results by message. */
export const resultsByMessage = memoizeOf(({ results }: Conversation) => indexByMessage(results))

/** Display order: masked results first, broken ones last. */
const FIRST: readonly Reason[] = ['masked', 'in_window', 'kept_error']
const LAST: readonly Reason[] = ['orphan', 'no_call_id']
const ORDER = [...new Set([...FIRST, ...REASONS.filter((one) => !LAST.includes(one)), ...LAST])]

/** Indices of results by reason, in conversation order; no group is empty. */
export function groupResults(decisions: readonly Decision[]) {
  const resultsOf = (one: Reason) =>
    decisions.flatMap(({ reason }, index) => (reason === one ? [index] : []))
  const groups = ORDER.map((reason) => ({ reason, results: resultsOf(reason) }))
  return groups.filter(({ results }) => results.length > 0)
}

/** Indices of calls with an id that no result answers. */
export function unansweredCalls({ calls, results }: Conversation): readonly number[] {
  const answered = new Set(results.map(({ callId }) => callId))
  return calls.flatMap(({ id }, index) => (id === undefined || answered.has(id) ? [] : [index]))
}

/** Indices of the shown conversation's calls with an id that no result answers. */
export const unansweredCallsOf = select([conversationOf], unansweredCalls, [])

/** Groups of the shown conversation; empty until it is decided. */
export const resultGroupsOf = select(
  [ofShown(shownDecisionsOf)],
  (decisions) => groupResults(decisions),
  [],
)
