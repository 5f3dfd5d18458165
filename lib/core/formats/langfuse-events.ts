/**
 * Ingestion batches of Langfuse, what its SDKs send: https://api.reference.langfuse.com/#tag/ingestion
 * An event (`generation-create`, `span-update`) tells in its `body` of one observation or trace; several events with one
 * id tell of the same, and what a later one says counts.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { findMessageLists, type ListItem, type MessageKind, skippedItem } from './message-lists'
import type { SourceDocument, SourceValue } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** What an event tells of: its body, with what other events say of it, under the names of the API. */
interface Told {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: JsonObject
}

interface Event extends Told {
  readonly kind: string
  readonly timestamp: unknown
}

export interface EventReading {
  /** Of several events of one observation, the last with an input stands first. */
  readonly observations: readonly Told[]
  readonly traces: readonly Told[]
  /** Scores and logs. */
  readonly others: readonly Told[]
  readonly problems: readonly Problem[]
}

const EVENT_TYPE =
  /^(?:(trace|observation|generation|span|event|agent|tool|chain|retriever|evaluator|embedding|guardrail|score)-(?:create|update)|sdk-log)$/

const EVENTS: MessageKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    EVENT_TYPE.test(value.type) &&
    Object.hasOwn(value, 'body'),
  isTelling: () => true,
}

/** What every event of an observation says of it. */
const SHARED = ['traceId', 'name', 'startTime', 'parentObservationId', 'model', 'type'] as const

/** The types of the events in a source, each once; none where it holds no batch. */
export function eventTypes(source: SourceDocument): string[] {
  const types = eventItems(source).flatMap(({ value }) =>
    EVENTS.isMessage(value) ? [(value as JsonObject).type as string] : [],
  )
  return [...new Set(types)]
}

function eventItems(source: SourceDocument): ListItem[] {
  return findMessageLists(source, EVENTS).lists.flatMap(({ items }) => items)
}

/** Reads the events of all batches in a source. */
export function readEvents(source: SourceDocument): EventReading {
  const problems: Problem[] = []
  const events = eventItems(source).flatMap((item) => readEvent(item, problems))
  const isObservation = ({ kind }: Event) => kind !== 'trace' && kind !== 'score' && kind !== 'log'
  return {
    observations: mergeById(events.filter(isObservation)),
    traces: events.filter(({ kind }) => kind === 'trace'),
    others: events.filter(({ kind }) => kind === 'score' || kind === 'log'),
    problems,
  }
}

function readEvent(item: ListItem, problems: Problem[]): Event[] {
  const { source, path, value } = item
  if (!isJsonObject(value) || !EVENTS.isMessage(value)) {
    problems.push(skippedItem(item))
    return []
  }
  const { type, body, timestamp } = value
  const kind = EVENT_TYPE.exec(type as string)?.[1] ?? 'log'
  if (!isJsonObject(body)) {
    problems.push(wrongType(source, [...path, 'body'], body, 'an object, what the event tells of'))
    return []
  }
  const { startTime } = body
  if (startTime !== undefined && startTime !== null && typeof startTime !== 'string') {
    const at = [...path, 'body', 'startTime']
    problems.push(wrongType(source, at, startTime, 'a text, as observations have'))
  }
  return [{ source, path: [...path, 'body'], value: body, kind, timestamp }]
}

function mergeById(events: readonly Event[]): Told[] {
  const groups = new Map<unknown, Event[]>()
  for (const event of events) {
    const id = typeof event.value.id === 'string' ? event.value.id : event
    const group = groups.get(id)
    if (group === undefined) groups.set(id, [event])
    else group.push(event)
  }
  return [...groups.values()].flatMap((group) => {
    const shared = sharedBy(group)
    const told = group.map(({ source, path, value }) => ({
      source,
      path,
      value: { ...value, ...shared },
    }))
    const last = told.findLast(({ value }) => hasValue(value.input))
    return last === undefined ? told : [last, ...told.filter((other) => other !== last)]
  })
}

function sharedBy(group: readonly Event[]): JsonObject {
  const shared: Record<string, unknown> = {}
  for (const { kind, timestamp, value } of group) {
    shared.startTime ??= timestamp
    if (kind !== 'observation') shared.type = kind.toUpperCase()
    for (const key of SHARED) {
      const isTime = key === 'startTime'
      if (isTime ? typeof value[key] === 'string' : hasValue(value[key])) shared[key] = value[key]
    }
  }
  return shared
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null
}
