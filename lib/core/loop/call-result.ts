import { LOOP_TEXTS, type LoopTexts } from './loop-texts'
import type { GuardStop, Refusal } from './tool-call-manager'

/** Reason why a call has no result from its tool. */
export type ResultCode =
  | Refusal
  | 'TIMEOUT'
  | 'TOOL_MANAGER_ERROR'
  | 'DUPLICATE_IN_BATCH'
  | 'BATCH_LIMIT'
  | 'SESSION_LIMIT'
  | 'INVALID_ARGUMENTS'
  | 'NOT_AUTHORIZED'
  | 'NOT_RUN'

/** A result as the next request contains it. */
export interface CallResult {
  readonly tool_call_id: string
  readonly name: string
  /** A string result unchanged, any other value as JSON. */
  readonly content: string
  readonly success: boolean
}

/** Result of a call that succeeded: strings unchanged, other values as JSON, undefined as an empty string. */
export function resultOf(
  call: { readonly id: string; readonly name: string },
  value: unknown,
): CallResult {
  const content = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return { tool_call_id: call.id, name: call.name, content, success: true }
}

/** Result of a call that failed or was not run: `{ success: false, error, code }` as JSON. */
export function failureOf(
  call: { readonly id: string; readonly name: string },
  code: ResultCode,
  error: string,
): CallResult {
  const content = JSON.stringify({ success: false, error, code })
  return { tool_call_id: call.id, name: call.name, content, success: false }
}

/** Result sent for a call that a guard stopped. */
export function refusedResult(
  call: { readonly id: string; readonly name: string },
  stop: GuardStop,
  texts: LoopTexts = LOOP_TEXTS.en,
): CallResult {
  if (stop.guard === 'batch_limit')
    return failureOf(call, 'BATCH_LIMIT', texts.batchLimit(stop.limit))
  if (stop.guard === 'duplicate')
    return failureOf(call, 'DUPLICATE_IN_BATCH', texts.duplicate(stop.first))
  return failureOf(call, stop.guard, texts.ranBefore(stop))
}
