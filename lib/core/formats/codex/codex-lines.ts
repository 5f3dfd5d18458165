/** The lines of new and old Codex rollout files: declares their shapes and recognises them. */

import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import { isResponseItem } from '../openai/response-item'
import { createCallIds } from '../reading/create-call-ids'

/** A line of a newer file. */
interface RolloutLine {
  readonly timestamp?: unknown
  readonly type: (typeof LINE_TYPES)[number]
  readonly payload: unknown
}

const LINE_TYPES = [
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
] as const

export function isRolloutLine(value: JsonObject): value is RolloutLine & JsonObject {
  return (LINE_TYPES as readonly unknown[]).includes(value.type) && Object.hasOwn(value, 'payload')
}

/** True for the first line of older files, the session without a type; `instructions` is the system text. */
export function isOldSessionMeta(value: JsonObject): boolean {
  return (
    value.type === undefined && value.role === undefined && Object.hasOwn(value, 'instructions')
  )
}

/** True for lines of older files that record a state between items. */
export function isState(value: JsonObject): boolean {
  return value.record_type !== undefined
}

/** True for results in drafts of the format, which name their tool instead of their call. */
function isNamedResult(value: JsonObject): boolean {
  return value.type === 'function_result'
}

/** True for any line of a Codex rollout, new or old. */
export function isCodexLine(value: JsonObject): boolean {
  return (
    isRolloutLine(value) ||
    isState(value) ||
    isOldSessionMeta(value) ||
    isNamedResult(value) ||
    isResponseItem(value)
  )
}

/** True for lines that only Codex writes; bare items may also be a list for the Responses API. */
export function hasFormatMarks(value: JsonObject): boolean {
  if (isRolloutLine(value)) return isJsonObject(value.payload)
  // A result with the id of its call is a step of Gemini's Interactions API.
  return isState(value) || (isNamedResult(value) && nonEmptyString(value.call_id) === undefined)
}

/** Returns the line's type as a mark of the format; empty for items and lines without one. */
export function marksOf(value: JsonObject): string[] {
  return isRolloutLine(value) || isNamedResult(value) ? [value.type as string] : []
}

/**
 * Returns a function that turns old lines, given in their order, into items of the Responses API. Drafts have a call's
 * name in `function`, and `message` and `result` for `content` and `output`.
 */
export function convertOldLines(): (line: JsonObject) => JsonObject {
  const ids = createCallIds()
  return (line) => {
    const { type, name, message, content, call_id: id, result, function: called } = line
    if (type === 'function_call' && nonEmptyString(id) === undefined) {
      const toolName = name ?? membersOf(called).name
      return { ...line, name: toolName, call_id: ids.idOfCall(undefined, toolName) }
    }
    if (isNamedResult(line)) {
      const callId = ids.idOfResponse(id, name)
      return { ...line, type: 'function_call_output', call_id: callId, output: result }
    }
    return typeof message === 'string' && content === undefined
      ? { ...line, content: message }
      : line
  }
}

/** Keys of old lines by the key of an item that has the same value. */
export const OLD_KEYS: Readonly<Record<string, string>> = { output: 'result', content: 'message' }
