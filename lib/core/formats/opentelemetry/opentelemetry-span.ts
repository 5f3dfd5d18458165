/**
 * Spans as exporters write them in JSON: their names, ids, parents and times.
 * Messages in numbered attributes, one attribute for each member: `gen_ai.prompt.0.content` of OpenLLMetry
 * (https://www.traceloop.com/docs/openllmetry) and `llm.input_messages.0.message.content` of OpenInference
 * (https://arize-ai.github.io/openinference/spec/). Put together, they are chat completions.
 */

import { readChatMessage } from '../../conversation/chat-message'
import type { RawMessage } from '../../conversation/link-messages'
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  scalarText,
  type Unchecked,
} from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import { isCallType, isResultType, readAnthropicMessage } from '../anthropic/anthropic-message'
import type { MessagePiece, MessagePieces } from '../reading/build-conversation'
import { mapPaths } from '../reading/raw-message'
import type { SourceValue } from '../reading/source-document'
import type { TracePosition } from '../reading/trace-order'
import {
  type AttributeOwner,
  type AttributeValue,
  structuredValue,
} from './opentelemetry-attributes'
import type { SpanEvent } from './opentelemetry-events'

/** A span, or a log record with the attributes of one. Every exporter has its own keys for the same fact. */
export interface RawSpan extends AttributeOwner {
  readonly events?: readonly SpanEvent[]

  readonly name?: string
  /** Logfire. */
  readonly span_name?: string
  /** Jaeger. */
  readonly operationName?: string
  /** Log records. */
  readonly eventName?: string

  readonly spanId?: string
  readonly span_id?: string
  readonly spanID?: string
  readonly id?: string
  readonly context?: { readonly span_id: string; readonly trace_id: string }

  readonly traceId?: string
  readonly trace_id?: string
  readonly traceID?: string

  readonly parentSpanId?: string
  readonly parent_span_id?: string
  readonly parentId?: string
  readonly parent_id?: string
  readonly parentSpanContext?: { readonly spanId: string }
  readonly references?: readonly { readonly spanID: string }[]

  readonly startTimeUnixNano?: SpanTime
  readonly endTimeUnixNano?: SpanTime
  /** MLflow. */
  readonly start_time_unix_nano?: SpanTime
  readonly end_time_unix_nano?: SpanTime
  readonly end_time?: SpanTime
  readonly start_time?: SpanTime
  readonly startTime?: SpanTime
  readonly start_timestamp?: SpanTime
  readonly timestamp?: SpanTime
}

/** Nanoseconds, a date, or seconds and nanoseconds. */
type SpanTime = string | number | readonly [seconds: number, nanoseconds: number]

export interface PlacedSpan {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: Unchecked<RawSpan>
  readonly attributes: ReadonlyMap<string, AttributeValue>
}

export function isSpan(value: unknown): value is Unchecked<RawSpan> {
  if (!isJsonObject(value)) return false
  const span: Unchecked<RawSpan> = value
  const hasAttributes = [span.attributes, span.tags].some(
    (all) => Array.isArray(all) || isJsonObject(all),
  )
  return hasAttributes && spanName(span) !== undefined && spanId(span) !== undefined
}

export function spanName(span: Unchecked<RawSpan>): string | undefined {
  const name = span.name ?? span.span_name ?? span.operationName ?? span.eventName
  return typeof name === 'string' ? name : undefined
}

function spanId(span: Unchecked<RawSpan>): unknown {
  const { context } = span
  const ofContext = membersOf(context).span_id
  return span.spanId ?? span.span_id ?? span.spanID ?? span.id ?? ofContext
}

export function positionOf({ value: span }: PlacedSpan): TracePosition {
  const { context, parentSpanContext, references } = span
  const [reference] = itemsOf(references)
  return {
    spanId: spanId(span),
    parentId:
      span.parentSpanId ??
      span.parent_span_id ??
      span.parentId ??
      span.parent_id ??
      membersOf(parentSpanContext).spanId ??
      membersOf(reference).spanID,
    traceId: span.traceId ?? span.trace_id ?? span.traceID ?? membersOf(context).trace_id,
    startTime: timeOf(
      span.startTimeUnixNano ??
        span.start_time_unix_nano ??
        span.start_time ??
        span.startTime ??
        span.start_timestamp ??
        span.timestamp,
    ),
  }
}

function timeOf(time: unknown): number {
  if (Array.isArray(time)) return Number(scalarText(time[0])) * 1e9 + Number(scalarText(time[1]))
  const number = Number(scalarText(time ?? 0))
  return Number.isNaN(number) ? Date.parse(scalarText(time)) || 0 : number
}

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
  const raw = readAnthropicMessage({ content: blocks.value }, role, () => {})
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
