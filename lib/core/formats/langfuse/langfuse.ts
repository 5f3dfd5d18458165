/**
 * Langfuse: traces with observations, and lists and lines of observations, as the API returns them
 * (https://langfuse.com/docs/api-and-data-platform/features/public-api) or as exports to a storage contain them
 * (https://langfuse.com/docs/api-and-data-platform/features/blob-storage-export-fields).
 *
 * Request: a generation whose input has messages; each is a conversation, in order of time. If no generation has
 * messages, the inputs of all observations are tried, then the input of the trace. An ancestor of another request, such
 * as `ai.streamText` above `ai.streamText.doStream`, repeats it and is not a request.
 * Turn, call, result and non-text result: those of the format in which the input is written (`read-nested-messages`).
 * An input is a value or JSON in a string.
 *
 * Duplicates: observations listed twice, and strings in other inputs, outputs and metadata that equal a result.
 * The usage of an observation is that of its answer.
 * Ignored: outputs, because the next request contains them. A tool output that no request contains is not a result.
 */

import { readTime, type Usage } from '../../conversation/conversation'
import { errorOf, type Problem } from '../../problem'
import { isJsonObject, type JsonObject, scalarText } from '../../text/json'
import { readablePath } from '../../text/json-path'
import { readNestedMessages } from '../read-nested-messages'
import type { Format, FormatReading } from '../reading/format'
import type { ListItem, MessageListKind } from '../reading/lists'
import { findKeys, findMessageLists, skippedMessageProblem } from '../reading/lists'
import { readUsage } from '../reading/read-usage'
import { lineOrPath, wrongTypeProblem } from '../reading/report'
import { nestedSource, type SourceDocument, type SourceValue } from '../reading/source-document'
import { dropAncestors, sortByTraceAndTime, type TracePosition } from '../reading/trace-order'

export const langfuse: Format<'langfuse'> = {
  id: 'langfuse',
  label: 'Langfuse trace',
  expects: 'a trace with "observations", objects with a "type", "traceId" and "startTime"',
  recognise: (source) => {
    const { lists } = findMessageLists(source, OBSERVATIONS)
    if (lists.length === 0) return null
    const keys = ['observations', 'traceId', 'startTime', 'trace_id', 'start_time']
    return { shape: 'trace', lists: lists.length, marks: findKeys(source, keys) }
  },
  read: (source) => {
    const { values } = source
    const problems: Problem[] = []
    const listed = listedObservations(source, problems)
    const first = withoutCopies(sortByTraceAndTime(listed, positionOf))
    const requests = findRequests(first, tracesIn(values), problems)
    if (requests.length === 0) throw noMessagesError(listed, problems)
    return { conversations: requests.flatMap(({ conversations }) => conversations), problems }
  },
}

function findRequests(
  observations: readonly PlacedObservation[],
  traces: readonly PlacedObservation[],
  problems: Problem[],
) {
  const generations = observations.filter(({ value }) => value.type === 'GENERATION')
  const found = readRequests(generations, problems)
  const withoutAncestors = dropAncestors(found, observations, positionOf)
  if (withoutAncestors.length > 0) return withoutAncestors
  const others = readRequests(observations, problems)
  return others.length > 0 ? others : readRequests(traces, problems)
}

/** Reads the observations whose input has messages; of the others, only generations report problems. */
function readRequests(observations: readonly PlacedObservation[], problems: Problem[]) {
  return observations.flatMap((observation) => {
    const reading = readInput(observation)
    if (reading === undefined) return []
    const { conversations } = reading
    const isRequest = conversations.length > 0
    if (isRequest || observation.value.type === 'GENERATION') problems.push(...reading.problems)
    return isRequest ? [{ ...observation, conversations }] : []
  })
}

function readInput({ source, path, value }: PlacedObservation): FormatReading | undefined {
  const input = nestedSource(source, [...path, 'input'])
  const reading = input && readNestedMessages(input)
  if (reading === undefined) return undefined
  const label = [
    ...(typeof value.name === 'string' ? [value.name] : []),
    ...(source.line === undefined ? [] : [lineOrPath(source, [])]),
    ...(path.length === 0 ? [] : [readablePath(path)]),
  ]
  const model = memberOf(value, 'model')
  const answerUsage = usageOfObservation(value)
  const conversations = reading.conversations.map((conversation) => ({
    ...conversation,
    ...(answerUsage && reading.conversations.length === 1 && { answerUsage }),
    label,
    model: typeof model === 'string' ? model : conversation.model,
  }))
  return { ...reading, conversations }
}

function noMessagesError(observations: readonly PlacedObservation[], [known]: readonly Problem[]) {
  if (known !== undefined) return errorOf(known)
  const { source, path, value } =
    observations.find((observation) => observation.value.type === 'GENERATION') ??
    (observations[0] as PlacedObservation)
  const expected = 'messages_of_observation'
  return errorOf(wrongTypeProblem(source, [...path, 'input'], value.input, expected))
}

/** Returns the objects that contain the observations: a trace, or its export. */
function tracesIn(values: readonly SourceValue[]): PlacedObservation[] {
  return values.flatMap((source): PlacedObservation[] => {
    const { value } = source
    if (!isJsonObject(value) || OBSERVATIONS.isMessage(value)) return []
    if (isJsonObject(value.trace)) return [{ source, path: ['trace'], value: value.trace }]
    return [{ source, path: [], value }]
  })
}

/** An observation can be listed twice. */
function withoutCopies(observations: readonly PlacedObservation[]): readonly PlacedObservation[] {
  const keyOf = ({ value }: PlacedObservation) =>
    JSON.stringify([memberOf(value, 'traceId'), value.id])
  const first = new Map(observations.toReversed().map((one) => [keyOf(one), one]))
  return observations.filter(
    (one) => typeof one.value.id !== 'string' || first.get(keyOf(one)) === one,
  )
}

const EXPORTED_KEYS = {
  traceId: 'trace_id',
  startTime: 'start_time',
  parentObservationId: 'parent_observation_id',
  model: 'provided_model_name',
} as const

/** An observation, or a trace, at its position in the document. */
type PlacedObservation = ListItem<JsonObject>

const OBSERVATIONS: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    typeof value.type === 'string' &&
    /^[A-Z]+$/.test(value.type) &&
    typeof memberOf(value, 'startTime') === 'string' &&
    memberOf(value, 'traceId') !== undefined,
  hasFormatMarks: () => true,
}

/** Returns a member by its name in the API, or by its name in exports. */
function memberOf(observation: JsonObject, key: keyof typeof EXPORTED_KEYS): unknown {
  return observation[key] === undefined ? observation[EXPORTED_KEYS[key]] : observation[key]
}

/** Returns all listed observations of a document; other items of the lists become problems. */
function listedObservations(source: SourceDocument, problems: Problem[]): PlacedObservation[] {
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
function usageOfObservation(value: JsonObject): Usage | undefined {
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

function positionOf({ value }: PlacedObservation): TracePosition {
  return {
    spanId: value.id,
    parentId: memberOf(value, 'parentObservationId'),
    traceId: memberOf(value, 'traceId'),
    startTime: Date.parse(scalarText(memberOf(value, 'startTime'))) || 0,
  }
}
