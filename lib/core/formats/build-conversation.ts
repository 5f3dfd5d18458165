import type { Message, MessageTexts, ReadConversation, Slot } from '../conversation/conversation'
import { countCodePoints } from '../conversation/count-code-points'
import { linkMessages, type RawMessage, type RawText, textsOf } from '../conversation/link-messages'
import type { Place } from '../text/embedded-json'
import type { JsonPath } from '../text/json-pointer'
import { placeAt, type SourceValue, slotAt } from './source-document'

/** A value of a source. */
export interface SourcePlace {
  readonly source: SourceValue
  readonly path: JsonPath
}

/** What one value holds of a message; the paths in `raw` go on from `path`. */
export interface MessagePiece extends SourcePlace {
  readonly raw: RawMessage
  /** By result of `raw`: strings that repeat it where no model is sent them, and are masked with it. */
  readonly twins?: readonly (readonly TwinPlace[])[]
}

/** A string that repeats a result; it becomes the placeholder too, or its filler where it repeats a further text. */
export interface TwinPlace extends SourcePlace {
  readonly filler?: string
}

/** The pieces of one message: nearly always one. */
export type PlacedMessage = readonly [MessagePiece, ...MessagePiece[]]

export interface ConversationFrame {
  readonly label: string
  readonly model: string | undefined
  readonly toolSchemas: string
  readonly isAside?: boolean
}

const OPENING_CHARS = 120
const NOWHERE: readonly Place[] = []

/** Links placed messages into a conversation and locates what masking may replace and what people may read. */
export function buildConversation(
  placed: readonly PlacedMessage[],
  frame: ConversationFrame,
): ReadConversation {
  const merged = placed.map(mergePieces)
  const linked = linkMessages(merged)
  const messageTexts = merged.map(textsOf)
  const messages = merged.map((raw, index): Message => {
    const pieces = placed[index] as PlacedMessage
    const [first, ...more] = pieces.map(({ source, path }) => placeAt(source, path)) as [Place]
    return {
      role: raw.role,
      isAssistant: raw.isAssistant,
      turn: linked.turnOfMessage[index],
      chars: countChars(messageTexts[index] as MessageTexts),
      nonTextParts: raw.nonTextParts,
      at: raw.at,
      contents: placesOf(pieces, ({ contents }) => contents),
      reasoning: placesOf(pieces, ({ reasoning }) => reasoning),
      ...first,
      more: more.length === 0 ? NOWHERE : more,
    }
  })
  const calls = inOrder(placed, ({ calls }) => calls)
  const results = inOrder(placed, ({ results }) => results)
  return {
    ...frame,
    opening: openingOf(merged),
    messages,
    calls: linked.calls.map((call, index) => {
      const { piece, item } = calls[index] as (typeof calls)[number]
      const argumentsAt = item.path && placeAt(piece.source, [...piece.path, ...item.path])
      return { ...call, argumentsAt }
    }),
    results: linked.results.map(({ texts: _, ...result }, index) => {
      const { piece, item, at } = results[index] as (typeof results)[number]
      const twins = piece.twins?.[at] ?? []
      const own = item.texts.map(({ path = [] }, part) =>
        slotAt(
          piece.source,
          [...piece.path, ...path],
          part === 0 ? undefined : (item.filler ?? ''),
        ),
      )
      const slots: Slot[] = [
        ...own,
        ...twins.map(({ source, path, filler }) => slotAt(source, path, filler)),
      ]
      const valueAt = item.valuePath && placeAt(piece.source, [...piece.path, ...item.valuePath])
      return { ...result, slots, valueAt, twins: twins.length }
    }),
    turnCount: linked.turnCount,
    messageTexts,
    callArguments: calls.map(({ item }) => item.arguments),
    resultTexts: linked.results.map(({ texts }) => texts),
  }
}

function mergePieces(pieces: PlacedMessage): RawMessage {
  const [first, ...rest] = pieces.map(({ raw }) => raw) as [RawMessage, ...RawMessage[]]
  if (rest.length === 0) return first
  const all = [first, ...rest]
  return {
    role: first.role,
    isAssistant: first.isAssistant,
    name: first.name,
    at: all.find(({ at }) => at !== undefined)?.at,
    contents: all.flatMap(({ contents }) => contents),
    reasoning: all.flatMap(({ reasoning }) => reasoning),
    nonTextParts: all.reduce((total, { nonTextParts }) => total + nonTextParts, 0),
    calls: all.flatMap(({ calls }) => calls),
    results: all.flatMap(({ results }) => results),
  }
}

/** The items of all pieces in the order in which messages list them, each with its piece and its place there. */
function inOrder<Item>(
  placed: readonly PlacedMessage[],
  itemsOf: (raw: RawMessage) => readonly Item[],
): { piece: MessagePiece; item: Item; at: number }[] {
  return placed.flatMap((pieces) =>
    pieces.flatMap((piece) => itemsOf(piece.raw).map((item, at) => ({ piece, item, at }))),
  )
}

function placesOf(
  pieces: PlacedMessage,
  textsIn: (raw: RawMessage) => readonly RawText[],
): readonly Place[] {
  return pieces.flatMap(({ raw, source, path }) =>
    textsIn(raw).flatMap((text) =>
      text.path === undefined ? [] : [placeAt(source, [...path, ...text.path])],
    ),
  )
}

function countChars(texts: MessageTexts): number {
  const all = [
    texts.name ?? '',
    ...texts.contents,
    ...texts.calls.flatMap((call) => [call.name, call.arguments]),
  ]
  return all.reduce((total, text) => total + countCodePoints(text), 0)
}

function openingOf(messages: readonly RawMessage[]): string {
  const first = messages.find(({ role }) => role === 'user') ?? messages[0]
  const texts = first?.contents.map(({ text }) => text.slice(0, OPENING_CHARS * 8)) ?? []
  return [...texts.join(' ').replace(/\s+/g, ' ').trim()].slice(0, OPENING_CHARS).join('')
}
