/** Rows of the conversation picker. */
import { addUp } from '@/lib/core/conversation/add-up'
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { FormatId } from '@/lib/core/formats/read-document'
import type { Offset } from '@/lib/core/text/span'
import { requestTokens } from '@/lib/core/tokens/count-conversation'
import type { Words } from '@/lib/core/words/words'
import type { DocumentModel } from '@/lib/worker/jobs'
import { allDecisionsOf } from '../policy/policy-view'
import { memoizeOf, optional, select } from '../store'
import { countsOf } from './selectors'

export type ConversationRow = ReturnType<typeof conversationRowsOf>[number]

export const conversationRowsOf = select(
  [({ read }) => read?.model, optional(countsOf), optional(allDecisionsOf)],
  (model, counts, decisions) =>
    model.conversations.map((conversation, index) => {
      const rowCounts = counts?.[index]
      return {
        index,
        label: conversation.label,
        opening: conversation.opening,
        messages: conversation.messages.length,
        turns: conversation.turnCount,
        results: conversation.results.length,
        /** Of the next request, before masking; undefined until counted. */
        tokens: rowCounts && requestTokens(rowCounts),
        /** Number of masked results; undefined until decided. */
        masked: decisions?.[index]?.filter(({ action }) => action === 'mask').length,
      }
    }),
  [],
)

/** Rows whose label or opening text contains every word of a query, ignoring case. */
export function searchRows(
  rows: readonly ConversationRow[],
  query: string,
  inWords: (words: Words) => string,
): readonly ConversationRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(({ index, label, opening }) => {
    const text = `${index + 1} ${inWords(label)} ${opening}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

/** A sum, unknown if one of the values is. */
export const sumOf = (values: readonly (number | undefined)[]) => addUp([0, ...values])

/** Sums over rows; a sum is undefined if one of its values is. */
export function sumRows(rows: readonly ConversationRow[]) {
  const sum = (of: (row: ConversationRow) => number | undefined) => sumOf(rows.map(of))
  return {
    messages: sum(({ messages }) => messages) ?? 0,
    turns: sum(({ turns }) => turns) ?? 0,
    results: sum(({ results }) => results) ?? 0,
    masked: sum(({ masked }) => masked),
  }
}

/** The last message that starts at or before an offset, else the first message. */
export function lastMessageBefore(model: Pick<DocumentModel, 'conversations'>, offset: Offset) {
  const places = model.conversations.flatMap(({ messages }, conversation) =>
    messages.map(({ start }, message) => ({ conversation, message, start })),
  )
  const before = places.filter(({ start }) => start <= offset)
  return before.toSorted((one, other) => other.start - one.start)[0] ?? places[0]
}

type Facts = Pick<DocumentModel, 'format' | 'evidence' | 'conversations'>

/** Formats whose files each contain one session. */
const ONE_SESSION: readonly FormatId[] = [
  'claude-code',
  'codex',
  'pi',
  'copilot-cli',
  'langfuse',
  'opentelemetry',
]

export const openingConversationOf = memoizeOf((model: Facts) => {
  const { conversations } = model
  if (conversations.length < 2) return { conversation: 0, because: 'only' as const }
  if (!isOneSession(model)) return { conversation: 0, because: 'first' as const }
  const own = conversations.filter(({ isSecondary }) => isSecondary !== true)
  const [longest] = (own.length > 0 ? own : conversations).toSorted(
    (one, other) => other.messages.length - one.messages.length,
  )
  const conversation = conversations.indexOf(longest as Conversation)
  return { conversation, because: 'longest' as const }
})

function isOneSession({ format, evidence, conversations }: Facts): boolean {
  if (evidence.shape === 'har' || ONE_SESSION.includes(format)) return true
  return conversations.some((conversation, index) => {
    const before = conversations[index - 1]
    return before !== undefined && beginsWith(conversation, before)
  })
}

/**
 * True if a conversation starts with all messages of another, judged by roles and lengths, because the page has no
 * texts.
 */
function beginsWith({ messages }: Conversation, before: Conversation): boolean {
  const { length } = before.messages
  if (length === 0 || messages.length <= length) return false
  return before.messages.every(
    ({ role, chars }, at) => messages[at]?.role === role && messages[at]?.chars === chars,
  )
}
