/**
 * Spans as exporters write them in JSON: their names, ids, parents and times.
 * Messages in numbered attributes, one attribute for each member: `gen_ai.prompt.0.content` of OpenLLMetry
 * (https://www.traceloop.com/docs/openllmetry) and `llm.input_messages.0.message.content` of OpenInference
 * (https://arize-ai.github.io/openinference/spec/). Put together, they are chat completions.
 */

import { readChatMessage } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { type JsonPath, valueAtPath } from '../../text/json-path'
import { isToolType, readAnthropicMessage } from '../anthropic/anthropic-message'
import { readNestedMessages } from '../read-nested-messages'
import type { MessagePiece, MessagePieces } from '../reading/conversation'
import type { ListItem } from '../reading/lists'
import { mapPaths } from '../reading/raw-message'
import { nestedSource, type SourceValue } from '../reading/source-document'
import type { TracePosition } from '../reading/trace-order'
import NAMES from './names.json' with { type: 'json' }
import { type AttributeValue, attributesOf, readMessages } from './opentelemetry-attributes'

export interface PlacedSpan extends ListItem<JsonObject> {
  readonly attributes: ReadonlyMap<string, AttributeValue>
}

/** A member of a span, or of a log record with the attributes of one, by the first of its names; a slash goes into an object. */
function memberOf(span: JsonObject, member: keyof typeof NAMES.span): unknown {
  return NAMES.span[member]
    .map((name) => valueAtPath(span, name.split('/')))
    .find((value) => value !== undefined && value !== null)
}

export function isSpan(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const hasAttributes = [value.attributes, value.tags].some(
    (all) => Array.isArray(all) || isJsonObject(all),
  )
  return hasAttributes && spanName(value) !== undefined && memberOf(value, 'spanId') !== undefined
}

export function spanName(span: JsonObject): string | undefined {
  const name = memberOf(span, 'name')
  return typeof name === 'string' ? name : undefined
}

export function positionOf({ value }: PlacedSpan): TracePosition {
  return {
    spanId: memberOf(value, 'spanId'),
    parentId: memberOf(value, 'parentId'),
    traceId: memberOf(value, 'traceId'),
    startTime: timeOf(memberOf(value, 'startTime')),
  }
}

/** Nanoseconds, a date, or seconds and nanoseconds. */
function timeOf(time: unknown): number {
  if (Array.isArray(time)) return Number(scalarText(time[0])) * 1e9 + Number(scalarText(time[1]))
  const number = Number(scalarText(time ?? 0))
  return Number.isNaN(number) ? Date.parse(scalarText(time)) || 0 : number
}

/** A key of a message that has one attribute for each of its members. */
export const NUMBERED_KEY =
  /^(?:gen_ai\.prompt|llm\.input_messages)\.(\d{1,6})\.(?:message\.)?(.+)$/
const PART = /^contents\.(\d{1,6})\.message_content\.(type|text)$/
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/

/** Attributes by member. */
type Attributes = Readonly<Partial<Record<string, AttributeValue>>>

/** Attributes of a message by key; those of calls and parts by number and member. Lists have holes. */
interface NumberedMessage {
  readonly fields: Map<string, AttributeValue>
  readonly calls: Attributes[]
  readonly parts: Attributes[]
}

/** Reads the numbered messages of a span in order; none when it has no such attributes. */
export function readNumberedMessages(span: PlacedSpan): MessagePieces[] {
  const messages: NumberedMessage[] = []
  for (const [key, attribute] of span.attributes) {
    const [, number, field = ''] = NUMBERED_KEY.exec(key) ?? []
    if (number === undefined) continue
    const message = messages[Number(number)] ?? { fields: new Map(), calls: [], parts: [] }
    messages[Number(number)] = message
    const [, callNumber, member] = CALL.exec(field) ?? []
    const [, partNumber, partMember] = PART.exec(field) ?? []
    if (member !== undefined) addMember(message.calls, callNumber, member, attribute)
    else if (partMember !== undefined) addMember(message.parts, partNumber, partMember, attribute)
    else message.fields.set(field, attribute)
  }
  return Object.values(messages).flatMap((message): MessagePieces[] => {
    const piece = readMessage(span, message)
    if (piece === undefined) return []
    const blocks = readBlocks(message, piece.raw)
    if (blocks === undefined) return [[piece]]
    const withoutContent = { ...piece.raw, contents: [], results: [] }
    return [[{ ...piece, raw: withoutContent }, blocks]]
  })
}

function addMember(
  numbered: Attributes[],
  number: string | undefined,
  member: string,
  attribute: AttributeValue,
): void {
  numbered[Number(number)] = { ...numbered[Number(number)], [member]: attribute }
}

function readMessage(
  { source, path }: PlacedSpan,
  { fields, calls, parts }: NumberedMessage,
): MessagePiece | undefined {
  const field = (key: string) => fields.get(key)?.value
  const orderedCalls = Object.values(calls)
  const toolCalls = orderedCalls.map(({ id, name, arguments: written }) => ({
    id: id?.value,
    function: { name: name?.value, arguments: written?.value },
  }))
  const orderedParts = Object.values(parts)
  const content = orderedParts.map(({ type, text }) => ({
    type: type?.value ?? 'text',
    text: text?.value,
  }))
  const raw = readChatMessage({
    role: field('role'),
    content: field('content') ?? (content.length > 0 ? content : null),
    tool_call_id: field('tool_call_id'),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  })
  if (raw === undefined) return undefined
  const attributeAt = ([key, index]: JsonPath): AttributeValue | undefined => {
    if (key === 'tool_calls') return orderedCalls[Number(index)]?.arguments
    if (index !== undefined) return orderedParts[Number(index)]?.text
    return fields.get(String(key))
  }
  const writtenPath = (at: JsonPath): JsonPath => {
    const attribute = attributeAt(at)
    if (attribute === undefined) return []
    return attribute.pathOf().slice(path.length)
  }
  return { raw: mapPaths(raw, writtenPath), source, path }
}

/** Reads a content that OpenLLMetry wrote as a JSON list of Anthropic's blocks; undefined for any other content. */
function readBlocks({ fields }: NumberedMessage, { role, calls }: RawMessage) {
  const content = fields.get('content')
  if (role === 'tool' || content === undefined) return undefined
  const blocks = content.structured()
  if (blocks === undefined || !Array.isArray(blocks.value) || !blocks.value.every(isBlock))
    return undefined
  const raw = readAnthropicMessage({ content: blocks.value }, role, () => {})
  // Calls can also be attributes of their own.
  const withoutRepeats = calls.length > 0 ? { ...raw, calls: [] } : raw
  return { raw: mapPaths(withoutRepeats, ([, ...rest]) => rest), source: blocks.source, path: [] }
}

function isBlock(value: unknown): boolean {
  const { type } = membersOf(value)
  return isToolType(type) || BLOCK_TYPES.includes(type)
}

const BLOCK_TYPES: readonly unknown[] = ['text', 'thinking', 'image']

/**
 * Messages as events, one each, as earlier versions of the GenAI conventions had them:
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.36.0/docs/gen-ai/gen-ai-events.md
 * Requests in attributes of tracers that do not follow the GenAI conventions: the AI SDK
 * (https://ai-sdk.dev/docs/ai-sdk-core/telemetry), Pydantic AI, Traceloop, OpenInference and MLflow. They contain the
 * request as JSON, in the format of the traced library or provider.
 */

const EVENT_NAME = /^gen_ai\.(system|user|assistant|tool)\.message$/

/** Reads the events of a span that are messages. */
export function readEvents(source: SourceValue, path: JsonPath, events: unknown): MessagePieces[] {
  return itemsOf(events).flatMap((event, index): MessagePieces[] => {
    const { name, ...owner } = membersOf(event)
    const role = roleOf(name)
    return role === undefined ? [] : readEvent(source, [...path, 'events', index], owner, role)
  })
}

function readEvent(
  source: SourceValue,
  path: JsonPath,
  owner: JsonObject,
  role: string,
): MessagePieces[] {
  const attributes = attributesOf(source, path, owner)
  const content = attributes.get('gen_ai.event.content')
  const body = content?.structured()
  if (body !== undefined) {
    return [body.place(readBody(role, membersOf(body.value)), [])]
  }
  const members = Object.fromEntries([...attributes].map(([key, { value }]) => [key, value]))
  const calls =
    typeof members.tool_calls === 'string' ? attributes.get('tool_calls')?.structured() : undefined
  const all = calls === undefined ? members : { ...members, tool_calls: calls.value }
  const raw = readBody(role, all)
  const written = mapPaths(raw, ([key, ...rest]) => {
    const attribute = attributes.get(String(key)) as AttributeValue
    // A path begins with the key of an attribute that was read.
    return [...attribute.path.slice(path.length), ...attribute.writtenPath(rest)]
  })
  if (calls === undefined) return [[{ raw: written, source, path }]]
  // Calls in a string have paths of their own, so they are a second piece of the message.
  const onlyCalls = { ...raw, contents: [], reasoning: [], nonTextParts: 0, results: [] }
  const callPiece = { source: calls.source, path: calls.path }
  return [
    [
      { raw: { ...written, calls: [] }, source, path },
      { raw: mapPaths(onlyCalls, ([, ...rest]) => rest), ...callPiece },
    ],
  ]
}

/** Reads a list of events in one attribute, as Pydantic AI writes them; undefined when it is not such a list. */
export function readListedEvents(attribute: AttributeValue): MessagePieces[] | undefined {
  const placed = itemsOf(attribute.value).flatMap((event, index): MessagePieces[] => {
    const body = membersOf(event)
    const role = roleOf(body['event.name'])
    return role === undefined ? [] : [attribute.place(readBody(role, body), [index])]
  })
  return placed.length === 0 ? undefined : placed
}

function roleOf(name: unknown): string | undefined {
  return EVENT_NAME.exec(scalarText(name))?.[1]
}

/** Reads a chat completions message without its role; `id` is that of the call that a result answers. */
function readBody(role: string, { content, tool_calls, id, tool_call_id: callId }: JsonObject) {
  return readChatMessage({ role, content, tool_calls, tool_call_id: id ?? callId }) as RawMessage
}

/**
 * Reads the first attribute that contains a request alone, or any input of a span, by the reader of its format, or by `build` of its messages; undefined when
 * none does. `problems` receives what was skipped.
 */
export function readNestedRequest(
  attributes: ReadonlyMap<string, AttributeValue>,
  problems: Problem[],
  build: (placed: readonly MessagePieces[]) => ReadConversation,
): ReadConversation | undefined {
  for (const key of [...NAMES.request, ...NAMES.input]) {
    const attribute = attributes.get(key)
    const value = attribute?.structured()
    if (attribute === undefined || value === undefined) continue
    const events = readListedEvents(value)
    if (events !== undefined) return build(events)
    const placed = hasGenAiParts(value.value) ? readMessages(attribute, problems) : undefined
    if (placed !== undefined) return build(placed)
    const nested = nestedSource(attribute.source, attribute.pathOf())
    const reading = nested && readNestedMessages(nested)
    problems.push(...(reading?.problems ?? []))
    const conversation = reading?.conversations[0]
    if (conversation !== undefined) return conversation
  }
  return undefined
}

/** True for messages in the form of the conventions; parts of Gemini, for example, have no `content`. */
function hasGenAiParts(list: unknown): boolean {
  return (
    Array.isArray(list) &&
    list.some(
      (message) =>
        isJsonObject(message) &&
        Array.isArray(message.parts) &&
        message.parts.some((part) => isJsonObject(part) && 'content' in part),
    )
  )
}
