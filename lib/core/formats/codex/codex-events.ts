/**
 * Events for the terminal in a Codex rollout (`event_msg` lines), which say that a call failed. An event has the id of its
 * call; it belongs to the last call before it with that id.
 */

import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, scalarText } from '../../text/json'

/** Events whose `result` is not the output of a function that the model called. */
const OTHER_EVENT = /^(?:web_search|image_generation|exited_review|collab)/i

/** Notes which calls failed; receives calls and events in the order of the lines. */
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

function hasFailed({ status, success, result, exit_code: code }: JsonObject): boolean {
  if (status === 'failed' || status === 'declined' || success === false) return true
  if (typeof code === 'number' && code !== 0) return true
  if (!isJsonObject(result)) return false
  const output = isJsonObject(result.Ok) ? result.Ok : result
  return Object.hasOwn(result, 'Err') || output.isError === true
}
