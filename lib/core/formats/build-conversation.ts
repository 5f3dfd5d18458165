import type { Message, MessageTexts, ReadConversation } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import { linkMessages, type RawMessage, textsOf } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { type SourceValue, slotAt } from './source-document'

/** A raw message and where its object stands. */
export interface PlacedMessage {
  readonly raw: RawMessage
  readonly source: SourceValue
  readonly path: JsonPath
}

export interface ConversationFrame {
  readonly label: string
  readonly model: string | undefined
  readonly toolSchemas: string
}

const OPENING_CHARS = 120

/** Links placed messages into a conversation and locates the strings masking may replace. */
export function buildConversation(
  placed: readonly PlacedMessage[],
  frame: ConversationFrame,
): ReadConversation {
  const linked = linkMessages(placed.map(({ raw }) => raw))
  const messageTexts = placed.map(({ raw }) => textsOf(raw))
  const messages = placed.map(({ raw, source, path }, index): Message => {
    const node = nodeAt(source.tree, path) ?? source.tree
    return {
      role: raw.role,
      isAssistant: raw.isAssistant,
      turn: linked.turnOfMessage[index],
      chars: countChars(messageTexts[index] as MessageTexts),
      nonTextParts: raw.nonTextParts,
      start: node.start,
      end: node.end,
    }
  })
  const results = linked.results.map(({ paths, texts: _, ...result }) => {
    const { source, path } = placed[result.message] as PlacedMessage
    return { ...result, slots: paths.map((below) => slotAt(source, [...path, ...below])) }
  })
  return {
    ...frame,
    opening: openingOf(placed),
    messages,
    calls: linked.calls,
    results,
    turnCount: linked.turnCount,
    messageTexts,
    resultTexts: linked.results.map(({ texts }) => texts),
  }
}

function countChars(texts: MessageTexts): number {
  const all = [
    texts.name ?? '',
    ...texts.contents,
    ...texts.calls.flatMap((call) => [call.name, call.arguments]),
  ]
  return all.reduce((total, text) => total + countCodePoints(text), 0)
}

function openingOf(placed: readonly PlacedMessage[]): string {
  const first = placed.find(({ raw }) => raw.role === 'user') ?? placed[0]
  const text = first?.raw.contents.join(' ').slice(0, OPENING_CHARS * 8) ?? ''
  return [...text.replace(/\s+/g, ' ').trim()].slice(0, OPENING_CHARS).join('')
}
