/**
 * OpenTelemetry's conventions for GenAI (https://opentelemetry.io/docs/specs/semconv/gen-ai/): spans in OTLP's JSON, or
 * lists and lines of spans with their attributes as an object.
 * Each span with `gen_ai.input.messages` is a request, and so a conversation that begins with its
 * `gen_ai.system_instructions`, in the order of time; spans above others of them (`invoke_agent`) are none. The
 * attributes are JSON in a string, or structured. Where there are none, the older events of a span
 * (`gen_ai.user.message`, `gen_ai.tool.message`, …) are its messages, in chat completions.
 * A turn is an assistant message with a part `tool_call` that has an id, a result a part `tool_call_response`. Its text
 * is its response, a text or by nature a value: then its strings, and a value without any is no text.
 * Twins: strings of other attributes, such as `gen_ai.tool.call.result`, that equal a result.
 * Messages spread over numbered keys, as OpenLLMetry and OpenInference have them, are read where there are no others.
 * Ignored: `gen_ai.output.messages` (the next request holds them), and log records.
 */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { RawMessage } from '../conversation/link-messages'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { buildConversation, type PlacedMessage } from './build-conversation'
import type { Format } from './format'
import { RepeatedResults } from './held-messages'
import { findMessageLists, type MessageKind, skippedItem } from './message-lists'
import { attributesOf, type PlainValue, structureIn } from './opentelemetry-attributes'
import { readGenAiMessage, readParts } from './opentelemetry-messages'
import { isNumberedKey, readNumbered } from './opentelemetry-numbered'
import { withPaths } from './raw-message'
import type { SourceDocument, SourceValue } from './source-document'
import { inTime, lowest, type Spot } from './trace-order'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

interface Span {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: JsonObject
  readonly attributes: ReadonlyMap<string, PlainValue>
}

interface Request extends Span {
  readonly conversation: ReadConversation
  /** Whether it was read from the attribute of that key. */
  readonly isRead: (key: string) => boolean
}

const INPUT = 'gen_ai.input.messages'
const INSTRUCTIONS = 'gen_ai.system_instructions'
const NEWER = new Set([INPUT, INSTRUCTIONS])
const EVENT = /^gen_ai\.(system|user|assistant|tool)\.message$/

const SPANS: MessageKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.name === 'string' &&
    (Array.isArray(value.attributes) || isJsonObject(value.attributes)) &&
    idOf(value) !== undefined,
  isTelling: (spans) => spans.some((span) => isJsonObject(span) && keysOf(span).length > 0),
}

export const opentelemetry: Format = {
  id: 'opentelemetry',
  label: 'OpenTelemetry GenAI',
  expects: 'spans with attributes of the GenAI conventions, such as "gen_ai.input.messages"',
  recognise: (source) => {
    const { lists } = findMessageLists(source, SPANS)
    if (lists.length === 0) return null
    const values = lists.flatMap(({ items }) => items.map(({ value }) => value))
    const keys = new Set(values.flatMap((value) => (isJsonObject(value) ? keysOf(value) : [])))
    const telling = [INPUT, INSTRUCTIONS, 'gen_ai.tool.call.result', 'gen_ai.tool.message']
    const marks = telling.filter((key) => keys.has(key))
    return {
      shape: 'trace',
      lists: lists.length,
      marks: marks.length > 0 ? marks : [...keys].slice(0, 3),
    }
  },
  read: (source) => {
    const problems: Problem[] = []
    const spans = inTime(spansOf(source, problems), spotOf)
    const all = spans.flatMap((span) => readSpan(source.text, span, problems) ?? [])
    const requests = lowest(all, spans, spotOf)
    if (requests.length === 0) throw noMessages(spans, problems)
    const repeated = new RepeatedResults(
      source.text,
      requests.map(({ conversation }) => conversation),
    )
    const requestOf = new Map(requests.map((request) => [request.value, request] as const))
    for (const span of spans) {
      for (const [key, { source: from, path, write }] of span.attributes) {
        if (requestOf.get(span.value)?.isRead(key) !== true)
          repeated.lookThrough(from, [...path, ...write([])])
      }
    }
    return { conversations: repeated.conversations(), problems }
  },
}

/** Keys of attributes and names of events that are GenAI's. */
function keysOf({ attributes, events }: JsonObject): string[] {
  const keys = Array.isArray(attributes)
    ? attributes.map((one: unknown) => (isJsonObject(one) ? one.key : undefined))
    : Object.keys(isJsonObject(attributes) ? attributes : {})
  const names = (Array.isArray(events) ? events : []).map((event: unknown) =>
    isJsonObject(event) ? event.name : undefined,
  )
  return [...keys, ...names].filter(
    (key): key is string =>
      typeof key === 'string' && (key.startsWith('gen_ai.') || isNumberedKey(key)),
  )
}

function spansOf(source: SourceDocument, problems: Problem[]): Span[] {
  const { lists } = findMessageLists(source, SPANS)
  return lists.flatMap(({ items }) =>
    items.flatMap((item): Span[] => {
      const { source: from, path, value } = item
      if (isJsonObject(value)) {
        return [{ source: from, path, value, attributes: attributesOf(from, path, value) }]
      }
      problems.push(skippedItem(item))
      return []
    }),
  )
}

function idOf({ spanId, span_id, id, context }: JsonObject): unknown {
  return spanId ?? span_id ?? id ?? (isJsonObject(context) ? context.span_id : undefined)
}

/** Exporters name ids and times each in their own way. */
function spotOf({ value }: Span): Spot {
  const { context, parentSpanContext } = value
  const outer = isJsonObject(parentSpanContext) ? parentSpanContext.spanId : undefined
  return {
    id: idOf(value),
    parent:
      value.parentSpanId ?? value.parent_span_id ?? value.parentId ?? value.parent_id ?? outer,
    trace:
      value.traceId ?? value.trace_id ?? (isJsonObject(context) ? context.trace_id : undefined),
    begun: timeOf(
      value.startTimeUnixNano ?? value.start_time ?? value.startTime ?? value.timestamp,
    ),
  }
}

/** Nanoseconds, a date, or seconds and nanoseconds. */
function timeOf(time: unknown): number {
  if (Array.isArray(time)) return Number(time[0]) * 1e9 + Number(time[1])
  const number = Number(time ?? 0)
  return Number.isNaN(number) ? Date.parse(String(time)) || 0 : number
}

function readSpan(text: string, span: Span, problems: Problem[]): Request | undefined {
  const input = span.attributes.get(INPUT)
  const older = input === undefined ? olderMessages(text, span) : undefined
  const placed = input === undefined ? older : readMessages(text, input, problems)
  if (placed === undefined) return undefined
  const instructions = readInstructions(text, span.attributes.get(INSTRUCTIONS), problems)
  const plain = (key: string) => span.attributes.get(key)?.value
  const model = plain('gen_ai.response.model') ?? plain('gen_ai.request.model')
  const tools = span.attributes.get('gen_ai.tool.definitions')
  const schemas = tools && structureIn(text, tools)?.value
  const conversation = buildConversation([...instructions, ...placed], {
    label: [
      String(span.value.name),
      ...(span.source.line === undefined ? [] : [`line ${span.source.line}`]),
      ...(span.path.length === 0 ? [] : [readablePath(span.path)]),
    ].join(', '),
    model: typeof model === 'string' ? model : undefined,
    toolSchemas: schemas === undefined ? '' : JSON.stringify(schemas),
  })
  const isOlder = (key: string) => input === undefined && isNumberedKey(key)
  return { ...span, conversation, isRead: (key) => NEWER.has(key) || isOlder(key) }
}

/** Messages as instrumentations wrote them before there was an attribute for all. */
function olderMessages(text: string, span: Span): PlacedMessage[] | undefined {
  const events = readEvents(text, span)
  const placed = events.length > 0 ? events : readNumbered(span.source, span.path, span.attributes)
  return placed.length > 0 ? placed : undefined
}

/** Where a value of an attribute stands, for a problem. */
function wrongAttribute({ source, path, write, value }: PlainValue, expected: string): Problem {
  return wrongType(source, [...path, ...write([])], value, expected)
}

function readMessages(
  text: string,
  input: PlainValue,
  problems: Problem[],
): PlacedMessage[] | undefined {
  const held = structureIn(text, input)
  if (held === undefined || !Array.isArray(held.value)) {
    problems.push(wrongAttribute(input, 'a list of messages, as JSON'))
    return undefined
  }
  return held.value.flatMap((message: unknown, index): PlacedMessage[] => {
    const raw = readGenAiMessage(message)
    const path = [...held.path, ...held.write([index])]
    if (raw === undefined) {
      problems.push(skippedItem({ source: held.source, path, value: message }))
      return []
    }
    const parts = (message as JsonObject).parts
    if (parts !== undefined && !Array.isArray(parts)) {
      const partsAt = [...held.path, ...held.write([index, 'parts'])]
      problems.push(wrongType(held.source, partsAt, parts, 'a list of parts'))
    }
    return [place(raw, held, [index])]
  })
}

/** A message read from a member of a value; its paths are those of the source. */
function place(raw: RawMessage, held: PlainValue, at: JsonPath): PlacedMessage {
  const own = held.write(at)
  const written = withPaths(raw, (path) => held.write([...at, ...path]).slice(own.length))
  return [{ raw: written, source: held.source, path: [...held.path, ...own] }]
}

function readInstructions(
  text: string,
  attribute: PlainValue | undefined,
  problems: Problem[],
): PlacedMessage[] {
  if (attribute === undefined) return []
  const held = structureIn(text, attribute)
  if (held !== undefined && Array.isArray(held.value)) {
    return [place(readParts('system', held.value, []), held, [])]
  }
  problems.push(wrongAttribute(attribute, 'a list of parts, as JSON'))
  return []
}

/** Events name the role; what they say is JSON in `gen_ai.event.content`, or their attributes. */
function readEvents(text: string, { source, path, value }: Span): PlacedMessage[] {
  const events: readonly unknown[] = Array.isArray(value.events) ? value.events : []
  return events.flatMap((event, index): PlacedMessage[] => {
    const role = isJsonObject(event) ? EVENT.exec(String(event.name))?.[1] : undefined
    if (!isJsonObject(event) || role === undefined) return []
    const eventAt = [...path, 'events', index]
    const attributes = attributesOf(source, eventAt, event)
    const content = attributes.get('gen_ai.event.content')
    const held = content && structureIn(text, content)
    if (held !== undefined) {
      const raw = readEvent(role, isJsonObject(held.value) ? held.value : {})
      return raw === undefined ? [] : [place(raw, held, [])]
    }
    const said = Object.fromEntries([...attributes].map(([key, one]) => [key, one.value]))
    const raw = readEvent(role, said)
    if (raw === undefined) return []
    const write = ([key, ...rest]: JsonPath): JsonPath => {
      const attribute = attributes.get(String(key))
      if (attribute === undefined) return []
      return [...attribute.path.slice(eventAt.length), ...attribute.write(rest)]
    }
    return [[{ raw: withPaths(raw, write), source, path: eventAt }]]
  })
}

function readEvent(role: string, { content, tool_calls, id, ...rest }: JsonObject) {
  return readChatMessage({ role, content, tool_calls, tool_call_id: id ?? rest.tool_call_id })
}

function noMessages(spans: readonly Span[], problems: readonly Problem[]): ReadError {
  const [known] = problems
  if (known !== undefined) return new ReadError(known.code, known.values, known.offset)
  const { source, path } = spans.find(({ value }) => keysOf(value).length > 0) as Span
  const at = [...path, 'attributes', INPUT]
  const expected = 'the messages of a request, recorded where the capturing of content is on'
  const { code, values, offset } = wrongType(source, at, undefined, expected)
  return new ReadError(code, values, offset)
}
