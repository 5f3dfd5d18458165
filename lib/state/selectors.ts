/** What the page shows, derived from the store; each is remembered for the inputs it was made from. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import { maskEdits } from '@/lib/core/mask/mask-edits'
import { measureRequest, type RequestMeasure } from '@/lib/core/mask/measure-request'
import { type Decision, decide } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { readPlace } from '@/lib/core/text/embedded-json'
import { applyEdits } from '@/lib/core/text/span'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import { remembered } from './remembered'
import type { PlaygroundState, ReadSource } from './store'

export type DocumentDecisions = readonly (readonly Decision[])[]

/** The texts of a result, taken from the source text. */
export function textsOfResult(
  text: string,
  { slots, twins }: Pick<ToolResult, 'slots' | 'twins'>,
): readonly string[] {
  return slots.slice(0, slots.length - twins).map((slot) => readPlace(text, slot) as string)
}

/** The text of a result, all its parts joined. */
export function textOfResult(text: string, result: Pick<ToolResult, 'slots' | 'twins'>): string {
  return textsOfResult(text, result).join('')
}

/** Counts of the text that was read; undefined while they are being made. */
export function countsOf({
  read,
  counted,
}: PlaygroundState): readonly ConversationCounts[] | undefined {
  return counted !== undefined && counted.source === read?.source.id ? counted.counts : undefined
}

/** Placeholder tokens under the policy's template; undefined while they are being counted. */
export function placeholderTokensOf(state: PlaygroundState) {
  const { placeholders, read, policy } = state
  const isCurrent =
    placeholders?.source === read?.source.id &&
    placeholders?.template === policy.placeholderTemplate
  return isCurrent ? placeholders?.tokens : undefined
}

const decideAll = remembered(
  (
    read: ReadSource,
    policy: MaskPolicy,
    counts: readonly ConversationCounts[] | undefined,
    placeholderTokens: readonly (readonly number[])[] | undefined,
  ): DocumentDecisions | undefined => {
    const needsCounts =
      policy.triggerTokens > 0 || policy.placeholderTemplate.includes('{original_tokens}')
    if ((needsCounts || policy.neverGrow) && counts === undefined) return undefined
    if (policy.neverGrow && placeholderTokens === undefined) return undefined
    return read.model.conversations.map((conversation, at) => {
      const own = counts?.[at]
      return decide(conversation, policy, {
        textOf: (index) =>
          textOfResult(read.source.text, conversation.results[index] as ToolResult),
        tokensOf: own && ((index) => own.results[index] as number),
        placeholderTokensOf:
          placeholderTokens && ((index) => placeholderTokens[at]?.[index] as number),
        requestTokens: own && requestTokens(own),
      })
    })
  },
)

/** Counts matter to few policies: without this, every arrival of counts would decide again. */
function countsForDecisions(state: PlaygroundState) {
  const { policy } = state
  const needsCounts =
    policy.triggerTokens > 0 ||
    policy.neverGrow ||
    policy.placeholderTemplate.includes('{original_tokens}')
  return {
    counts: needsCounts ? countsOf(state) : undefined,
    placeholderTokens: policy.neverGrow ? placeholderTokensOf(state) : undefined,
  }
}

/** Decisions for every conversation of the text that was read; undefined without one, or until counts a setting needs arrive. */
export function decisionsOf(state: PlaygroundState): DocumentDecisions | undefined {
  if (state.read === undefined) return undefined
  const { counts, placeholderTokens } = countsForDecisions(state)
  return decideAll(state.read, state.policy, counts, placeholderTokens)
}

/** The conversation shown; undefined when nothing was read. */
export function conversationOf({ read, conversation }: PlaygroundState): Conversation | undefined {
  return read?.model.conversations[conversation]
}

const outputOf = remembered((read: ReadSource, decisions: DocumentDecisions): string =>
  applyEdits(read.source.text, maskEdits(read.model.conversations, decisions)),
)

/** The masked text, computed from the source text: what copy and download give. */
export function outputTextOf(state: PlaygroundState): string | undefined {
  const decisions = decisionsOf(state)
  if (state.read === undefined || decisions === undefined) return undefined
  return outputOf(state.read, decisions)
}

const measure = remembered(
  (
    conversation: Conversation,
    counts: ConversationCounts,
    decisions: readonly Decision[],
    placeholderTokens: readonly number[],
  ): RequestMeasure => measureRequest(conversation, counts, decisions, placeholderTokens),
)

/** Meters of the conversation shown; undefined until everything they need is counted. */
export function measureOf(state: PlaygroundState): RequestMeasure | undefined {
  const at = state.conversation
  const conversation = conversationOf(state)
  const counts = countsOf(state)?.[at]
  const decisions = decisionsOf(state)?.[at]
  const placeholderTokens = placeholderTokensOf(state)?.[at]
  if (!conversation || !counts || !decisions || !placeholderTokens) return undefined
  return measure(conversation, counts, decisions, placeholderTokens)
}

/** Whether what is shown belongs to the text as it stands: false while a changed text is read or is broken. */
export function isCurrent({ source, read }: PlaygroundState): boolean {
  return read !== undefined && read.source.id === source.id
}
