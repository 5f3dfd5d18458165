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
 * Messages spread over numbered keys, as OpenLLMetry and OpenInference have them, are read where there are no others;
 * where no span has either, requests as other tracers hold them: see `opentelemetry-held`. Attributes are an object, in
 * Phoenix objects in each other, in Jaeger's export the list `tags`.
 * Ignored: `gen_ai.output.messages` (the next request holds them), and log records but those with these attributes.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { buildConversation, type ConversationFrame, type PlacedMessage } from './build-conversation'
import type { Format } from './format'
import { findMessageLists, type MessageKind, skippedItem } from './message-lists'
import {
  attributeKeys,
  attributesOf,
  type PlainValue,
  structureIn,
} from './opentelemetry-attributes'
import { readEvents } from './opentelemetry-events'
import { HELD_KEYS, readHeldAttribute } from './opentelemetry-held'
import { readInstructions, readMessages } from './opentelemetry-inputs'
import { isNumberedKey, readNumbered } from './opentelemetry-numbered'
import { RepeatedResults } from './repeated-results'
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
const TELLING_KEYS = new Set(HELD_KEYS)
const MODEL_KEYS = [
  'gen_ai.response.model',
  'gen_ai.request.model',
  'llm.model_name',
  'ai.model.id',
  'model_name',
]
const TOOL_KEY = /^llm\.(?:tools\.\d+\.tool\.json_schema|request\.functions\.\d+\.\w+)$/

const SPANS: MessageKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    nameOf(value) !== undefined &&
    [value.attributes, value.tags].some((all) => Array.isArray(all) || isJsonObject(all)) &&
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
    const telling = [
      ...[INPUT, INSTRUCTIONS, 'gen_ai.tool.call.result', 'gen_ai.tool.message'],
      ...HELD_KEYS,
    ]
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
    const own = spans.flatMap((span) => readSpan(source.text, span, problems) ?? [])
    const all = own.length > 0 ? own : spans.flatMap((span) => readHeldSpan(source.text, span))
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
function keysOf(span: JsonObject): string[] {
  const names = (Array.isArray(span.events) ? span.events : []).map((event: unknown) =>
    isJsonObject(event) ? event.name : undefined,
  )
  return [...attributeKeys(span), ...names].filter(
    (key): key is string =>
      typeof key === 'string' &&
      (key.startsWith('gen_ai.') || isNumberedKey(key) || TELLING_KEYS.has(key)),
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

/** The name of a span, or of a log record that is an event. */
function nameOf({ name, span_name, operationName, eventName }: JsonObject): string | undefined {
  const found = name ?? span_name ?? operationName ?? eventName
  return typeof found === 'string' ? found : undefined
}

function idOf({ spanId, span_id, spanID, id, context }: JsonObject): unknown {
  return spanId ?? span_id ?? spanID ?? id ?? (isJsonObject(context) ? context.span_id : undefined)
}

/** Exporters name ids and times each in their own way. */
function spotOf({ value }: Span): Spot {
  const { context, parentSpanContext, references } = value
  const outer = isJsonObject(parentSpanContext) ? parentSpanContext.spanId : undefined
  const [reference]: readonly unknown[] = Array.isArray(references) ? references : []
  const above = isJsonObject(reference) ? reference.spanID : undefined
  return {
    id: idOf(value),
    parent:
      value.parentSpanId ??
      value.parent_span_id ??
      value.parentId ??
      value.parent_id ??
      outer ??
      above,
    trace:
      value.traceId ??
      value.trace_id ??
      value.traceID ??
      (isJsonObject(context) ? context.trace_id : undefined),
    begun: timeOf(
      value.startTimeUnixNano ??
        value.start_time ??
        value.startTime ??
        value.start_timestamp ??
        value.timestamp,
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
  const conversation = buildConversation([...instructions, ...placed], frameOf(text, span))
  const isOlder = (key: string) => input === undefined && isNumberedKey(key)
  return { ...span, conversation, isRead: (key) => NEWER.has(key) || isOlder(key) }
}

/** The words of other tracers, which hold a request as JSON. */
function readHeldSpan(text: string, span: Span): Request[] {
  const held = readHeldAttribute(text, span)
  if (held === undefined) return []
  const { key, conversation, placed } = held
  const frame = frameOf(text, span)
  const read = placed === undefined ? conversation : buildConversation(placed, frame)
  const own = { ...read, label: frame.label, model: frame.model ?? read.model }
  return [{ ...span, conversation: own, isRead: (other) => other === key }]
}

function frameOf(text: string, { source, path, value, attributes }: Span): ConversationFrame {
  const model = MODEL_KEYS.map((key) => attributes.get(key)?.value).find(
    (named) => typeof named === 'string',
  )
  return {
    label: [
      nameOf(value) ?? '',
      ...(source.line === undefined ? [] : [`line ${source.line}`]),
      ...(path.length === 0 ? [] : [readablePath(path)]),
    ].join(', '),
    model: typeof model === 'string' ? model : undefined,
    toolSchemas: toolsIn(text, attributes),
  }
}

/** Definitions of tools in one attribute, or in one for each tool. */
function toolsIn(text: string, attributes: Span['attributes']): string {
  const definitions = attributes.get('gen_ai.tool.definitions') ?? attributes.get('ai.prompt.tools')
  if (definitions !== undefined) {
    const schemas = structureIn(text, definitions)?.value
    return schemas === undefined ? '' : JSON.stringify(schemas)
  }
  const numbered = [...attributes].filter(([key]) => TOOL_KEY.test(key))
  return numbered.map(([, { value }]) => (typeof value === 'string' ? value : '')).join('\n')
}

/** Messages as instrumentations wrote them before there was an attribute for all. */
function olderMessages(text: string, span: Span): PlacedMessage[] | undefined {
  const events = readEvents(text, span)
  const placed = events.length > 0 ? events : readNumbered(text, span)
  return placed.length > 0 ? placed : undefined
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
