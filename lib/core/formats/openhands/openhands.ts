/**
 * OpenHands: lists of events (trajectories, the `history` of an evaluation) and logs of completions. Events exist in two
 * formats: before the SDK (https://docs.openhands.dev/openhands/usage/developers/backend) and of the SDK
 * (https://docs.openhands.dev/sdk/arch/events).
 *
 * Turn: the events of one answer, which share `model_response.id` or `llm_response_id`, if they make a call.
 * Call: an action of the agent with `tool_call_metadata`, or an ActionEvent of the SDK. Without tool calls, every action
 * that is executed is a call; that of event 7 has the id `event-7`.
 * Result: an observation with `tool_call_metadata`, or one caused by such an action; in the SDK an ObservationEvent,
 * AgentErrorEvent or UserRejectObservation. Its text is `content`, in the SDK a list of text parts.
 * `success: false`, the observation `error`, `is_error` and AgentErrorEvent flag errors.
 * Non-text result: a list with images.
 * Completion log: its messages and the answer. Where `messages` has calls as text, `fncall_messages` is read.
 *
 * Duplicates: strings in `message`, `extras` and `observation` that repeat a line of the result, and results in messages
 * that have calls as text.
 * Ignored: events that are not sent to a model, such as changes of state and condensations. What a condensation
 * removes stays in the conversation.
 */

import { readChatMessage } from '../../conversation/chat-message'
import { type ReadConversation, readTime } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { buildConversation, type MessagePiece, type MessagePieces } from '../reading/conversation'
import type { Format } from '../reading/format'
import { readItems } from '../reading/list-format'
import { findMessageLists, itemsAt, type MessageList, type MessageListKind } from '../reading/lists'
import { lineOrPath, wrongTypeProblem } from '../reading/report'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { createLegacyReader, isLegacyEvent } from './openhands-legacy-events'
import { isSdkEvent, sdkReaderOf } from './openhands-sdk-events'

export const openhands: Format<'openhands'> = {
  id: 'openhands',
  label: 'OpenHands',
  expects:
    'a list of events with "action" and "args", "observation" and "content", or the "kind" of an event',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, EVENTS)
    if (lists.length > 0) {
      const isList = shape === 'message_array' || shape === 'nested_lists'
      const shapeOfEvents = isList ? 'event_array' : 'event_lines'
      return { shape: shapeOfEvents, lists: lists.length, marks: marksOf(lists) }
    }
    const logs = findCompletionLogs(source)
    if (logs.length === 0) return null
    return { shape: 'trace', lists: logs.length, marks: ['messages', 'response'] }
  },
  read: (source) => {
    const problems: Problem[] = []
    const { lists } = findMessageLists(source, EVENTS)
    const conversations =
      lists.length > 0
        ? lists.map((list) => readEvents(list, problems))
        : findCompletionLogs(source).map((log) => readCompletionLog(log, problems))
    return { conversations, problems }
  },
}

function isEvent(value: unknown): value is JsonObject {
  return isLegacyEvent(value) || isSdkEvent(value)
}

/** True for an action with its observation, which is how older evaluations wrote histories. */
function isPair(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEvent)
}

const EVENTS: MessageListKind = {
  isMessage: (value) => isEvent(value) || isPair(value),
  hasFormatMarks: (messages) =>
    messages.some(
      (value) =>
        isLegacyEvent(value) ||
        (isSdkEvent(value) && sdkReaderOf(value) !== undefined) ||
        (isPair(value) && value.length <= 2),
    ),
}

const MARKS = ['action', 'observation', 'tool_call_metadata', 'cause', 'kind', 'llm_message']

function marksOf(lists: readonly MessageList[]): string[] {
  const values = lists.flatMap(({ items }) => items.flatMap(({ value }) => [value].flat()))
  return MARKS.filter((mark) =>
    values.some((value) => isJsonObject(value) && Object.hasOwn(value, mark)),
  )
}

function readEvents(list: MessageList, problems: Problem[]): ReadConversation {
  const answers = new Map<string, [MessagePiece, ...MessagePiece[]]>()
  const readLegacyEvent = createLegacyReader()
  let model: string | undefined
  let toolSchemas = ''
  const events = list.items.flatMap((item) =>
    isPair(item.value) ? itemsAt(item.source, item.path, item.value) : [item],
  )
  const placed = readItems(events, problems, (value, place, report) => {
    if (!isEvent(value)) return undefined
    const readEvent = isSdkEvent(value) ? sdkReaderOf(value) : readLegacyEvent
    const message = readEvent?.(value, report)
    model = modelOf(value) ?? model
    toolSchemas = toolsOf(value) ?? toolSchemas
    if (message === undefined) return []
    const raw = { ...message.raw, writtenAt: readTime(value.timestamp) }
    const piece = { raw, ...place }
    const { answerId = '' } = message
    const answer = answers.get(answerId)
    answer?.push(piece)
    if (answer !== undefined) return []
    const pieces: [MessagePiece, ...MessagePiece[]] = [piece]
    if (answerId !== '') answers.set(answerId, pieces)
    return [pieces]
  })
  return buildConversation(placed, { label: list.label, model, toolSchemas })
}

function modelOf({ tool_call_metadata: metadata }: JsonObject): string | undefined {
  const response = membersOf(metadata).model_response
  return isJsonObject(response) && typeof response.model === 'string' ? response.model : undefined
}

function toolsOf(event: JsonObject): string | undefined {
  const { action, args, kind, tools } = event
  const isPrompt = action === 'system' || kind === 'SystemPromptEvent'
  const list = isJsonObject(args) ? args.tools : tools
  return isPrompt && Array.isArray(list) ? JSON.stringify(list) : undefined
}

/** Returns the values of a document if all of them are completion logs, else none. */
function findCompletionLogs({ values }: SourceDocument): readonly SourceValue[] {
  return values.every(({ value }) => isCompletionLog(value)) ? values : []
}

function isCompletionLog(value: unknown): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) return false
  if (Object.hasOwn(value, 'fncall_messages')) return true
  const hasFacts = Object.hasOwn(value, 'cost') && Object.hasOwn(value, 'timestamp')
  return hasFacts && isJsonObject(value.response)
}

/** Reads a log as a conversation that ends with the answer. */
function readCompletionLog(source: SourceValue, problems: Problem[]): ReadConversation {
  const value = membersOf(source.value)
  const hasCallsAsText = value.fncall_messages !== undefined
  const key = hasCallsAsText ? 'fncall_messages' : 'messages'
  const list: unknown = value[key]
  if (!Array.isArray(list)) problems.push(wrongTypeProblem(source, [key], list, 'list_of_messages'))
  const items = itemsAt(source, [key], list)
  const placed = readItems(items, problems, (item, place): MessagePieces[] | undefined => {
    const raw = readChatMessage(item)
    return raw && [[{ raw, ...place }]]
  })
  const responseKey = hasCallsAsText ? 'fncall_response' : 'response'
  const { choices, model } = membersOf(value[responseKey])
  const answer = readChatMessage(membersOf(itemsOf(choices)[0]).message)
  const path = [responseKey, 'choices', 0, 'message']
  const { kwargs, tools } = value
  return buildConversation(answer ? [...placed, [{ raw: answer, source, path }]] : placed, {
    label: source.line === undefined ? key : lineOrPath(source, []),
    model,
    tools: tools ?? membersOf(kwargs).tools,
  })
}
