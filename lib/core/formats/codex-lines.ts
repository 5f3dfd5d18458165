/** What stands on a line of a Codex rollout, new or old. */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import { linkByName } from './link-by-name'
import type { ListItem } from './message-lists'
import { isResponseItem } from './response-item'
import type { SourceDocument } from './source-document'

type JsonObject = Readonly<Record<string, unknown>>

/** Types of lines that hold what they say in `payload`. */
const ENVELOPES = new Set([
  'session_meta',
  'turn_context',
  'response_item',
  'event_msg',
  'compacted',
  'world_state',
  'inter_agent_communication',
  'inter_agent_communication_metadata',
])

/** The lines of a source, or the items of the one list it is. */
export function linesOf({ values }: SourceDocument): ListItem[] {
  const [only] = values
  if (values.length === 1 && only !== undefined && Array.isArray(only.value)) {
    return only.value.map((value, index) => ({ source: only, path: [index], value }))
  }
  return values.map((source) => ({ source, path: [], value: source.value }))
}

export function isEnvelope(value: JsonObject): boolean {
  return (
    typeof value.type === 'string' && ENVELOPES.has(value.type) && Object.hasOwn(value, 'payload')
  )
}

/** The first line of older files: the session, without a type. */
export function isOldMeta(value: JsonObject): boolean {
  return (
    value.type === undefined && value.role === undefined && Object.hasOwn(value, 'instructions')
  )
}

/** Lines of older files that hold no item: states between them. */
export function isState(value: JsonObject): boolean {
  return value.record_type !== undefined
}

/** A result that names its call by the tool, as drafts of the format had it. */
function isNamedResult(value: JsonObject): boolean {
  return value.type === 'function_result'
}

/** Whether a line is one of Codex, whatever its age. */
export function isCodexLine(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (isEnvelope(value) || isState(value) || isOldMeta(value) || isNamedResult(value)) return true
  return isResponseItem(value)
}

/** Whether a line is one of Codex and of nothing else: items alone are Responses. */
export function isTellingLine(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (isEnvelope(value)) return isJsonObject(value.payload)
  // A result that names its call by an id is a step of Gemini's Interactions.
  return isState(value) || (isNamedResult(value) && usableId(value.call_id) === undefined)
}

/** Reads lines without envelope as items of the Responses API, asked in their order. */
export function openOldLines(): (line: JsonObject) => JsonObject {
  const ids = linkByName()
  return (line) => {
    const { type, name, message, content } = line
    if (type === 'function_call' && usableId(line.call_id) === undefined) {
      const called = name ?? (isJsonObject(line.function) ? line.function.name : undefined)
      return { ...line, name: called, call_id: ids.idOfCall(undefined, called) }
    }
    if (isNamedResult(line)) {
      const { result } = line
      const callId = ids.idOfResponse(line.call_id, name)
      return { ...line, type: 'function_call_output', call_id: callId, output: result }
    }
    const isBare = typeof message === 'string' && content === undefined
    return isBare ? { ...line, content: message } : line
  }
}

/** Where old lines have what items have under another key. */
export const OLD_KEYS: Readonly<Record<string, string>> = { output: 'result', content: 'message' }
