/** Events of OpenHands before its SDK: `action` with `args`, `observation` with `content` and `extras`. */
import { argumentsText, isJsonObject, readChatMessage } from '../conversation/chat-message'
import { type RawCall, type RawText, usableId } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import {
  type EventFault,
  type EventReading,
  type JsonObject,
  NO_PIECE,
  twinsIn,
} from './openhands-events'
import { memberText, rawMessage } from './raw-message'

export function isV0Event(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value.source !== 'string') return false
  const isAction = typeof value.action === 'string' && Object.hasOwn(value, 'args')
  return isAction || (typeof value.observation === 'string' && Object.hasOwn(value, 'content'))
}

/** Actions of the agent that no tool carries out. */
const NO_CALLS = new Set([
  'message',
  'system',
  'null',
  'recall',
  'change_agent_state',
  'condensation',
  'condensation_request',
])

/** Reads events in order: without tool calls, an observation names the event that caused it. */
export function createV0Reader(): (event: JsonObject) => EventReading {
  const callIds = new Set<string>()
  return (event) => {
    if (typeof event.action !== 'string') return readObservation(event, callIds)
    const reading = readAction(event)
    for (const { id } of reading.piece?.raw.calls ?? []) if (typeof id === 'string') callIds.add(id)
    return reading
  }
}

function readAction(event: JsonObject): EventReading {
  const { action, args, source } = event
  const faults: EventFault[] = []
  if (!isJsonObject(args)) faults.push({ path: ['args'], expected: 'an object, the arguments' })
  const fields = isJsonObject(args) ? args : {}
  if (action === 'system') {
    return {
      piece: { raw: rawMessage('system', { contents: argsText(fields, 'content') }) },
      faults,
    }
  }
  const isMessage = action === 'message'
  if (source !== 'agent') {
    const key = isMessage ? 'content' : 'command'
    const isSaid = isMessage || (action === 'run' && source === 'user')
    const raw = rawMessage('user', { contents: argsText(fields, key) })
    return { piece: isSaid ? { raw } : undefined, faults }
  }
  const metadata = isJsonObject(event.tool_call_metadata) ? event.tool_call_metadata : undefined
  if (isMessage) {
    const raw = rawMessage('assistant', { contents: argsText(fields, 'content') })
    return { piece: { raw }, faults }
  }
  if (metadata === undefined && NO_CALLS.has(action as string)) return { ...NO_PIECE, faults }
  const response = isJsonObject(metadata?.model_response) ? metadata.model_response : undefined
  const raw = rawMessage('assistant', {
    contents: argsText(fields, 'thought'),
    calls: [metadata === undefined ? plainCall(event, fields) : calledBy(metadata, event, fields)],
  })
  return { piece: { raw, answerId: usableId(response?.id) }, faults }
}

function argsText(fields: JsonObject, key: string): RawText[] {
  return memberText(fields, key, ['args'])
}

/** The id of the event stands for the call's, where the model was not given tools. */
function eventId(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? `event-${id}` : undefined
}

function plainCall({ id, action }: JsonObject, fields: JsonObject): RawCall {
  const { thought: _, ...said } = fields
  return { id: eventId(id), name: action, arguments: argumentsText(said), path: ['args'] }
}

const CHOICE: JsonPath = ['tool_call_metadata', 'model_response', 'choices', 0, 'message']

/** The call as the model made it, found in its answer; else as the event has it. */
function calledBy(metadata: JsonObject, event: JsonObject, fields: JsonObject): RawCall {
  const { tool_call_id: id, function_name: name, model_response: response } = metadata
  const choices = isJsonObject(response) && Array.isArray(response.choices) ? response.choices : []
  const [choice]: readonly unknown[] = choices
  const answer = isJsonObject(choice) ? readChatMessage(choice.message) : undefined
  const made = answer?.calls.find((call) => call.id === id)
  if (made?.path === undefined) return { ...plainCall(event, fields), id, name }
  return { ...made, name: name ?? made.name, path: [...CHOICE, ...made.path] }
}

function readObservation(event: JsonObject, callIds: ReadonlySet<string>): EventReading {
  const { content, cause, observation, success, source } = event
  const metadata = isJsonObject(event.tool_call_metadata) ? event.tool_call_metadata : undefined
  const causeId = eventId(cause)
  const isCaused = causeId !== undefined && callIds.has(causeId)
  const callId = metadata === undefined ? (isCaused ? causeId : undefined) : metadata.tool_call_id
  const isFlaggedError = success === false || observation === 'error'
  const faults: EventFault[] =
    typeof content === 'string' ? [] : [{ path: ['content'], expected: 'a text, the output' }]
  if (callId === undefined) {
    // What a user's own command gave, and errors no call caused, are told to the model as a user's.
    const isTold = observation === 'error' || (observation === 'run' && source === 'user')
    const raw = rawMessage('user', { contents: memberText(event, 'content') })
    return { piece: isTold ? { raw } : undefined, faults }
  }
  const texts = typeof content === 'string' ? [{ text: content, path: ['content'] }] : []
  const shape = texts.length === 0 ? 'other' : 'text'
  const raw = rawMessage('tool', { results: [{ callId, shape, texts, isFlaggedError }] })
  const { message, extras } = event
  const twins = [...twinsIn({ message }, [], texts), ...twinsIn(extras, ['extras'], texts)]
  return { piece: { raw, twins }, faults }
}
