/**
 * Messages in numbered attributes, one attribute for each member: `gen_ai.prompt.0.content` of OpenLLMetry
 * (https://www.traceloop.com/docs/openllmetry) and `llm.input_messages.0.message.content` of OpenInference
 * (https://arize-ai.github.io/openinference/spec/). Put together, they are chat completions.
 */

import { readChatMessage } from '../../conversation/chat-message'
import type { RawMessage } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath } from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import { isCallType, isResultType, readAnthropicMessage } from '../anthropic/anthropic-message'
import type { MessagePiece, MessagePieces } from '../reading/build-conversation'
import { mapPaths } from '../reading/raw-message'
import { type AttributeValue, structuredValue } from './opentelemetry-attributes'
import type { PlacedSpan } from './opentelemetry-span'

const MESSAGE = /^(?:gen_ai\.prompt|llm\.input_messages)\.(\d{1,6})\.(?:message\.)?(.+)$/
const PART = /^contents\.(\d{1,6})\.message_content\.(type|text)$/
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/

export function isNumberedKey(key: string): boolean {
  return MESSAGE.test(key)
}

/** Attributes of a message by key; those of calls and parts by index and key. */
interface NumberedMessage {
  readonly fields: Map<string, AttributeValue>
  readonly calls: Map<number, Map<string, AttributeValue>>
  readonly parts: Map<number, Map<string, AttributeValue>>
}

/** Reads the numbered messages of a span in order; none when it has no such attributes. */
export function readNumberedMessages(text: TextSlices, span: PlacedSpan): MessagePieces[] {
  const messages = new Map<number, NumberedMessage>()
  for (const [key, attribute] of span.attributes) {
    const [, number, field = ''] = MESSAGE.exec(key) ?? []
    if (number === undefined) continue
    const known = messages.get(Number(number))
    const message = known ?? { fields: new Map(), calls: new Map(), parts: new Map() }
    messages.set(Number(number), message)
    const [, callNumber, member] = CALL.exec(field) ?? []
    const [, partNumber, partMember] = PART.exec(field) ?? []
    if (member !== undefined) addMember(message.calls, Number(callNumber), member, attribute)
    else if (partMember !== undefined)
      addMember(message.parts, Number(partNumber), partMember, attribute)
    else message.fields.set(field, attribute)
  }
  return sortedByNumber(messages).flatMap(([, message]): MessagePieces[] => {
    const piece = readMessage(span, message)
    if (piece === undefined) return []
    const blocks = readBlocks(text, message, piece.raw)
    if (blocks === undefined) return [[piece]]
    const withoutContent = { ...piece.raw, contents: [], results: [] }
    return [[{ ...piece, raw: withoutContent }, blocks]]
  })
}

function addMember(
  numbered: Map<number, Map<string, AttributeValue>>,
  number: number,
  member: string,
  attribute: AttributeValue,
): void {
  const known = numbered.get(number) ?? new Map<string, AttributeValue>()
  numbered.set(number, known)
  known.set(member, attribute)
}

function readMessage(
  { source, path }: PlacedSpan,
  { fields, calls, parts }: NumberedMessage,
): MessagePiece | undefined {
  const field = (key: string) => fields.get(key)?.value
  const orderedCalls = sortedByNumber(calls).map(([, call]) => call)
  const toolCalls = orderedCalls.map((call) => ({
    id: call.get('id')?.value,
    function: { name: call.get('name')?.value, arguments: call.get('arguments')?.value },
  }))
  const orderedParts = sortedByNumber(parts).map(([, part]) => part)
  const content = orderedParts.map((part) => ({
    type: part.get('type')?.value ?? 'text',
    text: part.get('text')?.value,
  }))
  const raw = readChatMessage({
    role: field('role'),
    content: field('content') ?? (content.length > 0 ? content : null),
    tool_call_id: field('tool_call_id'),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls }),
  })
  if (raw === undefined) return undefined
  const attributeAt = ([key, index]: JsonPath): AttributeValue | undefined => {
    if (key === 'tool_calls') return orderedCalls[Number(index)]?.get('arguments')
    if (index !== undefined) return orderedParts[Number(index)]?.get('text')
    return fields.get(String(key))
  }
  const writtenPath = (at: JsonPath): JsonPath => {
    const attribute = attributeAt(at)
    return attribute === undefined
      ? []
      : [...attribute.path.slice(path.length), ...attribute.writtenPath([])]
  }
  return { raw: mapPaths(raw, writtenPath), source, path }
}

/** Reads a content that OpenLLMetry wrote as a JSON list of Anthropic's blocks; undefined for any other content. */
function readBlocks(
  text: TextSlices,
  { fields }: NumberedMessage,
  { role, calls }: RawMessage,
): MessagePiece | undefined {
  const content = fields.get('content')
  if (role === 'tool' || content === undefined) return undefined
  const blocks = structuredValue(text, content)
  if (blocks === undefined || !Array.isArray(blocks.value) || !blocks.value.every(isBlock))
    return undefined
  const { raw } = readAnthropicMessage(blocks.source, [], { content: blocks.value }, role)
  // Calls can also be attributes of their own.
  const withoutRepeats = calls.length > 0 ? { ...raw, calls: [] } : raw
  return { raw: mapPaths(withoutRepeats, ([, ...rest]) => rest), source: blocks.source, path: [] }
}

function isBlock(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  const { type } = value
  return (
    type === 'text' ||
    type === 'thinking' ||
    type === 'image' ||
    isCallType(type) ||
    isResultType(type)
  )
}

function sortedByNumber<Value>(numbered: ReadonlyMap<number, Value>): [number, Value][] {
  return [...numbered].sort(([a], [b]) => a - b)
}
