/**
 * Ingestion batches of Langfuse, as its SDKs send them: https://api.reference.langfuse.com/#tag/ingestion
 * The `body` of an event, such as `generation-create` or `span-update`, has members of an observation or a trace. Several
 * events can have the same id: their members are merged, and later ones win.
 */

import { addToGroup } from '../../conversation/add-to-group'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, scalarText, type Unchecked } from '../../text/json-object'
import {
  findMessageLists,
  type ListItem,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import type { SourceDocument } from '../reading/source-document'
import { wrongTypeProblem } from '../reading/wrong-type-problem'
import type { Observation, PlacedObservation } from './langfuse-observation'

interface IngestionEvent {
  readonly type: string
  readonly timestamp: string
  /** Some members of an observation or a trace; in scores and logs, any object. */
  readonly body: Partial<Observation>
}

/** The body of an event. */
interface EventBody extends PlacedObservation {
  readonly kind: string
  readonly timestamp: unknown
}

export interface BatchContents {
  /** Each body, with the members of its observation; of an observation's bodies, the last one with an input is first. */
  readonly observations: readonly PlacedObservation[]
  readonly traces: readonly PlacedObservation[]
  /** Scores and logs. */
  readonly others: readonly PlacedObservation[]
}

const EVENT_TYPE =
  /^(?:(trace|observation|generation|span|event|agent|tool|chain|retriever|evaluator|embedding|guardrail|score)-(?:create|update)|sdk-log)$/

const EVENTS: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    EVENT_TYPE.test(value.type) &&
    Object.hasOwn(value, 'body'),
  hasFormatMarks: () => true,
}

const MERGED_KEYS = [
  'traceId',
  'name',
  'startTime',
  'parentObservationId',
  'model',
  'type',
] as const

/** Returns the distinct types of the events in a document. */
export function eventTypes(source: SourceDocument): string[] {
  const types = eventItems(source).flatMap(({ value }) =>
    EVENTS.isMessage(value) ? [(value as IngestionEvent).type] : [],
  )
  return [...new Set(types)]
}

function eventItems(source: SourceDocument): ListItem[] {
  return findMessageLists(source, EVENTS).lists.flatMap(({ items }) => items)
}

/** Reads the events of all batches in a document. */
export function readBatches(source: SourceDocument, problems: Problem[]): BatchContents {
  const bodies = eventItems(source).flatMap((item) => readEvent(item, problems))
  const isObservation = ({ kind }: EventBody) =>
    kind !== 'trace' && kind !== 'score' && kind !== 'log'
  return {
    observations: mergeById(bodies.filter(isObservation)),
    traces: bodies.filter(({ kind }) => kind === 'trace'),
    others: bodies.filter(({ kind }) => kind === 'score' || kind === 'log'),
  }
}

function readEvent(item: ListItem, problems: Problem[]): EventBody[] {
  const { source, path, value } = item
  if (!isJsonObject(value) || !EVENTS.isMessage(value)) {
    problems.push(skippedMessageProblem(item))
    return []
  }
  const { type, body, timestamp }: Unchecked<IngestionEvent> = value
  const kind = EVENT_TYPE.exec(scalarText(type))?.[1] ?? 'log'
  const at = [...path, 'body']
  if (!isJsonObject(body)) {
    problems.push(wrongTypeProblem(source, at, body, 'object_observation_or_trace'))
    return []
  }
  const { startTime } = body
  if (hasValue(startTime) && typeof startTime !== 'string') {
    const startPath = [...at, 'startTime']
    problems.push(wrongTypeProblem(source, startPath, startTime, 'text_as_observations_have'))
  }
  return [{ source, path: at, value: body, kind, timestamp }]
}

function mergeById(bodies: readonly EventBody[]): PlacedObservation[] {
  const groups = new Map<unknown, EventBody[]>()
  for (const body of bodies) {
    addToGroup(groups, typeof body.value.id === 'string' ? body.value.id : body, body)
  }
  return [...groups.values()].flatMap((group) => {
    const merged = mergedMembers(group)
    const observations = group.map(({ source, path, value }) => ({
      source,
      path,
      value: { ...value, ...merged },
    }))
    const last = observations.findLast(({ value }) => hasValue(value.input))
    return last === undefined
      ? observations
      : [last, ...observations.filter((other) => other !== last)]
  })
}

function mergedMembers(group: readonly EventBody[]): JsonObject {
  const merged: Record<string, unknown> = {}
  for (const { kind, timestamp, value } of group) {
    merged.startTime ??= timestamp
    if (kind !== 'observation') merged.type = kind.toUpperCase()
    for (const key of MERGED_KEYS) {
      const isTime = key === 'startTime'
      if (isTime ? typeof value[key] === 'string' : hasValue(value[key])) merged[key] = value[key]
    }
  }
  return merged
}

function hasValue(value: unknown): boolean {
  return value !== undefined && value !== null
}
