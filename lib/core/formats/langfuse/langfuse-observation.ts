/** Observations of Langfuse: their shape, and how lists of them are found. */

import { addToGroup } from '../../conversation/add-to-group'
import { readTime } from '../../conversation/read-time'
import type { Usage } from '../../conversation/usage'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, scalarText } from '../../text/json-object'
import {
  findMessageLists,
  type ListItem,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import { readUsage } from '../reading/read-usage'
import type { SourceDocument } from '../reading/source-document'
import type { TracePosition } from '../reading/trace-order'
import { wrongTypeProblem } from '../reading/wrong-type-problem'

const EXPORTED_KEYS = {
  traceId: 'trace_id',
  startTime: 'start_time',
  parentObservationId: 'parent_observation_id',
  model: 'provided_model_name',
} as const

/** An observation, or a trace, at its position in the document. */
export type PlacedObservation = ListItem<JsonObject>

export const OBSERVATIONS: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    /^[A-Z]+$/.test(value.type) &&
    typeof memberOf(value, 'startTime') === 'string' &&
    memberOf(value, 'traceId') !== undefined,
  hasFormatMarks: () => true,
}

/** Returns a member by its name in the API, or by its name in exports. */
export function memberOf(observation: JsonObject, key: keyof typeof EXPORTED_KEYS): unknown {
  return observation[key] === undefined ? observation[EXPORTED_KEYS[key]] : observation[key]
}

/** Returns all listed observations of a document; other items of the lists become problems. */
export function listedObservations(
  source: SourceDocument,
  problems: Problem[],
): PlacedObservation[] {
  const { lists } = findMessageLists(source, OBSERVATIONS)
  return lists.flatMap(({ items }) =>
    items.flatMap((item): PlacedObservation[] => {
      const { value } = item
      if (isJsonObject(value) && OBSERVATIONS.isMessage(value)) return [{ ...item, value }]
      problems.push(
        isJsonObject(value) ? wrongMemberProblem(item, value) : skippedMessageProblem(item),
      )
      return []
    }),
  )
}

function wrongMemberProblem({ source, path }: ListItem, value: JsonObject): Problem {
  const start = Object.hasOwn(value, 'start_time') ? 'start_time' : 'startTime'
  for (const key of ['type', start]) {
    if (typeof value[key] !== 'string') {
      return wrongTypeProblem(source, [...path, key], value[key], 'text_as_observations_have')
    }
  }
  const expected = 'observation_with_type_traceid_and_starttime'
  return wrongTypeProblem(source, path, value, expected)
}

/** Usage and cost of a generation, in the names of any version of the API or of an export. */
export function usageOfObservation(value: JsonObject): Usage | undefined {
  const { usageDetails, usage_details, usage, costDetails, cost_details } = value
  const costs = [costDetails, cost_details].find(isJsonObject)
  const [cost] = [
    costs?.total,
    value.calculatedTotalCost,
    value.totalCost,
    value.total_cost,
  ].filter((one) => typeof one === 'number' && one > 0)
  const model = memberOf(value, 'model')
  const facts = {
    model: typeof model === 'string' ? model : undefined,
    at: readTime(value.endTime ?? value.end_time),
    statedCost: typeof cost === 'number' ? cost : undefined,
  }
  for (const stated of [usageDetails, usage_details, usage, value]) {
    const found = readUsage(stated, 'langfuse', facts)
    if (found !== undefined && found.inputTokens !== undefined) return found
  }
  return undefined
}

export function positionOf({ value }: PlacedObservation): TracePosition {
  return {
    spanId: value.id,
    parentId: memberOf(value, 'parentObservationId'),
    traceId: memberOf(value, 'traceId'),
    startTime: Date.parse(scalarText(memberOf(value, 'startTime'))) || 0,
  }
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
    EVENTS.isMessage(value) ? [scalarText((value as JsonObject).type)] : [],
  )
  return [...new Set(types)]
}

function eventItems(source: SourceDocument): ListItem[] {
  return findMessageLists(source, EVENTS).lists.flatMap(({ items }) => items)
}

/**
 * Reads the events of all batches in a document, as Langfuse's SDKs send them: https://api.reference.langfuse.com/#tag/ingestion
 * The `body` of an event, such as `generation-create` or `span-update`, has members of an observation or a trace. Several
 * events can have the same id: their members are merged, and later ones win.
 */
export function readBatches(source: SourceDocument, problems: Problem[]): BatchContents {
  const bodies = eventItems(source).flatMap((item) => readEvent(item, problems))
  const isObservation = ({ kind }: EventBody) =>
    kind !== 'trace' && kind !== 'score' && kind !== 'log'
  return {
    observations: mergeById(bodies.filter(isObservation)),
    traces: bodies.filter(({ kind }) => kind === 'trace'),
  }
}

function readEvent(item: ListItem, problems: Problem[]): EventBody[] {
  const { source, path, value } = item
  if (!isJsonObject(value) || !EVENTS.isMessage(value)) {
    problems.push(skippedMessageProblem(item))
    return []
  }
  const { type, body, timestamp } = value
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
