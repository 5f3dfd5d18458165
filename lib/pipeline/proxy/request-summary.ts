import type { Usage } from '../../core/conversation/usage'
import type { BeforeAfter } from '../../core/mask/measure-request'
import type { ExchangeError } from './forward'

/** What is known of a request when it is over; none of its content and no header. */
export interface RequestSummary {
  readonly method: string
  /** Without its query, which can have a key. */
  readonly path: string
  /** 499 if the client left before an answer. */
  readonly status: number
  readonly error: ExchangeError | 'too_large' | undefined
  /**
   * `shadow`: masked results were counted, and the request was sent as it came. `unread`: JSON without a conversation, or
   * broken. `untouched`: not JSON.
   */
  readonly masking: 'masked' | 'unchanged' | 'shadow' | 'unread' | 'untouched'
  readonly maskedResults: number
  readonly repairedCalls: number
  readonly tokens: BeforeAfter | undefined
  readonly usage: Usage | undefined
  /** From the first byte of the request to the last of the answer. */
  readonly milliseconds: number
  /** Until the headers of the answer; undefined without one. */
  readonly firstByte: number | undefined
  readonly maskingTime: number | undefined
}

/** One line of JSON for a log. */
export function writeSummary(summary: RequestSummary, time: string): string {
  const { method, path, status, error, masking, maskedResults, repairedCalls, tokens } = summary
  const { usage, milliseconds, firstByte, maskingTime } = summary
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
    repaired_calls: repairedCalls,
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
