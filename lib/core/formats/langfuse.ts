/**
 * Langfuse: traces with their observations, lists and lines of observations
 * (https://langfuse.com/docs/api-and-data-platform/features/public-api), under the API's names or those of exports to a
 * storage (https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields).
 * Batches of events that SDKs send are read as the observations they tell of: see `langfuse-events`.
 * Each generation whose input holds a list of messages is a request, and so a conversation, in the order of time: later
 * ones go on from earlier ones. The messages are in the words of the provider or framework that was traced, and turn,
 * call, result and what is no text are as its format has them. Inputs stand as values or as JSON in a string.
 * A generation that others lie below (`ai.streamText` above `ai.streamText.doStream`) says again what they say and is no
 * request of its own. Where no generation has messages, every observation's input is looked at, then the trace's.
 * Twins: an observation listed twice, and strings of other inputs, of outputs and of metadata that equal a result.
 * Ignored: outputs (the next request holds them), so a tool's output that no request holds is not in a conversation.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { findKeys } from './find-keys'
import type { Format, FormatReading } from './format'
import { readHeldMessages } from './held-messages'
import { heldValue } from './held-value'
import { type EventReading, eventTypes, readEvents } from './langfuse-events'
import { findMessageLists, type MessageKind, skippedItem } from './message-lists'
import { RepeatedResults } from './repeated-results'
import type { SourceDocument, SourceValue } from './source-document'
import { inTime, lowest, type Spot } from './trace-order'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

interface Observation {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: JsonObject
}

interface Request extends Observation {
  readonly conversations: readonly ReadConversation[]
}

/** The API's names, and those of exports to a storage. */
const EXPORTED = {
  traceId: 'trace_id',
  startTime: 'start_time',
  parentObservationId: 'parent_observation_id',
  model: 'provided_model_name',
} as const

function fieldOf(value: JsonObject, key: keyof typeof EXPORTED): unknown {
  return value[key] === undefined ? value[EXPORTED[key]] : value[key]
}

const OBSERVATIONS: MessageKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    /^[A-Z]+$/.test(value.type) &&
    typeof fieldOf(value, 'startTime') === 'string' &&
    fieldOf(value, 'traceId') !== undefined,
  isTelling: () => true,
}

export const langfuse: Format = {
  id: 'langfuse',
  label: 'Langfuse trace',
  expects: 'a trace with "observations", objects with a "type", "traceId" and "startTime"',
  recognise: (source) => {
    const lists = findMessageLists(source, OBSERVATIONS).lists
    const types = eventTypes(source)
    if (lists.length === 0 && types.length === 0) return null
    const keys = ['observations', 'traceId', 'startTime', 'trace_id', 'start_time']
    const marks = [...types.slice(0, 3), ...findKeys(source, keys)]
    return { shape: 'trace', lists: Math.max(lists.length, 1), marks }
  },
  read: (source) => readObservations(source, observationsOf(source), readEvents(source)),
}

function observationsOf(source: SourceDocument): {
  observations: readonly Observation[]
  problems: Problem[]
} {
  const problems: Problem[] = []
  const observations: Observation[] = []
  for (const { items } of findMessageLists(source, OBSERVATIONS).lists) {
    for (const item of items) {
      const { value } = item
      if (!isJsonObject(value)) problems.push(skippedItem(item))
      else if (OBSERVATIONS.isMessage(value)) observations.push({ ...item, value })
      else problems.push(wrongObservation(item.source, item.path, value))
    }
  }
  return { observations, problems }
}

function wrongObservation(source: SourceValue, path: JsonPath, value: JsonObject): Problem {
  const start = Object.hasOwn(value, 'start_time') ? 'start_time' : 'startTime'
  for (const key of ['type', start]) {
    if (typeof value[key] !== 'string') {
      return wrongType(source, [...path, key], value[key], 'a text, as observations have')
    }
  }
  return wrongType(source, path, value, 'an observation with a "type", "traceId" and "startTime"')
}

function readObservations(
  { text, values }: SourceDocument,
  listed: ReturnType<typeof observationsOf>,
  events: EventReading,
): FormatReading {
  const observations = [...listed.observations, ...events.observations]
  const problems = [...listed.problems, ...events.problems]
  const { first, again } = onceEach(inTime(observations, spotOf))
  const traces = [...events.traces, ...tracesOf(values)]
  const generations = requestsAmong(
    text,
    first.filter(({ value }) => value.type === 'GENERATION'),
    problems,
  )
  const leaves = lowest(generations, first, spotOf)
  const others = leaves.length > 0 ? leaves : requestsAmong(text, first, problems)
  const requests = others.length > 0 ? others : requestsAmong(text, traces, problems)
  if (requests.length === 0) throw noMessages([...observations, ...traces], problems)
  const repeated = new RepeatedResults(
    text,
    requests.flatMap(({ conversations }) => conversations),
  )
  const read = new Set(requests.map(({ value }) => value))
  for (const { source, path, value } of [...first, ...traces]) {
    if (!read.has(value)) repeated.lookThrough(source, [...path, 'input'])
    repeated.lookThrough(source, [...path, 'output'])
    repeated.lookThrough(source, [...path, 'metadata'])
  }
  for (const { source, path } of events.others) repeated.lookThrough(source, path)
  lookThroughCopies(text, repeated, requests, again)
  return { conversations: repeated.conversations(), problems }
}

function noMessages(observations: readonly Observation[], problems: readonly Problem[]): ReadError {
  const [known] = problems
  if (known !== undefined) return new ReadError(known.code, known.values, known.offset)
  const { source, path, value } =
    observations.find((observation) => observation.value.type === 'GENERATION') ??
    (observations[0] as Observation)
  const expected = 'a list of messages, as requests to a model have, in at least one observation'
  const problem = wrongType(source, [...path, 'input'], value.input, expected)
  return new ReadError(problem.code, problem.values, problem.offset)
}

function spotOf({ value }: Observation): Spot {
  const begun = Date.parse(String(fieldOf(value, 'startTime'))) || 0
  const parent = fieldOf(value, 'parentObservationId')
  return { id: value.id, parent, trace: fieldOf(value, 'traceId'), begun }
}

function idOf(value: JsonObject): string {
  return JSON.stringify([fieldOf(value, 'traceId'), value.id])
}

/** The first of every observation, and those that are written again. */
function onceEach(observations: readonly Observation[]) {
  const seen = new Set<string>()
  const first: Observation[] = []
  const again: Observation[] = []
  for (const observation of observations) {
    const id = idOf(observation.value)
    const isAgain = typeof observation.value.id === 'string' && seen.has(id)
    if (isAgain) again.push(observation)
    else first.push(observation)
    seen.add(id)
  }
  return { first, again }
}

/** Those whose input holds messages; what is wrong in other inputs than a generation's is nobody's concern. */
function requestsAmong(
  text: string,
  observations: readonly Observation[],
  problems: Problem[],
): Request[] {
  return observations.flatMap((observation): Request[] => {
    const reading = readInput(text, observation)
    if (reading === undefined) return []
    const { conversations } = reading
    const isRequest = conversations.length > 0
    if (isRequest || observation.value.type === 'GENERATION') problems.push(...reading.problems)
    return isRequest ? [{ ...observation, conversations }] : []
  })
}

function readInput(text: string, { source, path, value }: Observation): FormatReading | undefined {
  const at = [...path, 'input']
  const held = heldValue(text, source, at)
  const reading = held && readHeldMessages(text, held)
  if (reading === undefined) return undefined
  const label = [
    ...(typeof value.name === 'string' ? [value.name] : []),
    ...(source.line === undefined ? [] : [`line ${source.line}`]),
    ...(path.length === 0 ? [] : [readablePath(path)]),
  ].join(', ')
  const named = fieldOf(value, 'model')
  const model = typeof named === 'string' ? named : undefined
  const conversations = reading.conversations.map((conversation) => ({
    ...conversation,
    label,
    model: model ?? conversation.model,
  }))
  return { ...reading, conversations }
}

/** The traces that observations lie in: their input is looked at last. */
function tracesOf(values: readonly SourceValue[]): Observation[] {
  return values.flatMap((source): Observation[] => {
    const { value } = source
    if (!isJsonObject(value) || OBSERVATIONS.isMessage(value)) return []
    if (isJsonObject(value.trace)) return [{ source, path: ['trace'], value: value.trace }]
    return [{ source, path: [], value }]
  })
}

/** An observation written again repeats all results of its request, the short ones too. */
function lookThroughCopies(
  text: string,
  repeated: RepeatedResults,
  requests: readonly Request[],
  again: readonly Observation[],
): void {
  const starts = new Map<string, { request: Request; start: number }>()
  let start = 0
  for (const request of requests) {
    starts.set(idOf(request.value), { request, start })
    start += request.conversations.length
  }
  for (const copy of again) {
    const known = starts.get(idOf(copy.value))
    const conversations = known === undefined ? [] : (readInput(text, copy)?.conversations ?? [])
    const originals = known?.request.conversations ?? []
    const isSame =
      originals.length > 0 &&
      originals.every(
        ({ results }, index) => results.length === conversations[index]?.results.length,
      )
    for (const [index, conversation] of conversations.entries()) {
      if (isSame) repeated.addCopy((known?.start ?? 0) + index, conversation)
    }
    for (const key of isSame ? ['output', 'metadata'] : ['input', 'output', 'metadata'])
      repeated.lookThrough(copy.source, [...copy.path, key])
  }
}
