/** Observations of Langfuse: their shape, and how lists of them are found. */
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, scalarText, type Unchecked } from '../../text/json-object'
import type { JsonPath } from '../../text/json-pointer'
import {
  findMessageLists,
  type ListItem,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import type { TracePosition } from '../reading/trace-order'
import { wrongTypeProblem } from '../reading/wrong-type-problem'

/** An observation of the API or of an export to a storage. */
export interface Observation {
  readonly id: string
  readonly type: 'GENERATION' | 'SPAN' | 'EVENT' | 'TOOL' | 'AGENT' | (string & {})
  readonly name?: string | null
  /** A value, or JSON in a string. */
  readonly input?: unknown
  readonly output?: unknown
  readonly metadata?: unknown
  readonly traceId: string
  readonly startTime: string
  readonly parentObservationId?: string | null
  readonly model?: string | null
  /** Keys of exports, for the four keys above. */
  readonly trace_id?: string
  readonly start_time?: string
  readonly parent_observation_id?: string | null
  readonly provided_model_name?: string | null
}

const EXPORTED_KEYS = {
  traceId: 'trace_id',
  startTime: 'start_time',
  parentObservationId: 'parent_observation_id',
  model: 'provided_model_name',
} as const

/** An observation, or a trace, at its position in the document. */
export interface PlacedObservation {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: Unchecked<Observation>
}

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
export function memberOf(
  observation: Unchecked<Observation>,
  key: keyof typeof EXPORTED_KEYS,
): unknown {
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
      return wrongTypeProblem(source, [...path, key], value[key], 'a text, as observations have')
    }
  }
  const expected = 'an observation with a "type", "traceId" and "startTime"'
  return wrongTypeProblem(source, path, value, expected)
}

export function positionOf({ value }: PlacedObservation): TracePosition {
  return {
    spanId: value.id,
    parentId: memberOf(value, 'parentObservationId'),
    traceId: memberOf(value, 'traceId'),
    startTime: Date.parse(scalarText(memberOf(value, 'startTime'))) || 0,
  }
}
