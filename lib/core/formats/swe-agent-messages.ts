/** Messages of SWE-agent's histories and of mini-swe-agent: what of them is a call, and what answers it. */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import {
  type RawCall,
  type RawMessage,
  type RawText,
  usableId,
} from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import type { ListItem } from './message-lists'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

export interface SweMessage {
  readonly raw: RawMessage
  /** SWE-agent's text of the action it takes. */
  readonly action: string | undefined
  /** Where the message keeps its one result as it was before a template went around it. */
  readonly rawOutputAt: JsonPath | undefined
}

/** Reads a list message by message: an action without an id is answered by the next message, if a user's. */
export function createSweReader(
  hasBashBlocks: boolean,
): (value: unknown) => SweMessage | undefined {
  const countOf = new Map<string, number>()
  let pendingId: string | undefined

  /** A call that has no id is given one: its name, and how many of that name there are. */
  const nameCall = (name: string, text: string, path?: JsonPath): RawCall => {
    const count = (countOf.get(name) ?? 0) + 1
    countOf.set(name, count)
    pendingId = `${name}-${count}`
    const call = { id: pendingId, name, arguments: text, isInContents: true }
    return path === undefined ? call : { ...call, path }
  }

  const callsWithoutId = (message: JsonObject): RawCall[] => {
    const { action } = message
    if (typeof action === 'string') {
      return action.trim() === '' ? [] : [nameCall(commandOf(action), action, ['action'])]
    }
    if (!hasBashBlocks || message.role !== 'assistant') return []
    const [block, ...more] = bashBlocks(message.content)
    return block === undefined || more.length > 0 ? [] : [nameCall('bash', block)]
  }

  return (value) => {
    const read = readChatMessage(value)
    if (read === undefined || !isJsonObject(value)) return undefined
    const raw = { ...read, at: read.at ?? timeIn(value.extra) }
    const answeredId = pendingId
    pendingId = undefined
    const action = typeof value.action === 'string' ? value.action : undefined
    if (raw.isAssistant) {
      const calls = raw.calls.length > 0 ? raw.calls : callsWithoutId(value)
      return { raw: { ...raw, calls }, action, rawOutputAt: undefined }
    }
    const isAnswer = answeredId !== undefined && isObservation(value)
    if (raw.role !== 'tool' && !isAnswer) return { raw, action, rawOutputAt: undefined }
    return {
      raw: readResult(value, isAnswer ? answeredId : calledId(value)),
      action,
      rawOutputAt: rawOutputPath(value),
    }
  }
}

/** mini-swe-agent notes the time beside what it knows of a message. */
function timeIn(extra: unknown): number | undefined {
  return isJsonObject(extra) ? readTime(extra.timestamp) : undefined
}

/** What a step says and what came of it, as two messages: for a .traj without a history. */
export function readSweStep(
  { action, response, observation }: JsonObject,
  read: (value: unknown) => SweMessage | undefined,
): RawMessage[] {
  const said = read({ role: 'assistant', content: response, action })?.raw
  const seen = read({ role: 'user', content: observation })?.raw
  const messages: RawMessage[] = []
  if (said !== undefined) messages.push({ ...said, contents: renamed(said.contents, 'response') })
  if (seen !== undefined && observation !== undefined) {
    const results = seen.results.map((result) => ({
      ...result,
      texts: renamed(result.texts, 'observation'),
    }))
    messages.push({ ...seen, contents: renamed(seen.contents, 'observation'), results })
  }
  return messages
}

function renamed(texts: readonly RawText[], key: string): RawText[] {
  return texts.map(({ text, path = [] }) => ({ text, path: [key, ...path.slice(1)] }))
}

/** What of a message was left alone because it is not what it should be. */
export function wrongSweFields({ source, path, value }: ListItem): Problem[] {
  if (!isJsonObject(value)) return []
  const problems: Problem[] = []
  const expect = (key: string, isRight: boolean, expected: string): void => {
    if (!isRight) problems.push(wrongType(source, [...path, key], value[key], expected))
  }
  const { content, action, role, tool_call_ids: ids, tool_call_id: id } = value
  const isContent = typeof content === 'string' || Array.isArray(content)
  expect('content', isContent || (content ?? null) === null, 'a text or a list of parts')
  expect('action', typeof action === 'string' || (action ?? null) === null, 'a text, the action')
  if (role !== 'tool' || typeof id === 'string') return problems
  const isListOfIds = Array.isArray(ids) && typeof ids[0] === 'string'
  expect('tool_call_ids', isListOfIds, 'a list with the id of the call it answers')
  return problems
}

function readResult(message: JsonObject, callId: unknown): RawMessage {
  const { role, content } = message
  const raw = readChatMessage({ role: 'tool', tool_call_id: callId, content }) as RawMessage
  const isFlaggedError = isExceptionKept(message)
  return {
    ...raw,
    role: role as string,
    results: raw.results.map((result) => ({ ...result, isFlaggedError })),
  }
}

/** SWE-agent lists the ids an observation answers, and sends the first of them. */
function calledId({ tool_call_ids: ids, tool_call_id: id }: JsonObject): unknown {
  return Array.isArray(ids) ? ids[0] : id
}

function isObservation({ role, is_demo, message_type: type, extra }: JsonObject): boolean {
  if (role !== 'user' || is_demo === true) return false
  if (type !== undefined && type !== 'observation') return false
  // An answer that could not be understood is answered by a complaint, not by an output.
  return !isJsonObject(extra) || extra.interrupt_type === undefined
}

/** Whether mini-swe-agent kept an exception with a result: its mark of an error. */
export function isExceptionKept({ extra }: JsonObject): boolean {
  return isJsonObject(extra) && usableId(extra.exception_info) !== undefined
}

/** Where mini-swe-agent keeps an output as it was before its template went around it. */
export function rawOutputPath({ extra }: JsonObject): JsonPath | undefined {
  const isKept = isJsonObject(extra) && usableId(extra.raw_output) !== undefined
  return isKept ? ['extra', 'raw_output'] : undefined
}

/** The command of an action: SWE-agent's own commands are its tools. */
function commandOf(action: string): string {
  return /\S+/.exec(action)?.[0].slice(0, 80) ?? ''
}

const OPENINGS = /```(?:mswea_bash_command|bash)[ \t]*\r?\n|<mswea_bash_command>/g

/** The commands of mini-swe-agent's blocks in a text, at most two: with more than one, none is carried out. */
export function bashBlocks(content: unknown): string[] {
  const blocks: string[] = []
  if (typeof content !== 'string') return blocks
  let from = 0
  while (blocks.length < 2) {
    OPENINGS.lastIndex = from
    const opening = OPENINGS.exec(content)
    if (opening === null) break
    const [written] = opening
    const isTag = written.startsWith('<')
    const start = opening.index + written.length
    const closing = isTag ? '</mswea_bash_command>' : '\n```'
    const end = content.indexOf(closing, isTag ? start : start - 1)
    if (end === -1) break
    blocks.push(content.slice(start, Math.max(start, end)).trim())
    from = end + closing.length
  }
  return blocks
}
