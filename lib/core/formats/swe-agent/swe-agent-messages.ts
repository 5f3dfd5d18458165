/** Reads messages of SWE-agent and mini-swe-agent: finds their calls and links results to them. */
import { readChatMessage } from '../../conversation/chat-message'
import { readTime } from '../../conversation/conversation'
import { nonEmptyString, type RawCall, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { createItemReader } from '../openai/response-item'
import { joinAnswerPieces, type MessagePieces } from '../reading/conversation'
import { createCallIds } from '../reading/create-call-ids'
import { readItems } from '../reading/list-format'
import { expectItemsAt, type ListItem } from '../reading/lists'
import { mapPaths } from '../reading/raw-message'
import { expectKind, type ReportWrongType } from '../reading/report'

/** Returns a reader for messages in order; a call without an id is answered by the next message of the user. */
export function createSweReader(hasBashBlocks: boolean) {
  const ids = createCallIds()
  let pendingId: string | undefined

  const numberedCall = (name: string, text: string, path?: JsonPath): RawCall => {
    pendingId = ids.idOfCall(undefined, name)
    return { id: pendingId, name, arguments: text, isInContents: true, ...(path && { path }) }
  }

  const callsWithoutId = (message: JsonObject): RawCall[] => {
    const { action } = message
    if (typeof action === 'string') {
      // The command is the name of the tool.
      const name = action.trim().replace(/\s.*/s, '').slice(0, 80)
      return name === '' ? [] : [numberedCall(name, action, ['action'])]
    }
    if (!hasBashBlocks || message.role !== 'assistant') return []
    const [block, ...more] = bashBlocks(message.content)
    return block === undefined || more.length > 0 ? [] : [numberedCall('bash', block)]
  }

  return (value: unknown): RawMessage | undefined => {
    const read = readChatMessage(value)
    if (read === undefined || !isJsonObject(value)) return undefined
    const raw = { ...read, writtenAt: read.writtenAt ?? readTime(membersOf(value.extra).timestamp) }
    const answeredId = pendingId
    pendingId = undefined
    if (raw.isAssistant)
      return { ...raw, calls: raw.calls.length > 0 ? raw.calls : callsWithoutId(value) }
    const isAnswer = answeredId !== undefined && isObservation(value)
    if (raw.role !== 'tool' && !isAnswer) return raw
    const { tool_call_ids: ids, tool_call_id: id } = value
    const calledId = Array.isArray(ids) ? ids[0] : id
    return readResult(value, isAnswer ? answeredId : calledId)
  }
}

/** Reads a step as two messages, its response and its observation: for a .traj without a history. */
export function readSweStep(
  { action, response, observation }: JsonObject,
  read: ReturnType<typeof createSweReader>,
): RawMessage[] {
  const answer = read({ role: 'assistant', content: response, action }) as RawMessage
  const output = read({ role: 'user', content: observation }) as RawMessage
  const movedTo = (key: string, raw: RawMessage) =>
    mapPaths(raw, (path) => (path[0] === 'content' ? [key, ...path.slice(1)] : path))
  const outputs = observation === undefined ? [] : [movedTo('observation', output)]
  return [movedTo('response', answer), ...outputs]
}

/** Reports members that have the wrong type. */
export function reportWrongFields(fields: JsonObject, report: ReportWrongType): void {
  const { role, tool_call_ids: ids, tool_call_id: id } = fields
  expectKind(report, fields, 'content', ['text', 'list', 'absent'], 'text_or_list_of_parts')
  expectKind(report, fields, 'action', ['text', 'absent'], 'text_action')
  if (role === 'tool' && typeof id !== 'string' && typeof itemsOf(ids)[0] !== 'string')
    report(['tool_call_ids'], ids, 'list_with_id_of_answered_call')
}

function readResult(message: JsonObject, callId: unknown): RawMessage {
  const { role, content } = message
  const raw = readChatMessage({ role: 'tool', tool_call_id: callId, content }) as RawMessage
  const isFlaggedError = hasException(message)
  const results = raw.results.map((result) => ({ ...result, isFlaggedError }))
  return { ...raw, role: role as string, results }
}

/** True for the output of a command; false for a complaint about an answer that could not be parsed. */
function isObservation(message: JsonObject): boolean {
  const { role, is_demo, message_type: type } = message
  if (role !== 'user' || is_demo === true) return false
  if (type !== undefined && type !== 'observation') return false
  return membersOf(message.extra).interrupt_type === undefined
}

/** True when mini-swe-agent noted an exception with a result. */
function hasException(message: JsonObject): boolean {
  return nonEmptyString(membersOf(message.extra).exception_info) !== undefined
}

const OPENINGS = /```(?:mswea_bash_command|bash)[ \t]*\r?\n|<mswea_bash_command>/g

/** The commands in the first two bash blocks of a text; mini-swe-agent runs none when there are several. */
export function bashBlocks(content: unknown): string[] {
  const blocks: string[] = []
  if (typeof content !== 'string') return blocks
  let from = 0
  while (blocks.length < 2) {
    OPENINGS.lastIndex = from
    const opening = OPENINGS.exec(content)
    if (opening === null) break
    const [mark] = opening
    const isTag = mark.startsWith('<')
    const start = opening.index + mark.length
    const closing = isTag ? '</mswea_bash_command>' : '\n```'
    const end = content.indexOf(closing, isTag ? start : start - 1)
    if (end === -1) break
    blocks.push(content.slice(start, Math.max(start, end)).trim())
    from = end + closing.length
  }
  return blocks
}

export function isResponse(value: unknown): value is JsonObject {
  return isJsonObject(value) && value.object === 'response' && Object.hasOwn(value, 'output')
}

/** True for the output of a command with data of mini-swe-agent. */
export function isOutputItem(value: unknown): boolean {
  return isJsonObject(value) && value.type === 'function_call_output' && isJsonObject(value.extra)
}

/**
 * Reads what mini-swe-agent recorded with the Responses API: each answer is an object with its items in `output`, and
 * each output of a command is an item.
 */
export function readSweResponses(items: readonly ListItem[], problems: Problem[]): MessagePieces[] {
  const readItem = createItemReader()
  const itemsIn = (item: ListItem): ListItem[] => {
    const { source, path, value } = item
    if (!isResponse(value)) return [item]
    return expectItemsAt(source, [...path, 'output'], value.output, 'list_of_items', problems)
  }
  const pieces = readItems(items.flatMap(itemsIn), problems, (value, place, report) => {
    const raw = readItem(value, report)
    if (raw === undefined) return undefined
    const results = raw.results.map((result) => ({
      ...result,
      isFlaggedError: result.isFlaggedError || hasException(value),
    }))
    return [[{ raw: { ...raw, results }, ...place }]]
  })
  return joinAnswerPieces(pieces.flat())
}
