/**
 * OpenTelemetry's conventions for generative AI (https://opentelemetry.io/docs/specs/semconv/gen-ai/): spans in OTLP's
 * JSON, or lists and lines of spans as other exporters write them (`opentelemetry-span`, `opentelemetry-attributes`).
 *
 * Request: a span with messages; each is a conversation, in order of time. An ancestor of another request, such as
 * `invoke_agent`, repeats it and is not a request. A span has messages in one of these forms, the first that occurs:
 * 1. `gen_ai.input.messages`, after `gen_ai.system_instructions` (`opentelemetry-attributes`);
 * 2. events such as `gen_ai.user.message` (`opentelemetry-events`);
 * 3. numbered keys of OpenLLMetry and OpenInference (`opentelemetry-span`);
 * 4. only if no span has any of these: a request in an attribute of another tracer, such as MLflow (`opentelemetry-events`).
 *
 * Turn: an assistant message with a `tool_call` part that has an id.
 * Call: a `tool_call` part.
 * Result: a `tool_call_response` part. Its text is `response`: a string, or the strings of a value.
 * Non-text result: a response without a string.
 * In forms 2 to 4: as in chat completions, or as in the format of the nested request.
 *
 * Duplicates: strings in other attributes that equal a result, such as `gen_ai.tool.call.result`.
 * Ignored: `gen_ai.output.messages`, because the next request contains them, and log records without these attributes.
 */

import { readTime } from '../../conversation/conversation'
import { errorOf, type Problem, type ReadError } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { readablePath } from '../../text/json-path'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import type { Format } from '../reading/format'
import { findMessageLists, type MessageListKind, skippedMessageProblem } from '../reading/lists'
import { readUsage } from '../reading/read-usage'
import { lineOrPath, wrongTypeProblem } from '../reading/report'
import type { SourceDocument } from '../reading/source-document'
import { dropAncestors, sortByTraceAndTime } from '../reading/trace-order'
import NAMES from './names.json' with { type: 'json' }
import {
  attributesOf,
  rawAttributes,
  readInstructions,
  readMessages,
} from './opentelemetry-attributes'
import {
  isSpan,
  NUMBERED_KEY,
  type PlacedSpan,
  positionOf,
  readEvents,
  readNestedRequest,
  readNumberedMessages,
  spanName,
} from './opentelemetry-span'

const MESSAGES = 'gen_ai.input.messages'
const INSTRUCTIONS = 'gen_ai.system_instructions'
const TOOL_KEY = /^llm\.(?:tools\.\d+\.tool\.json_schema|request\.functions\.\d+\.\w+)$/

const SPANS: MessageListKind = {
  isMessage: isSpan,
  hasFormatMarks: (spans) => spans.some((span) => isJsonObject(span) && genAiKeys(span).length > 0),
}

export const opentelemetry: Format<'opentelemetry'> = {
  id: 'opentelemetry',
  label: 'OpenTelemetry GenAI',
  expects: 'spans with attributes of the GenAI conventions, such as "gen_ai.input.messages"',
  recognise: (source) => {
    const { lists } = findMessageLists(source, SPANS)
    if (lists.length === 0) return null
    const values = lists.flatMap(({ items }) => items.map(({ value }) => value))
    const keys = new Set(values.flatMap((value) => (isJsonObject(value) ? genAiKeys(value) : [])))
    const ownKeys = [MESSAGES, INSTRUCTIONS, 'gen_ai.tool.call.result', 'gen_ai.tool.message']
    const own = [...ownKeys, ...NAMES.request].filter((key) => keys.has(key))
    const marks = own.length > 0 ? own : [...keys].slice(0, 3)
    return { shape: 'trace', lists: lists.length, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    const spans = sortByTraceAndTime(spansIn(source, problems), positionOf)
    const read = spans.flatMap((span) => readSpan(span, problems) ?? [])
    const unread: Problem[] = []
    const all = read.length > 0 ? read : spans.flatMap((span) => readNestedSpan(span, unread) ?? [])
    const requests = dropAncestors(all, spans, positionOf)
    if (requests.length === 0) throw noMessagesError(spans, [...problems, ...unread])
    problems.push(...requests.flatMap((request) => request.problems))
    return { conversations: requests.map(({ conversation }) => conversation), problems }
  },
}

/** Keys of attributes, and names of events, that contain messages or follow the conventions. */
function genAiKeys(span: JsonObject): string[] {
  const keys = rawAttributes(span).map(({ key }) => key)
  const names = itemsOf(span.events).map((event) => membersOf(event).name)
  return [...keys, ...names].filter(
    (key): key is string =>
      typeof key === 'string' &&
      (key.startsWith('gen_ai.') ||
        key.startsWith('mlflow.span') ||
        NUMBERED_KEY.test(key) ||
        NAMES.request.includes(key)),
  )
}

function spansIn(document: SourceDocument, problems: Problem[]): PlacedSpan[] {
  const { lists } = findMessageLists(document, SPANS)
  return lists.flatMap(({ items }) =>
    items.flatMap((item): PlacedSpan[] => {
      const { source, path, value } = item
      if (isJsonObject(value)) {
        const { attributes } = value
        if (typeof attributes === 'number' || typeof attributes === 'boolean')
          problems.push(
            wrongTypeProblem(source, [...path, 'attributes'], attributes, 'object_or_list'),
          )
        return [{ source, path, value, attributes: attributesOf(source, path, value) }]
      }
      problems.push(skippedMessageProblem(item))
      return []
    }),
  )
}

/** Reads a span with messages in one of the forms 1 to 3. */
function readSpan(span: PlacedSpan, problems: Problem[]) {
  const { attributes } = span
  const attribute = attributes.get(MESSAGES)
  const placed = attribute === undefined ? readOldMessages(span) : readMessages(attribute, problems)
  if (placed === undefined) return undefined
  const instructions = readInstructions(attributes.get(INSTRUCTIONS), problems)
  const conversation = buildConversation([...instructions, ...placed], detailsOf(span))
  return { ...span, conversation, problems: [] as Problem[] }
}

function readOldMessages(span: PlacedSpan): MessagePieces[] | undefined {
  const events = readEvents(span.source, span.path, span.value.events)
  const placed = events.length > 0 ? events : readNumberedMessages(span)
  return placed.length > 0 ? placed : undefined
}

/** Reads a span with a request in another format; `unread` receives why there is none. */
function readNestedSpan(span: PlacedSpan, unread: Problem[]) {
  const problems: Problem[] = []
  const details = detailsOf(span)
  const read = readNestedRequest(span.attributes, problems, (placed) =>
    buildConversation(placed, details),
  )
  if (read === undefined) {
    unread.push(...problems)
    return undefined
  }
  return {
    ...span,
    conversation: {
      ...read,
      ...(details.answerUsage && { answerUsage: details.answerUsage }),
      label: details.label,
      model: details.model ?? read.model,
    },
    problems,
  }
}

function detailsOf(span: PlacedSpan) {
  const { source, path, value, attributes } = span
  const models = NAMES.model.map((key) => attributes.get(key)?.value)
  // MLflow writes every value as JSON.
  const model = models.find((name) => typeof name === 'string')?.replace(/^"(.*)"$/, '$1')
  return {
    label: [
      spanName(value) ?? '',
      ...(source.line === undefined ? [] : [lineOrPath(source, [])]),
      ...(path.length === 0 ? [] : [readablePath(path)]),
    ],
    model,
    toolSchemas: toolSchemasOf(attributes),
    answerUsage: usageOfSpan(span, model),
  }
}

function usageOfSpan({ attributes, value }: PlacedSpan, model: string | undefined) {
  const numbers = [...attributes].map(([key, attribute]) => [key, attribute.value])
  const end = scalarText(value.endTimeUnixNano ?? value.end_time_unix_nano)
  const nanoseconds = end === '' ? Number.NaN : Number(end)
  const at = Number.isNaN(nanoseconds) ? readTime(value.end_time) : nanoseconds / 1e6
  const mlflow = attributes.get('mlflow.chat.tokenUsage')
  const counts = mlflow?.structured()?.value
  return (
    readUsage(Object.fromEntries(numbers), 'opentelemetry', { model, at }) ??
    readUsage(counts, 'mlflow', { model, at })
  )
}

/** Tool schemas in one attribute, or in one attribute per tool. */
function toolSchemasOf(attributes: PlacedSpan['attributes']): string {
  const names = ['gen_ai.tool.definitions', 'ai.prompt.tools', 'mlflow.chat.tools']
  const definitions = names.map((name) => attributes.get(name)).find((found) => found !== undefined)
  if (definitions !== undefined) {
    const schemas = definitions.structured()?.value
    return schemas === undefined ? '' : JSON.stringify(schemas)
  }
  const schemas = [...attributes].filter(([key]) => TOOL_KEY.test(key))
  return schemas.map(([, { value }]) => (typeof value === 'string' ? value : '')).join('\n')
}

function noMessagesError(spans: readonly PlacedSpan[], [known]: readonly Problem[]): ReadError {
  if (known !== undefined) return errorOf(known)
  const { source, path } = spans.find(({ value }) => genAiKeys(value).length > 0) as PlacedSpan
  const at = [...path, 'attributes', MESSAGES]
  const expected = 'recorded_messages_of_request'
  return errorOf(wrongTypeProblem(source, at, undefined, expected))
}
