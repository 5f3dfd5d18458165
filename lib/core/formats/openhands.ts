/**
 * OpenHands: lists of events (trajectories, the `history` of an evaluation), before its SDK
 * (https://docs.openhands.dev/openhands/usage/developers/backend) and of it
 * (https://docs.openhands.dev/sdk/arch/events), and logs of completions.
 * Events of one answer of the model (one `model_response.id` or `llm_response_id`) are one assistant message, whatever
 * stands between them. A turn is such a message with a call: an action of the agent with `tool_call_metadata`, or
 * before tool calls any action that is carried out, its id `event-7` for event 7. A result is an observation with
 * `tool_call_metadata`, or caused by such an action; of the SDK an ObservationEvent, an AgentErrorEvent or a
 * UserRejectObservation. Its text is `content`; in the SDK that is by nature a list of texts, and only with images
 * no text. `success: false`, the observation `error`, `is_error` and AgentErrorEvent flag errors.
 * Strings of `message`, `extras` and `observation` that repeat a line of the result are its twins.
 * Ignored: changes of state, recalls, condensations (what they forget stays in the conversation), and the other events
 * no model is told of. A log of a completion is its chat messages and the answer to them; where OpenHands put tool
 * calls into words, the messages before that are read, and the worded results are twins.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { readTime } from '../conversation/read-time'
import type { Problem } from '../problem'
import { buildConversation, type MessagePiece, type PlacedMessage } from './build-conversation'
import type { Format } from './format'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  skippedItem,
} from './message-lists'
import { findCompletions, readCompletion } from './openhands-completions'
import type { EventReading, JsonObject } from './openhands-events'
import { createV0Reader, isV0Event } from './openhands-v0'
import { isV1Event, readV1Event, V1_KINDS } from './openhands-v1'
import { wrongType } from './wrong-type'

export const openhands: Format = {
  id: 'openhands',
  label: 'OpenHands',
  expects:
    'a list of events with "action" and "args", "observation" and "content", or the "kind" of an event',
  recognise: (source) => {
    const completions = findCompletions(source)
    const { lists, shape } = findMessageLists(source, EVENTS)
    const count = lists.length > 0 ? lists.length : completions.length
    if (count === 0) return null
    const found = lists.length > 0 ? marksOf(lists) : ['messages', 'response']
    const isList = shape === 'message_array' || shape === 'nested_lists'
    const shapeOfEvents = isList ? 'event_array' : 'event_lines'
    return { shape: lists.length > 0 ? shapeOfEvents : 'trace', lists: count, marks: found }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, EVENTS)
    const readings =
      lists.length > 0 ? lists.map(readEvents) : findCompletions(source).map(readCompletion)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function isEvent(value: unknown): boolean {
  return isV0Event(value) || isV1Event(value)
}

/** Evaluations once wrote histories as pairs of an action and its observation. */
function isPair(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isEvent)
}

const EVENTS: MessageKind = {
  isMessage: (value) => isEvent(value) || isPair(value),
  isTelling: (messages) =>
    messages.some(
      (value) =>
        isV0Event(value) ||
        (isV1Event(value) && V1_KINDS.has(value.kind as string)) ||
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

function eventsOf({ items }: MessageList): ListItem[] {
  return items.flatMap((item) => {
    const { source, path, value } = item
    if (!isPair(value)) return [item]
    return value.map((event, index) => ({ source, path: [...path, index], value: event }))
  })
}

function readEvents(list: MessageList): {
  conversation: ReadConversation
  problems: readonly Problem[]
} {
  const problems: Problem[] = []
  const placed: MessagePiece[][] = []
  const answers = new Map<string, MessagePiece[]>()
  const readV0 = createV0Reader()
  let model: string | undefined
  let toolSchemas = ''
  for (const item of eventsOf(list)) {
    const { source, path, value } = item
    if (!isV0Event(value) && !isV1Event(value)) {
      problems.push(skippedItem(item))
      continue
    }
    const reading = isV1Event(value) ? readV1Event(value) : readV0(value)
    problems.push(...faultsOf(item, value, reading))
    model = modelOf(value) ?? model
    toolSchemas = toolsOf(value) ?? toolSchemas
    const { piece } = reading
    if (piece === undefined) continue
    const twins = (piece.twins ?? []).map((at) => ({ source, path: [...path, ...at] }))
    const raw = { ...piece.raw, at: readTime(value.timestamp) }
    const placedPiece = { raw, source, path, twins: [twins] }
    const known = piece.answerId === undefined ? undefined : answers.get(piece.answerId)
    if (known !== undefined) {
      known.push(placedPiece)
      continue
    }
    const message = [placedPiece]
    placed.push(message)
    if (piece.answerId !== undefined) answers.set(piece.answerId, message)
  }
  const frame = { label: list.label, model, toolSchemas }
  return { conversation: buildConversation(placed as unknown as PlacedMessage[], frame), problems }
}

function faultsOf({ source, path }: ListItem, event: JsonObject, { faults }: EventReading) {
  return faults.map(({ path: at, expected }) => {
    let found: unknown = event
    for (const step of at) found = isJsonObject(found) ? found[step] : undefined
    return wrongType(source, [...path, ...at], found, expected)
  })
}

function modelOf({ tool_call_metadata: metadata }: JsonObject): string | undefined {
  const response = isJsonObject(metadata) ? metadata.model_response : undefined
  return isJsonObject(response) && typeof response.model === 'string' ? response.model : undefined
}

function toolsOf({ action, args, kind, tools }: JsonObject): string | undefined {
  const isPrompt = action === 'system' || kind === 'SystemPromptEvent'
  const list = isJsonObject(args) ? args.tools : tools
  return isPrompt && Array.isArray(list) ? JSON.stringify(list) : undefined
}
