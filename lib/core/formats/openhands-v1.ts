/** Events of OpenHands' SDK, told apart by `kind`. */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { RawResult, RawText } from '../conversation/link-messages'
import { usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import {
  type EventFault,
  type EventReading,
  type JsonObject,
  NO_PIECE,
  twinsIn,
} from './openhands-events'
import { memberText, rawMessage, rawMessageAt } from './raw-message'

export function isV1Event(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { kind, source, id } = value
  return typeof kind === 'string' && typeof source === 'string' && typeof id === 'string'
}

/** Kinds a model is told of; `Condensation` and all others say what happened to the conversation. */
export const V1_KINDS = new Set([
  'SystemPromptEvent',
  'MessageEvent',
  'ActionEvent',
  'ObservationEvent',
  'AgentErrorEvent',
  'UserRejectObservation',
  'CondensationSummaryEvent',
])

export function readV1Event(event: JsonObject): EventReading {
  switch (event.kind) {
    case 'SystemPromptEvent': {
      const contents = ['system_prompt', 'dynamic_context'].flatMap((key) => {
        const part = event[key]
        return isJsonObject(part) ? memberText(part, 'text', [key]) : memberText(event, key)
      })
      return { piece: { raw: rawMessage('system', { contents }) }, faults: [] }
    }
    case 'CondensationSummaryEvent': {
      const contents = memberText(event, 'summary')
      return { piece: { raw: rawMessage('user', { contents }) }, faults: [] }
    }
    case 'MessageEvent':
      return readMessage(event)
    case 'ActionEvent':
      return readAction(event)
    case 'ObservationEvent':
      return readObservation(event)
    case 'AgentErrorEvent':
      return readPlainResult(event, 'error', true)
    case 'UserRejectObservation':
      return readPlainResult(event, 'rejection_reason', false)
    default:
      return NO_PIECE
  }
}

function readMessage(event: JsonObject): EventReading {
  const raw = readChatMessage(event.llm_message)
  if (raw === undefined) {
    const expected = 'a message, an object with a "role"'
    return { piece: undefined, faults: [{ path: ['llm_message'], expected }] }
  }
  const moved = rawMessageAt(raw, ['llm_message'])
  const contents = [...moved.contents, ...partTexts(event.extended_content, ['extended_content'])]
  const answerId = raw.isAssistant ? usableId(event.llm_response_id) : undefined
  return { piece: { raw: { ...moved, contents }, answerId }, faults: [] }
}

function readAction(event: JsonObject): EventReading {
  const { tool_call: call, tool_call_id: id, tool_name: name } = event
  const faults: EventFault[] = []
  if (!isJsonObject(call)) {
    faults.push({ path: ['tool_call'], expected: 'an object, the call as the model made it' })
  }
  const made = { role: 'assistant', tool_calls: [isJsonObject(call) ? call : {}] }
  const calls = (readChatMessage(made)?.calls ?? []).map((read) => ({
    id: id ?? read.id,
    name: name ?? read.name,
    arguments: read.arguments,
    ...(isJsonObject(call) && { path: ['tool_call', ...(read.path ?? []).slice(2)] }),
  }))
  const raw = rawMessage('assistant', {
    contents: partTexts(event.thought, ['thought']),
    reasoning: memberText(event, 'reasoning_content'),
    calls,
  })
  return { piece: { raw, answerId: usableId(event.llm_response_id) }, faults }
}

/** The content of an observation is by nature a list of parts; the first versions had its text in `output`. */
function readObservation(event: JsonObject): EventReading {
  const { observation, tool_call_id: callId, extended_content: added } = event
  if (!isJsonObject(observation)) {
    const expected = 'an object, what the tool gave'
    return { piece: undefined, faults: [{ path: ['observation'], expected }] }
  }
  const { content, output } = observation
  const at = ['observation', content === undefined && output !== undefined ? 'output' : 'content']
  const value = content ?? output
  const texts = typeof value === 'string' ? [{ text: value, path: at }] : partTexts(value, at)
  const parts = Array.isArray(value) ? value.length - texts.length : 0
  const isText = texts.length > 0 && parts === 0
  const result: RawResult = {
    callId,
    shape: isText ? 'text' : 'other',
    texts: isText ? texts : [],
    isFlaggedError: observation.is_error === true,
  }
  const own = isText ? [] : texts
  const raw = rawMessage('tool', {
    contents: [...own, ...partTexts(added, ['extended_content'])],
    nonTextParts: parts,
    results: [result],
  })
  const isRead = typeof value === 'string' || Array.isArray(value)
  const faults = isRead ? [] : [{ path: at, expected: 'a text or a list of parts, the output' }]
  const twins = twinsIn(observation, ['observation'], result.texts)
  return { piece: { raw, twins: twins.filter((path) => path.join() !== at.join()) }, faults }
}

function readPlainResult(event: JsonObject, key: string, isFlaggedError: boolean): EventReading {
  const text = event[key]
  const texts = typeof text === 'string' ? [{ text, path: [key] }] : []
  const faults =
    typeof text === 'string' ? [] : [{ path: [key], expected: 'a text, told to the model' }]
  const shape = texts.length === 0 ? 'other' : 'text'
  const result: RawResult = { callId: event.tool_call_id, shape, texts, isFlaggedError }
  return { piece: { raw: rawMessage('tool', { results: [result] }) }, faults }
}

function partTexts(parts: unknown, path: JsonPath): RawText[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown, index) =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
      ? [{ text: part.text, path: [...path, index, 'text'] }]
      : [],
  )
}
