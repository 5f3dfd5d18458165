/**
 * Messages spread over numbered attributes, each text a string of its own: OpenLLMetry's `gen_ai.prompt.0.content`
 * (https://www.traceloop.com/docs/openllmetry) and OpenInference's `llm.input_messages.0.message.content`
 * (https://arize-ai.github.io/openinference/spec/). They are chat completions once put together.
 */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { RawMessage } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { isCallType, isResultType, readAnthropicMessage } from './anthropic-message'
import type { MessagePiece, PlacedMessage } from './build-conversation'
import { type PlainValue, structureIn } from './opentelemetry-attributes'
import { withPaths } from './raw-message'
import type { SourceValue } from './source-document'

const MESSAGE = /^(?:gen_ai\.prompt|llm\.input_messages)\.(\d{1,6})\.(?:message\.)?(.+)$/
const PART = /^contents\.(\d{1,6})\.message_content\.(type|text)$/
const CALL = /^tool_calls\.(\d{1,6})\.(?:tool_call\.)?(?:function\.)?(id|name|arguments)$/

/** Whether a key is one of a numbered message. */
export function isNumberedKey(key: string): boolean {
  return MESSAGE.test(key)
}

interface NumberedSpan {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly attributes: ReadonlyMap<string, PlainValue>
}

interface NumberedMessage {
  readonly fields: Map<string, PlainValue>
  readonly calls: Map<number, Map<string, PlainValue>>
  readonly parts: Map<number, Map<string, PlainValue>>
}

/** The messages of a span's numbered attributes in order; none where it has no such keys. */
export function readNumbered(
  text: string,
  { source, path, attributes }: NumberedSpan,
): PlacedMessage[] {
  const messages = new Map<number, NumberedMessage>()
  for (const [key, attribute] of attributes) {
    const [, number, field = ''] = MESSAGE.exec(key) ?? []
    if (number === undefined) continue
    const known = messages.get(Number(number))
    const message = known ?? { fields: new Map(), calls: new Map(), parts: new Map() }
    messages.set(Number(number), message)
    const [, callNumber, member] = CALL.exec(field) ?? []
    const [, partNumber, of] = PART.exec(field) ?? []
    if (member !== undefined) addMember(message.calls, Number(callNumber), member, attribute)
    else if (of !== undefined) addMember(message.parts, Number(partNumber), of, attribute)
    else message.fields.set(field, attribute)
  }
  return inOrder(messages).flatMap(([, message]): PlacedMessage[] => {
    const piece = readOne(source, path, message)
    if (piece === undefined) return []
    const blocks = readBlocks(text, message, piece.raw)
    if (blocks === undefined) return [[piece]]
    const withoutContent = { ...piece.raw, contents: [], results: [] }
    return [[{ ...piece, raw: withoutContent }, blocks]]
  })
}

function addMember(
  numbered: Map<number, Map<string, PlainValue>>,
  number: number,
  member: string,
  attribute: PlainValue,
): void {
  const known = numbered.get(number) ?? new Map<string, PlainValue>()
  numbered.set(number, known)
  known.set(member, attribute)
}

function readOne(
  source: SourceValue,
  path: JsonPath,
  { fields, calls, parts }: NumberedMessage,
): MessagePiece | undefined {
  const text = (key: string) => fields.get(key)?.value
  const ordered = inOrder(calls).map(([, call]) => call)
  const made = ordered.map((call) => ({
    id: call.get('id')?.value,
    function: { name: call.get('name')?.value, arguments: call.get('arguments')?.value },
  }))
  const orderedParts = inOrder(parts).map(([, part]) => part)
  const content = orderedParts.map((part) => ({
    type: part.get('type')?.value ?? 'text',
    text: part.get('text')?.value,
  }))
  const raw = readChatMessage({
    role: text('role'),
    content: text('content') ?? (content.length > 0 ? content : null),
    tool_call_id: text('tool_call_id'),
    ...(made.length > 0 && { tool_calls: made }),
  })
  if (raw === undefined) return undefined
  const attributeAt = ([key, index]: JsonPath): PlainValue | undefined => {
    if (key === 'tool_calls') return ordered[Number(index)]?.get('arguments')
    if (index !== undefined) return orderedParts[Number(index)]?.get('text')
    return fields.get(String(key))
  }
  const write = (at: JsonPath): JsonPath => {
    const attribute = attributeAt(at)
    return attribute === undefined
      ? []
      : [...attribute.path.slice(path.length), ...attribute.write([])]
  }
  return { raw: withPaths(raw, write), source, path }
}

/** OpenLLMetry writes a content of blocks as JSON: Anthropic's results stand in it. */
function readBlocks(
  text: string,
  { fields }: NumberedMessage,
  { role, calls }: RawMessage,
): MessagePiece | undefined {
  const content = fields.get('content')
  const held = role === 'tool' || content === undefined ? undefined : structureIn(text, content)
  if (held === undefined || !Array.isArray(held.value) || !held.value.every(isBlock))
    return undefined
  const { raw } = readAnthropicMessage(held.source, [], { content: held.value }, role)
  // The calls stand beside the content too.
  const own = calls.length > 0 ? { ...raw, calls: [] } : raw
  return { raw: withPaths(own, ([, ...rest]) => rest), source: held.source, path: [] }
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

function inOrder<Value>(numbered: ReadonlyMap<number, Value>): [number, Value][] {
  return [...numbered].sort(([a], [b]) => a - b)
}
