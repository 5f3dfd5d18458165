/** Spans as exporters write them in JSON: their names, ids, parents and times. */
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  scalarText,
  type Unchecked,
} from '../../text/json-object'
import type { SourceValue } from '../reading/source-document'
import type { TracePosition } from '../reading/trace-order'
import type { AttributeOwner, AttributeValue } from './opentelemetry-attributes'
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
