import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Usage } from '../../core/conversation/conversation'
import type { BeforeAfter } from '../../core/mask/measure-request'
import { namedCounts, type RepairMetrics } from '../../core/repair/repair-document'
import type { MaskReport } from '../mask-request'
import type { ExchangeError } from './forward'
import METRICS from './metrics.json' with { type: 'json' }
import type { ProxyRefusal } from './read-body'

/** What became of the body of a request. */
export interface ChangeReport extends Pick<MaskReport, 'maskedResults' | 'reasons' | 'window'> {
  /**
   * `shadow`: masked results were counted, and the request was sent as it came. `compaction`: it asks for a summary, and
   * was sent whole. `unread`: JSON without a conversation, or broken. `untouched`: not JSON.
   */
  readonly masking: 'masked' | 'unchanged' | 'shadow' | 'compaction' | 'unread' | 'untouched'
  /** Of tool results; undefined if nothing was read, like the bytes of the body. */
  readonly resultCharacters: MaskReport['resultCharacters']
  readonly jsonBytes: MaskReport['jsonBytes']
  /** Calls whose arguments were sent repaired. */
  readonly repairedCalls: number
  /** What was found, whether it was sent or not; undefined unless repairs are asked for. */
  readonly repairs: RepairMetrics | undefined
  readonly maskingTime: number | undefined
}

/** What is known of a request when it is over; none of its content and no header. */
export interface RequestSummary extends ChangeReport {
  readonly method: string
  /** Without its query, which can have a key. */
  readonly path: string
  /** 499 if the client left before an answer. */
  readonly status: number
  readonly error: ExchangeError | ProxyRefusal | undefined
  /** Undefined if nothing was read, or beyond a cap. */
  readonly tokens: BeforeAfter | undefined
  readonly usage: Usage | undefined
  /** From the first byte of the request to the last of the answer. */
  readonly milliseconds: number
  /** Until the headers of the answer; undefined without one. */
  readonly firstByte: number | undefined
}

/** Failures that a line lists, of the thousands that a request can have; `repair_failures` counts all. */
const MOST_REASONS = 100

/** One line of JSON for a log. */
export function writeSummary(summary: RequestSummary, time: string): string {
  const { method, path, status, error, masking, maskedResults, repairedCalls, tokens } = summary
  const { reasons, window, repairs, usage, milliseconds, firstByte, maskingTime } = summary
  const { resultCharacters: characters, jsonBytes } = summary
  const named = repairs && namedCounts(repairs)
  const rounded = (value: number | undefined) =>
    value === undefined ? undefined : Math.round(value * 10) / 10
  return JSON.stringify({
    time,
    method,
    path,
    status,
    error,
    masking,
    masked_results: maskedResults,
    reasons,
    moved: window?.moved,
    stale_tokens: rounded(window?.staleTokens),
    debt: rounded(window?.debt),
    price_of_moving: rounded(window?.priceOfMoving),
    repaired_calls: repairedCalls,
    repairs: repairs?.byRisk,
    repair_strategies:
      repairs &&
      Object.fromEntries(repairs.byStrategy.map(({ strategy, calls }) => [strategy, calls])),
    failure_reasons: named?.failure_reasons.slice(0, MOST_REASONS),
    repair_failures:
      repairs && Object.fromEntries(repairs.failures.map(({ failure, calls }) => [failure, calls])),
    repair_attempts: named?.total_attempts,
    success_by_strategy: named?.success_by_strategy,
    tool_chars_before: characters?.before,
    tool_chars_after: characters?.after,
    json_bytes_before: jsonBytes?.before,
    json_bytes_after: jsonBytes?.after,
    tokens_before: tokens?.before,
    tokens_after: tokens?.after,
    provider_input_tokens: usage?.inputTokens,
    provider_cached_tokens: usage?.cacheReadTokens,
    provider_output_tokens: usage?.outputTokens,
    ms: rounded(milliseconds),
    first_byte_ms: rounded(firstByte),
    masking_ms: rounded(maskingTime),
  })
}

const PREFIX = 'observation_masking_'
const SECONDS = [0.005, 0.02, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 600]

/** The metrics of one proxy, as Prometheus reads them. */
export function createMetrics(isPolicyUsed: () => boolean) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const counters = Object.fromEntries(
    Object.entries(METRICS.counters).map(([name, { help, labels: labelNames }]) => [
      name,
      new Counter({ name: `${PREFIX}${name}_total`, help, labelNames, registers }),
    ]),
  ) as Record<keyof typeof METRICS.counters, Counter>
  const time = Object.fromEntries(
    Object.entries(METRICS.times).map(([name, help]) => {
      const options = { help, labelNames: ['masked'], buckets: SECONDS, registers }
      return [name, new Histogram({ name: `${PREFIX}${name}_seconds`, ...options })]
    }),
  ) as Record<keyof typeof METRICS.times, Histogram>
  new Gauge({
    name: `${PREFIX}policy_is_current`,
    help: '1 if the policy file as it is now is in use, 0 if it has an error.',
    registers,
    collect() {
      this.set(isPolicyUsed() ? 1 : 0)
    },
  })

  return {
    contentType: registry.contentType,
    text: () => registry.metrics(),
    addReload: (problem: string | undefined) =>
      counters.policy_reloads.inc({ result: problem === undefined ? 'read' : 'refused' }),
    addRequest: (summary: RequestSummary) => {
      const { status, error, tokens, usage, masking } = summary
      const masked = masking === 'masked' ? 'yes' : 'no'
      counters.requests.inc({ status, masked })
      if (error !== undefined) counters.errors.inc({ error, masked })
      if (masking === 'unread') counters.unread_requests.inc()
      // A request that was refused saved nothing.
      const isAnswered = status < 400
      if (masking === 'masked' && isAnswered) counters.masked_results.inc(summary.maskedResults)
      if (summary.window?.moved === true) counters.window_moves.inc()
      else counters.stale_tokens.inc(summary.window?.staleTokens ?? 0)
      for (const [reason, count] of Object.entries(summary.reasons))
        counters.results.inc({ reason }, count)
      counters.sent_repairs.inc(summary.repairedCalls)
      const { byStrategy = [], failures: left = [] } = summary.repairs ?? {}
      for (const [risk, calls] of Object.entries(summary.repairs?.byRisk ?? {}))
        counters.repairs.inc({ risk }, calls)
      for (const { strategy, calls } of byStrategy)
        counters.repair_strategies.inc({ strategy }, calls)
      const byMethod = summary.repairs && namedCounts(summary.repairs).success_by_strategy
      for (const [method, calls] of Object.entries(byMethod ?? {}))
        counters.repair_methods.inc({ method }, calls)
      for (const { failure: reason, calls } of left) counters.repair_failures.inc({ reason }, calls)
      if (masking !== 'untouched' && masking !== 'unread' && tokens === undefined)
        counters.uncounted_requests.inc()
      for (const [sum, sizes] of [
        [counters.request_tokens, tokens],
        [counters.tool_characters, summary.resultCharacters],
        [counters.json_bytes, summary.jsonBytes],
      ] as const)
        for (const stage of ['before', 'after'] as const)
          sum.inc({ stage }, isAnswered ? (sizes?.[stage] ?? 0) : 0)
      for (const [kind, count] of [
        ['input', usage?.inputTokens],
        ['cached', usage?.cacheReadTokens],
        ['cache_write', usage?.cacheWriteTokens],
        ['output', usage?.outputTokens],
      ] as const) {
        if (count !== undefined) counters.provider_tokens.inc({ kind, masked }, count)
      }
      for (const [times, milliseconds] of [
        [time.request_duration, summary.milliseconds],
        [time.first_byte, summary.firstByte],
        [time.masking_duration, summary.maskingTime],
      ] as const) {
        if (milliseconds !== undefined) times.observe({ masked }, milliseconds / 1000)
      }
    },
  }
}
