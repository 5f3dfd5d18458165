import type {
  Conversation,
  Message,
  ReadConversation,
  Usage,
  UsageTotal,
} from '../../conversation/conversation'
import type { RawMessage, RawText } from '../../conversation/link-messages'
import { countedTexts, linkMessages, previewArguments } from '../../conversation/link-messages'
import type { ReasoningMark } from '../../conversation/reasoning-marks'
import { bindsThinking, reasoningMarksOf } from '../../conversation/reasoning-marks'
import type { JsonSpan } from '../../text/embedded-json'
import { membersOf } from '../../text/json'
import { type JsonPath, valueAtPath } from '../../text/json-path'
import { partitionPoint } from '../../text/span'
import type { Words } from '../../words/words'
import { usageBeside, usageOfAnswer } from './read-usage'
import { resultSpanAt, type SourceValue, spanAt } from './source-document'

/** The path of a value within a source. */
export interface SourcePath {
  readonly source: SourceValue
  readonly path: JsonPath
}

/** The part of a message that one value contains; paths in `raw` are relative to `path`. */
export interface MessagePiece extends SourcePath {
  readonly raw: RawMessage
}

/** The pieces of one message; nearly always one. */
export type MessagePieces = readonly [MessagePiece, ...MessagePiece[]]

export interface ConversationDetails {
  readonly label: Words
  /** Any other value than a text is no name. */
  readonly model?: unknown
  /** The tools of the request, a list; unless their schemas are given as text. */
  readonly tools?: unknown
  readonly toolSchemas?: string
  readonly isSecondary?: boolean
  readonly followsCompaction?: boolean
  readonly answerUsage?: Usage | undefined
  readonly usageTotal?: UsageTotal | undefined
  /** By call id: the number of messages after which the client cleared its result. */
  readonly clearedAt?: ReadonlyMap<unknown, number>
}

const OPENING_CHARS = 120
const NO_SPANS: readonly JsonSpan[] = []

/** Links messages into a conversation and locates the texts that masking replaces and that the page shows. */
export function buildConversation(
  placed: readonly MessagePieces[],
  { answerUsage = usageOfLoggedAnswer(placed), usageTotal, ...details }: ConversationDetails,
): ReadConversation {
  const { model, tools, toolSchemas, clearedAt, ...frame } = details
  const merged = placed.map(mergePieces)
  const linked = linkMessages(merged)
  const messageTexts = merged.map(countedTexts)
  const recorded = recordedRequests(placed)
  const recordedUsage = new Map(recorded?.map(({ end, usage }) => [end, usage]))
  const messages = merged.map((raw, index): Message => {
    const pieces = placed[index] as MessagePieces
    const [first, ...more] = pieces.map(({ source, path }) => spanAt(source, path)) as [JsonSpan]
    const usage = raw.isAssistant ? (usageOfPieces(pieces) ?? recordedUsage.get(index)) : undefined
    const reasoningMarks = raw.isAssistant ? marksOfPieces(pieces) : []
    return {
      ...(usage && { usage }),
      ...(reasoningMarks.length > 0 && { reasoningMarks }),
      ...(linked.messages[index] as (typeof linked.messages)[number]),
      nonTextParts: raw.nonTextParts,
      contents: placesOf(pieces, ({ contents }) => contents),
      reasoning: placesOf(pieces, ({ reasoning }) => reasoning),
      ...first,
      otherSpans: more.length === 0 ? NO_SPANS : more,
    }
  })
  const signed = signedMessages(messages, model)
  const calls = itemsOfPieces(placed, ({ calls }) => calls)
  const results = itemsOfPieces(placed, ({ results }) => results)
  return {
    ...frame,
    model: typeof model === 'string' ? model : undefined,
    toolSchemas: toolSchemas ?? (Array.isArray(tools) ? JSON.stringify(tools) : ''),
    ...(answerUsage && { answerUsage }),
    ...(recorded && { recorded }),
    ...(usageTotal && { usageTotal }),
    opening: openingOf(merged),
    messages,
    calls: linked.calls.map(({ link, ...call }, index) => {
      const { piece, item } = calls[index] as (typeof calls)[number]
      const argumentsSpan = item.path && spanAt(piece.source, [...piece.path, ...item.path])
      const argumentsPreview = previewArguments(item.arguments)
      return { ...call, ...(link !== undefined && { link }), argumentsPreview, argumentsSpan }
    }),
    results: linked.results.map(({ texts: _, ...facts }, index) => {
      const { piece, item } = results[index] as (typeof results)[number]
      const { texts, copies = [] } = item
      const fillers = texts.map((_, part) => (part === 0 ? undefined : (item.filler ?? '')))
      const spans = [...texts, ...copies].map(({ path = [] }, part) => {
        const filler = part < texts.length ? fillers[part] : copies[part - texts.length]?.filler
        return resultSpanAt(piece.source, [...piece.path, ...path], filler)
      })
      const valueSpan = item.valuePath && spanAt(piece.source, [...piece.path, ...item.valuePath])
      const cleared = clearedAt?.get(facts.callId)
      const isBefore = (at: number) => (signed[at]?.message as number) <= facts.message
      const bound = signed[partitionPoint(0, signed.length, isBefore)]
      return {
        ...facts,
        ...(cleared !== undefined && { clearedAt: cleared }),
        ...(bound !== undefined && { signed: bound }),
        spans,
        valueSpan,
        duplicates: copies.length,
      }
    }),
    turnCount: linked.turnCount,
    messageTexts,
    callArguments: calls.map(({ item }) => item.arguments),
    resultTexts: linked.results.map(({ texts }) => texts),
  }
}

/** The messages with signed thinking of models that refuse a request in which something before it has changed. */
export function signedMessages(messages: readonly Message[], model: unknown) {
  let turns = 0
  return messages.flatMap(({ reasoningMarks = [], usage, turn }, message) => {
    const before = turns
    if (turn !== undefined) turns++
    const isSigned = reasoningMarks.includes('signed_thinking')
    return isSigned && bindsThinking(String(usage?.model ?? model))
      ? [{ message, turns: before }]
      : []
  })
}

/** Joins consecutive pieces of the model into one message; any other piece, such as a result, ends the answer. */
export function joinAnswerPieces(pieces: readonly MessagePiece[]): MessagePieces[] {
  const messages: [MessagePiece, ...MessagePiece[]][] = []
  for (const piece of pieces) {
    const answer = messages.at(-1)
    if (piece.raw.isAssistant && answer?.[0].raw.isAssistant) answer.push(piece)
    else messages.push([piece])
  }
  return messages
}

function mergePieces(pieces: MessagePieces): RawMessage {
  const [first, ...rest] = pieces.map(({ raw }) => raw) as [RawMessage, ...RawMessage[]]
  if (rest.length === 0) return first
  const all = [first, ...rest]
  return {
    role: first.role,
    isAssistant: first.isAssistant,
    name: first.name,
    writtenAt: all.find(({ writtenAt: at }) => at !== undefined)?.writtenAt,
    contents: all.flatMap(({ contents }) => contents),
    reasoning: all.flatMap(({ reasoning }) => reasoning),
    nonTextParts: all.reduce((total, { nonTextParts }) => total + nonTextParts, 0),
    calls: all.flatMap(({ calls }) => calls),
    results: all.flatMap(({ results }) => results),
  }
}

function marksOfPieces(pieces: MessagePieces): readonly ReasoningMark[] {
  const marks = pieces.flatMap(({ source, path }) =>
    reasoningMarksOf(valueAtPath(source.value, path)),
  )
  return [...new Set(marks)]
}

/** The usage that an answer states; a message written piece by piece repeats it, and its last piece is complete. */
function usageOfPieces(pieces: MessagePieces): Usage | undefined {
  return pieces
    .map(({ raw, source, path }) => {
      if (raw.usage !== undefined) return raw.usage
      const usage = usageOfAnswer(valueAtPath(source.value, path), raw.writtenAt)
      // A chat completion has the usage beside its choices.
      if (usage !== undefined || path.at(-3) !== 'choices') return usage
      return usageOfAnswer(valueAtPath(source.value, path.slice(0, -3)), raw.writtenAt)
    })
    .findLast((usage) => usage !== undefined)
}

/** The usage of an answer that a log has beside the request; undefined if the messages contain the answer. */
function usageOfLoggedAnswer(placed: readonly MessagePieces[]): Usage | undefined {
  const last = placed.at(-1)?.at(-1)
  if (last === undefined || last.raw.isAssistant) return undefined
  return usageBeside(last.source.value, last.path)
}

/** The requests in lines of the proxy's recording, which says beside each what was masked; undefined elsewhere. */
function recordedRequests(placed: readonly MessagePieces[]): Conversation['recorded'] {
  const { source: first, path } = placed[0]?.[0] ?? {}
  if (path?.[0] !== 'request' || !Object.hasOwn(membersOf(first?.value), 'masked_results')) return
  return placed.flatMap((pieces, index) => {
    const last = pieces.at(-1) as MessagePiece
    const isEnd = placed[index + 1]?.[0].source !== last.source
    return isEnd ? [{ end: index + 1, usage: usageBeside(last.source.value, last.path) }] : []
  })
}

/** Lists calls or results in document order, each with its piece. */
function itemsOfPieces<Item>(
  placed: readonly MessagePieces[],
  itemsOf: (raw: RawMessage) => readonly Item[],
): { piece: MessagePiece; item: Item }[] {
  return placed.flatMap((pieces) =>
    pieces.flatMap((piece) => itemsOf(piece.raw).map((item) => ({ piece, item }))),
  )
}

function placesOf(pieces: MessagePieces, textsIn: (raw: RawMessage) => readonly RawText[]) {
  return pieces.flatMap(({ raw, source, path }) =>
    textsIn(raw).flatMap((text) =>
      text.path === undefined ? [] : [spanAt(source, [...path, ...text.path])],
    ),
  )
}

function openingOf(messages: readonly RawMessage[]): string {
  const first = messages.findIndex(({ role }) => role === 'user')
  const asked = messages.slice(Math.max(0, first))
  const answer = asked.findIndex(({ role }, at) => at > 0 && role === 'assistant')
  const all = asked
    .slice(0, answer === -1 ? undefined : answer)
    .map(({ role, contents }, at) =>
      at === 0 || role === 'user'
        ? contents.map(({ text }) => text.slice(0, OPENING_CHARS * 8))
        : [],
    )
  const questions = all.map((texts) => texts.filter((text) => !CONTEXT.test(text)).join(' '))
  const shown = questions.find((text) => text.trim() !== '') ?? all[0]?.join(' ') ?? ''
  return [...shown.replace(/\s+/g, ' ').trim()].slice(0, OPENING_CHARS).join('')
}

/** How clients begin what they put before a question, such as `<environment_context>`. */
const CONTEXT = /^\s*<[a-z][\w-]{0,60}>/i
