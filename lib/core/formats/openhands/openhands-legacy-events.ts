/** Reads events of OpenHands before its SDK: actions with `args`, observations with `content` and `extras`. */
import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import { nonEmptyString, type RawCall, type RawMessage } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { MessageBody, memberText, rawMessage } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'

export function isLegacyEvent(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value.source !== 'string') return false
  const isAction = typeof value.action === 'string' && Object.hasOwn(value, 'args')
  return isAction || (typeof value.observation === 'string' && Object.hasOwn(value, 'content'))
}

/** Actions of the agent that are not executed as a tool. */
const NO_CALLS = /^(?:message|system|null|recall|change_agent_state|condensation(?:_request)?)$/

/** Returns a reader for events in order; an observation without a tool call answers the action that caused it. */
export function createLegacyReader() {
  const callIds = new Set<string>()
  return (event: JsonObject, report: ReportWrongType): EventMessage | undefined => {
    if (typeof event.action !== 'string') return readObservation(event, callIds, report)
    const message = readAction(event, report)
    for (const { id } of message?.raw.calls ?? []) if (typeof id === 'string') callIds.add(id)
    return message
  }
}

function readAction(event: JsonObject, report: ReportWrongType): EventMessage | undefined {
  const { action, source } = event
  if (!isJsonObject(event.args)) report(['args'], event.args, 'object_arguments')
  const args = membersOf(event.args)
  const message = (role: string, key: string) => ({
    raw: rawMessage(role, { contents: memberText(args, key, ['args']) }),
  })
  if (action === 'system') return message('system', 'content')
  if (action === 'message') return message(source === 'agent' ? 'assistant' : 'user', 'content')
  if (source !== 'agent')
    return action === 'run' && source === 'user' ? message('user', 'command') : undefined
  const metadata = metadataOf(event)
  if (metadata === undefined && NO_CALLS.test(scalarText(action))) return undefined
  const response = metadata?.model_response
  const raw = rawMessage('assistant', {
    contents: memberText(args, 'thought', ['args']),
    calls: [
      metadata === undefined ? callOfAction(event, args) : callOfModel(metadata, event, args),
    ],
  })
  return { raw, answerId: isJsonObject(response) ? nonEmptyString(response.id) : undefined }
}

function metadataOf(event: JsonObject): JsonObject | undefined {
  return isJsonObject(event.tool_call_metadata) ? event.tool_call_metadata : undefined
}

/** The id of a call that was made without tool calls. */
function idOfEvent(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? `event-${id}` : undefined
}

function callOfAction({ id, action }: JsonObject, args: JsonObject): RawCall {
  const { thought: _, ...others } = args
  return { id: idOfEvent(id), name: action, arguments: argumentsText(others), path: ['args'] }
}

const ANSWER: JsonPath = ['tool_call_metadata', 'model_response', 'choices', 0, 'message']

/** The call as the model wrote it; the action when it is not in the answer. */
function callOfModel(
  { tool_call_id: id, function_name: name, model_response: response }: JsonObject,
  event: JsonObject,
  args: JsonObject,
): RawCall {
  const [choice] = itemsOf(membersOf(response).choices)
  const answer = readChatMessage(membersOf(choice).message)
  const call = answer?.calls.find((one) => one.id === id)
  if (call?.path === undefined) return { ...callOfAction(event, args), id, name }
  return { ...call, name: name ?? call.name, path: [...ANSWER, ...call.path] }
}

function readObservation(event: JsonObject, callIds: ReadonlySet<string>, report: ReportWrongType) {
  const { content, cause, observation, success, source } = event
  const metadata = metadataOf(event)
  const causeId = idOfEvent(cause)
  const isCaused = causeId !== undefined && callIds.has(causeId)
  const callId = metadata === undefined ? (isCaused ? causeId : undefined) : metadata.tool_call_id
  if (typeof content !== 'string') report(['content'], content, 'text_output')
  if (callId === undefined) {
    // Outputs of the user's own commands and errors without a call are sent as user messages.
    const isSent = observation === 'error' || (observation === 'run' && source === 'user')
    if (!isSent) return undefined
    return { raw: rawMessage('user', { contents: memberText(event, 'content') }) }
  }
  const body = new MessageBody(() => {})
  body.addTextResult(callId, content, ['content'], success === false || observation === 'error')
  return { raw: rawMessage('tool', body) }
}

/** The message, or the part of one, that an event adds to the conversation with the model. */
export interface EventMessage {
  readonly raw: RawMessage
  /** Id of the model's answer; events with the same id are one message. */
  readonly answerId?: string | undefined
}
