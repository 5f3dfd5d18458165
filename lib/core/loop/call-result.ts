import type { Refusal } from './tool-call-manager'

/** Why a call has no result of its own. */
export type ResultCode =
  | Refusal
  | 'TIMEOUT'
  | 'TOOL_MANAGER_ERROR'
  | 'DUPLICATE_IN_BATCH'
  | 'BATCH_LIMIT'
  | 'NOT_RUN'

/** A result as the follow-up request carries it. */
export interface CallResult {
  readonly tool_call_id: string
  readonly name: string
  /** A string as the tool gave it; any other value as JSON. */
  readonly content: string
  readonly success: boolean
}

/** The result of a tool that answered: strings as they are, other values as JSON, nothing as an empty text. */
export function resultOf(
  call: { readonly id: string; readonly name: string },
  value: unknown,
): CallResult {
  const content = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return { tool_call_id: call.id, name: call.name, content, success: true }
}

/** The result of a call that failed, or was never run: `{ success: false, error, code }` as JSON. */
export function failureOf(
  call: { readonly id: string; readonly name: string },
  code: ResultCode,
  error: string,
): CallResult {
  const content = JSON.stringify({ success: false, error, code })
  return { tool_call_id: call.id, name: call.name, content, success: false }
}
