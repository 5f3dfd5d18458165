/** Reads events of the OpenHands SDK: https://docs.openhands.dev/sdk/arch/events */

import { readCall, readChatMessage } from '../../conversation/chat-message'
import { nonEmptyString, type RawCall } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, ownMember, scalarText } from '../../text/json'
import {
  MessageBody,
  memberText,
  prefixPaths,
  rawMessage,
  textBlocks,
  textsOfContent,
} from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'
import type { EventMessage } from './openhands-legacy-events'

export function isSdkEvent(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { kind, source, id } = value
  return typeof kind === 'string' && typeof source === 'string' && typeof id === 'string'
}

type ReadEvent = (event: JsonObject, report: ReportWrongType) => EventMessage | undefined

/** Readers of the kinds of events that are sent to a model. */
const READERS: Readonly<Record<string, ReadEvent>> = {
  SystemPromptEvent: (event) => {
    const contents = (['system_prompt', 'dynamic_context'] as const).flatMap((key) => {
      const part = event[key]
      return isJsonObject(part) ? memberText(part, 'text', [key]) : memberText(event, key)
    })
    return { raw: rawMessage('system', { contents }) }
  },
  CondensationSummaryEvent: (event) => ({
    raw: rawMessage('user', { contents: memberText(event, 'summary') }),
  }),
  MessageEvent: readMessage,
  ActionEvent: readAction,
  ObservationEvent: readObservation,
  AgentErrorEvent: (event, report) => readPlainResult(event, 'error', true, report),
  UserRejectObservation: (event, report) =>
    readPlainResult(event, 'rejection_reason', false, report),
}

/** Returns the reader of an event; undefined when it is not sent to a model. */
export function sdkReaderOf({ kind }: JsonObject): ReadEvent | undefined {
  return ownMember(READERS, scalarText(kind))
}

function readMessage(event: JsonObject, report: ReportWrongType): EventMessage | undefined {
  const read = readChatMessage(event.llm_message)
  if (read === undefined) {
    report(['llm_message'], event.llm_message, 'message_with_role')
    return undefined
  }
  const raw = prefixPaths(read, ['llm_message'])
  const contents = [...raw.contents, ...textBlocks(event.extended_content, ['extended_content'])]
  const answerId = raw.isAssistant ? nonEmptyString(event.llm_response_id) : undefined
  return { raw: { ...raw, contents }, answerId }
}

const NO_CALL: RawCall = { id: undefined, name: undefined, arguments: '' }

function readAction(event: JsonObject, report: ReportWrongType): EventMessage {
  const { tool_call: call, tool_call_id: id, tool_name: name } = event
  if (!isJsonObject(call)) report(['tool_call'], call, 'object_call_as_model_made')
  const read = isJsonObject(call) ? readCall(call, ['tool_call']) : NO_CALL
  const raw = rawMessage('assistant', {
    contents: textBlocks(event.thought, ['thought']),
    reasoning: memberText(event, 'reasoning_content'),
    calls: [{ ...read, id: id ?? read.id, name: name ?? read.name }],
  })
  return { raw, answerId: nonEmptyString(event.llm_response_id) }
}

function readObservation(event: JsonObject, report: ReportWrongType): EventMessage | undefined {
  const { tool_call_id: callId, extended_content: added } = event
  if (!isJsonObject(event.observation)) {
    report(['observation'], event.observation, 'object_what_tool_gave')
    return undefined
  }
  const observation = event.observation
  const { content, output } = observation
  // The first versions have `output`.
  const at = ['observation', content === undefined && output !== undefined ? 'output' : 'content']
  const value = content ?? output
  if (typeof value !== 'string' && !Array.isArray(value))
    report(at, value, 'text_or_list_of_parts_output')
  const body = new MessageBody(report)
  const { texts, others } = textsOfContent(value, at)
  const isText = others === 0
  body.nonTextParts = others
  body.contents.push(...(isText ? [] : texts), ...textBlocks(added, ['extended_content']))
  body.addResult(callId, isText ? texts : [], observation.is_error === true)
  return { raw: rawMessage('tool', body) }
}

function readPlainResult(
  event: JsonObject,
  key: 'error' | 'rejection_reason',
  isFlaggedError: boolean,
  report: ReportWrongType,
): EventMessage {
  const { [key]: text, tool_call_id: callId } = event
  const body = new MessageBody((path, value) => report(path, value, 'text_as_sent_to_model'))
  body.addTextResult(callId, text, [key], isFlaggedError)
  return { raw: rawMessage('tool', body) }
}
