/** The lines of new and old Codex rollout files: declares their shapes and recognises them. */

import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf, scalarText } from '../../text/json'
import { isResponseItem } from '../openai/response-item'
import { createCallIds } from '../reading/create-call-ids'

const LINE_TYPE =
  /^(?:session_meta|turn_context|response_item|event_msg|compacted|world_state|inter_agent_communication(?:_metadata)?)$/

/** True for a line of a newer file. */
export function isRolloutLine(value: JsonObject): value is JsonObject & { readonly type: string } {
  return LINE_TYPE.test(scalarText(value.type)) && Object.hasOwn(value, 'payload')
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

/** Events whose `result` is not the output of a function that the model called. */
const OTHER_EVENT = /^(?:web_search|image_generation|exited_review|collab)/i

/**
 * Notes which calls failed, by the events for the terminal (`event_msg` lines); receives calls and events in the order of the
 * lines. An event has the id of its call; it belongs to the last call before it with that id.
 */
export class FailedCalls {
  readonly #counts = new Map<unknown, number>()
  readonly #failed = new Set<string>()

  countCall(id: unknown): void {
    this.#counts.set(id, (this.#counts.get(id) ?? 0) + 1)
  }

  /** Names the last call with this id so far. */
  keyOf(id: unknown): string {
    return `${this.#counts.get(id) ?? 0} ${scalarText(id)}`
  }

  /** Adds an `event_msg` line; most are not about a call and are ignored. */
  addEvent(payload: JsonObject): void {
    const { item } = payload
    const isItem = payload.type === 'item_completed' && isJsonObject(item)
    const event = isItem ? item : payload
    const id = nonEmptyString(isItem ? event.id : event.call_id)
    const isOfCall = id !== undefined && !OTHER_EVENT.test(scalarText(event.type))
    if (isOfCall && hasFailed(event)) this.#failed.add(this.keyOf(id))
  }

  has(key: string): boolean {
    return this.#failed.has(key)
  }
}

/** True for an event or an item that says that its call failed. */
export function hasFailed({ status, success, result, exit_code: code }: JsonObject): boolean {
  if (status === 'failed' || status === 'declined' || success === false) return true
  if (typeof code === 'number' && code !== 0) return true
  if (!isJsonObject(result)) return false
  const output = isJsonObject(result.Ok) ? result.Ok : result
  return Object.hasOwn(result, 'Err') || output.isError === true
}
