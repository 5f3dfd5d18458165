/** Counts, decisions and masked text, derived from the store and memoized. */
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import { maskEdits } from '@/lib/core/mask/mask-document'
import { type Decision, decide } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { readValueAt } from '@/lib/core/text/embedded-json'
import { applyEdits, piecesAfter, type TextSlices } from '@/lib/core/text/span'
import { type ConversationCounts, requestTokens } from '@/lib/core/tokens/count-conversation'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import type { ReadSource, SourceText } from './document-slice'

export type DocumentDecisions = readonly (readonly Decision[])[]

/** The text of a source, from which parts can be read without joining it. */
export function slicesOf({ text, pieces }: SourceText): TextSlices {
  return pieces ?? text
}

/** Reads the texts of a result from the source text. */
export function textsOfResult(
  text: TextSlices,
  { slots, duplicates }: Pick<ToolResult, 'slots' | 'duplicates'>,
): readonly string[] {
  return slots.slice(0, slots.length - duplicates).map((slot) => readValueAt(text, slot) as string)
}

/** The texts of a result, joined. */
export function textOfResult(
  text: TextSlices,
  result: Pick<ToolResult, 'slots' | 'duplicates'>,
): string {
  return textsOfResult(text, result).join('')
}

/** Token counts by conversation; undefined until counted. */
export function countsOf({
  read,
  counted,
}: PlaygroundState): readonly ConversationCounts[] | undefined {
  return counted !== undefined && counted.source === read?.source.id ? counted.counts : undefined
}

/** Counts of a conversation, which may come before those of the others. */
export function countsAt(state: PlaygroundState, at: number): ConversationCounts | undefined {
  const { read, countedFirst: first } = state
  const isFirst = first?.source === read?.source.id && first?.conversation === at
  return countsOf(state)?.[at] ?? (isFirst ? first?.counts : undefined)
}

/** Placeholder tokens for the policy's template; undefined until counted. */
export function placeholderTokensOf(state: PlaygroundState) {
  const { placeholders, read, policy } = state
  const isCurrent =
    placeholders?.source === read?.source.id &&
    placeholders?.template === policy.placeholderTemplate
  return isCurrent ? placeholders?.tokens : undefined
}

const decideAll = memoize(
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
      const conversationCounts = counts?.[at]
      return decide(conversation, policy, {
        textOf: (index) =>
          textOfResult(slicesOf(read.source), conversation.results[index] as ToolResult),
        tokensOf: conversationCounts && ((index) => conversationCounts.results[index] as number),
        placeholderTokensOf:
          placeholderTokens && ((index) => placeholderTokens[at]?.[index] as number),
        requestTokens: conversationCounts && requestTokens(conversationCounts),
      })
    })
  },
)

/** Only the counts that the policy needs, so that other counts do not cause new decisions. */
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

/** Decisions for every conversation; undefined until the text is read and the counts that the policy needs arrive. */
export function decisionsOf(state: PlaygroundState): DocumentDecisions | undefined {
  if (state.read === undefined) return undefined
  const { counts, placeholderTokens } = countsForDecisions(state)
  return decideAll(state.read, state.policy, counts, placeholderTokens)
}

/** The shown conversation; undefined if none is read. */
export function conversationOf({ read, conversation }: PlaygroundState): Conversation | undefined {
  return read?.model.conversations[conversation]
}

const outputOf = memoize((read: ReadSource, decisions: DocumentDecisions): string =>
  applyEdits(slicesOf(read.source), maskEdits(read.model.conversations, decisions)),
)

/** The masked text of the shown document, which can be older than the text that the header names. */
export function outputTextOf(state: PlaygroundState): string | undefined {
  const decisions = decisionsOf(state)
  if (state.read === undefined || decisions === undefined) return undefined
  return outputOf(state.read, decisions)
}

/** The masked text to copy or save; undefined unless the shown document is current. */
export function currentOutputOf(state: PlaygroundState): string | undefined {
  return isCurrent(state) ? outputTextOf(state) : undefined
}

/** The same in pieces, for a text that is too long to be joined at once. */
export function currentOutputPiecesOf(state: PlaygroundState): readonly string[] | undefined {
  const decisions = decisionsOf(state)
  if (!isCurrent(state) || state.read === undefined || decisions === undefined) return undefined
  const { source, model } = state.read
  return piecesAfter(slicesOf(source), maskEdits(model.conversations, decisions))
}

type NamedAndShown = Pick<PlaygroundState, 'source' | 'read'>

/** The document read from the present text; undefined while that text is being read or is broken. */
export function currentReadOf({ source, read }: NamedAndShown): ReadSource | undefined {
  return read?.source.id === source.id ? read : undefined
}

/** True if the shown document was read from the present text. Only then can it be copied, saved or shared. */
export function isCurrent(state: NamedAndShown): boolean {
  return currentReadOf(state) !== undefined
}

/** True if the header names another document than the shown one, which is still being read. */
export function isAwaited(state: NamedAndShown & Pick<PlaygroundState, 'reading'>): boolean {
  const { source, read, reading } = state
  if (read === undefined || reading.state === 'failed' || isCurrent(state)) return false
  return read.source.document !== source.document || read.source.name !== source.name
}

/** True if the shown document must be dimmed: another one is awaited, or the text cannot be read since it was. */
export function isOutdated(state: PlaygroundState): boolean {
  return (state.reading.state === 'failed' && state.read !== undefined) || isAwaited(state)
}
