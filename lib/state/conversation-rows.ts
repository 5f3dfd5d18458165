/** All conversations of a document, as its picker lists them. */
import type { Offset } from '@/lib/core/text/span'
import { requestTokens } from '@/lib/core/tokens/count-conversation'
import type { DocumentModel } from '@/lib/worker/protocol'
import { remembered } from './remembered'
import { countsOf, type DocumentDecisions, decisionsOf } from './selectors'
import type { PlaygroundState } from './store'

export interface ConversationRow {
  /** Of the conversation within its document. */
  readonly index: number
  readonly label: string
  readonly opening: string
  readonly messages: number
  readonly turns: number
  readonly results: number
  /** Of the request that would be sent next, before masking; undefined until counted. */
  readonly tokens: number | undefined
  /** Results masked; undefined until decided. */
  readonly masked: number | undefined
}

const rowsOf = remembered(
  (
    model: DocumentModel,
    counts: ReturnType<typeof countsOf>,
    decisions: DocumentDecisions | undefined,
  ): readonly ConversationRow[] =>
    model.conversations.map((conversation, index) => {
      const own = counts?.[index]
      return {
        index,
        label: conversation.label,
        opening: conversation.opening,
        messages: conversation.messages.length,
        turns: conversation.turnCount,
        results: conversation.results.length,
        tokens: own && requestTokens(own),
        masked: decisions?.[index]?.filter(({ action }) => action === 'mask').length,
      }
    }),
)

const NO_ROWS: readonly ConversationRow[] = []

export function conversationRowsOf(state: PlaygroundState): readonly ConversationRow[] {
  const { read } = state
  return read === undefined ? NO_ROWS : rowsOf(read.model, countsOf(state), decisionsOf(state))
}

/** Rows whose label or opening text contains every word of a query, whatever its case. */
export function searchRows(
  rows: readonly ConversationRow[],
  query: string,
): readonly ConversationRow[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return rows
  return rows.filter(({ index, label, opening }) => {
    const text = `${index + 1} ${label} ${opening}`.toLowerCase()
    return words.every((word) => text.includes(word))
  })
}

export type RowTotals = Pick<
  ConversationRow,
  'messages' | 'turns' | 'results' | 'tokens' | 'masked'
>

/** Sums over rows; undefined where one of them is unknown. */
export function sumRows(rows: readonly ConversationRow[]): RowTotals {
  const sum = (of: (row: ConversationRow) => number | undefined) =>
    rows.reduce<number | undefined>((total, row) => {
      const own = of(row)
      return total === undefined || own === undefined ? undefined : total + own
    }, 0)
  return {
    messages: sum(({ messages }) => messages) ?? 0,
    turns: sum(({ turns }) => turns) ?? 0,
    results: sum(({ results }) => results) ?? 0,
    tokens: sum(({ tokens }) => tokens),
    masked: sum(({ masked }) => masked),
  }
}

export interface MessagePlace {
  readonly conversation: number
  readonly message: number
}

/** The message a place of the text is in, else the one that begins last before it, else the first. */
export function messageAtOffset(
  model: Pick<DocumentModel, 'conversations'>,
  offset: Offset,
): MessagePlace | undefined {
  let best: MessagePlace | undefined
  let bestStart = -1
  for (const [conversation, { messages }] of model.conversations.entries()) {
    for (const [message, { start }] of messages.entries()) {
      if (start > offset || start <= bestStart) continue
      best = { conversation, message }
      bestStart = start
    }
  }
  const first = model.conversations.findIndex(({ messages }) => messages.length > 0)
  return best ?? (first < 0 ? undefined : { conversation: first, message: 0 })
}
