/** Reads messages of SWE-agent and mini-swe-agent: finds their calls and links results to them. */
import { readChatMessage } from '../../conversation/chat-message'
import {
  nonEmptyString,
  type RawCall,
  type RawMessage,
  type RawText,
} from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  type Unchecked,
} from '../../text/json-object'
import type { WordKey } from '../../words/words'
import { createItemReader } from '../openai/response-item'
import { joinAnswerPieces, type MessagePieces } from '../reading/build-conversation'
import { readItems } from '../reading/list-format'
import type { ListItem } from '../reading/message-lists'
import { wrongTypeProblem } from '../reading/wrong-type-problem'

/** A message of a SWE-agent history or a mini-swe-agent trajectory: a chat completions message with more members. */
export interface RawSweMessage {
  readonly role: string
  readonly content: string | readonly object[] | null
  readonly tool_calls?: readonly object[] | null
  /** SWE-agent, on results: ids of the calls; it sends the first. */
  readonly tool_call_ids?: readonly string[]
  /** mini-swe-agent, on results. */
  readonly tool_call_id?: string
  /** SWE-agent, on assistant messages: the command. */
  readonly action?: string | null
  readonly thought?: string
  readonly agent?: string
  readonly message_type?: 'thought' | 'action' | 'observation' | (string & {})
  /** SWE-agent: the message belongs to a demonstration. */
  readonly is_demo?: boolean
  readonly extra?: MiniExtra
}

/** Data that mini-swe-agent adds to a message. */
interface MiniExtra {
  readonly actions?: readonly object[]
  /** The output before the template of observations was applied. */
  readonly raw_output?: string
  readonly exception_info?: string
  /** Set on a complaint that the answer could not be parsed. */
  readonly interrupt_type?: string
  /** In seconds since 1970. */
  readonly timestamp?: number
}

/** A step of a .traj. */
export interface RawStep {
  readonly action: string
  readonly observation: string
  readonly response: string
  /** The messages sent; `messages` before SWE-agent 1.1. */
  readonly query?: readonly RawSweMessage[]
  readonly messages?: readonly RawSweMessage[]
}

export interface SweMessage {
  readonly raw: RawMessage
  readonly action: string | undefined
  /** Path of `extra.raw_output`, where the message has one. */
  readonly rawOutputPath: JsonPath | undefined
}

/** Returns a reader for messages in order; a call without an id is answered by the next message of the user. */
export function createSweReader(
  hasBashBlocks: boolean,
): (value: unknown) => SweMessage | undefined {
  const countOf = new Map<string, number>()
  let pendingId: string | undefined

  /** Gives a call an id: its name and the number of calls with that name so far. */
  const numberedCall = (name: string, text: string, path?: JsonPath): RawCall => {
    const count = (countOf.get(name) ?? 0) + 1
    countOf.set(name, count)
    pendingId = `${name}-${count}`
    const call = { id: pendingId, name, arguments: text, isInContents: true }
    return path === undefined ? call : { ...call, path }
  }

  const callsWithoutId = (message: Unchecked<RawSweMessage>): RawCall[] => {
    const { action } = message
    if (typeof action === 'string') {
      return action.trim() === '' ? [] : [numberedCall(commandOf(action), action, ['action'])]
    }
    if (!hasBashBlocks || message.role !== 'assistant') return []
    const [block, ...more] = bashBlocks(message.content)
    return block === undefined || more.length > 0 ? [] : [numberedCall('bash', block)]
  }

  return (value) => {
    const read = readChatMessage(value)
    if (read === undefined || !isJsonObject(value)) return undefined
    const raw = { ...read, writtenAt: read.writtenAt ?? timeOf(value) }
    const answeredId = pendingId
    pendingId = undefined
    const action = typeof value.action === 'string' ? value.action : undefined
    if (raw.isAssistant) {
      const calls = raw.calls.length > 0 ? raw.calls : callsWithoutId(value)
      return { raw: { ...raw, calls }, action, rawOutputPath: undefined }
    }
    const isAnswer = answeredId !== undefined && isObservation(value)
    if (raw.role !== 'tool' && !isAnswer) return { raw, action, rawOutputPath: undefined }
    return {
      raw: readResult(value, isAnswer ? answeredId : calledId(value)),
      action,
      rawOutputPath: pathOfRawOutput(value),
    }
  }
}

function timeOf(message: Unchecked<RawSweMessage>): number | undefined {
  return readTime(extraOf(message).timestamp)
}

function extraOf({ extra }: Unchecked<RawSweMessage>): Unchecked<MiniExtra> {
  return membersOf(extra)
}

/** Reads a step as two messages, its response and its observation: for a .traj without a history. */
export function readSweStep(
  { action, response, observation }: Unchecked<RawStep>,
  read: (value: unknown) => SweMessage | undefined,
): RawMessage[] {
  const { raw: answer } = read({ role: 'assistant', content: response, action }) as SweMessage
  const { raw: output } = read({ role: 'user', content: observation }) as SweMessage
  const messages = [{ ...answer, contents: movedTo('response', answer.contents) }]
  if (observation !== undefined) {
    const contents = movedTo('observation', output.contents)
    const results = output.results.map((result) => ({
      ...result,
      texts: movedTo('observation', result.texts),
    }))
    messages.push({ ...output, contents, results })
  }
  return messages
}

/** Replaces the first step of each path. */
function movedTo(key: string, texts: readonly RawText[]): RawText[] {
  return texts.map(({ text, path = [] }) => ({ text, path: [key, ...path.slice(1)] }))
}

/** Problems of members that have the wrong type. */
export function wrongFieldProblems({ source, path, value }: ListItem): Problem[] {
  const problems: Problem[] = []
  const fields = membersOf(value)
  const expect = (key: string, isRight: boolean, expected: WordKey): void => {
    if (!isRight) problems.push(wrongTypeProblem(source, [...path, key], fields[key], expected))
  }
  const {
    content,
    action,
    role,
    tool_call_ids: ids,
    tool_call_id: id,
  }: Unchecked<RawSweMessage> = fields
  const isContent = typeof content === 'string' || Array.isArray(content)
  expect('content', isContent || (content ?? null) === null, 'text_or_list_of_parts')
  expect('action', typeof action === 'string' || (action ?? null) === null, 'text_action')
  if (role !== 'tool' || typeof id === 'string') return problems
  const isListOfIds = Array.isArray(ids) && typeof ids[0] === 'string'
  expect('tool_call_ids', isListOfIds, 'list_with_id_of_answered_call')
  return problems
}

function readResult(message: Unchecked<RawSweMessage>, callId: unknown): RawMessage {
  const { role, content } = message
  const raw = readChatMessage({ role: 'tool', tool_call_id: callId, content }) as RawMessage
  const isFlaggedError = hasException(message)
  return {
    ...raw,
    role: role as string,
    results: raw.results.map((result) => ({ ...result, isFlaggedError })),
  }
}

function calledId({ tool_call_ids: ids, tool_call_id: id }: Unchecked<RawSweMessage>): unknown {
  return Array.isArray(ids) ? ids[0] : id
}

/** True for the output of a command; false for a complaint about an answer that could not be parsed. */
function isObservation(message: Unchecked<RawSweMessage>): boolean {
  const { role, is_demo, message_type: type } = message
  if (role !== 'user' || is_demo === true) return false
  if (type !== undefined && type !== 'observation') return false
  return extraOf(message).interrupt_type === undefined
}

/** True when mini-swe-agent noted an exception with a result. */
export function hasException(message: Unchecked<RawSweMessage>): boolean {
  return nonEmptyString(extraOf(message).exception_info) !== undefined
}

/** Path of the output before mini-swe-agent applied its template; undefined when there is none. */
export function pathOfRawOutput(message: Unchecked<RawSweMessage>): JsonPath | undefined {
  const output = nonEmptyString(extraOf(message).raw_output)
  return output === undefined ? undefined : ['extra', 'raw_output']
}

/** The command of an action, which is the name of the tool. */
function commandOf(action: string): string {
  return action.trim().replace(/\s.*/s, '').slice(0, 80)
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

interface RawResponse {
  readonly object: 'response'
  readonly output: readonly object[]
}

export function isResponse(value: unknown): value is Unchecked<RawResponse> {
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
    const at = [...path, 'output']
    if (!Array.isArray(value.output))
      problems.push(wrongTypeProblem(source, at, value.output, 'list_of_items'))
    return itemsOf(value.output).map((one, index) => ({ source, path: [...at, index], value: one }))
  }
  const pieces = readItems(items.flatMap(itemsIn), problems, (value, place, report) => {
    const raw = readItem(value, report)
    if (raw === undefined) return undefined
    const rawOutput = pathOfRawOutput(value)
    const results = raw.results.map((result) => ({
      ...result,
      isFlaggedError: result.isFlaggedError || hasException(value),
    }))
    const duplicates = results.map(({ texts }) =>
      rawOutput === undefined || texts.length === 0
        ? []
        : [{ ...place, path: [...place.path, ...rawOutput] }],
    )
    return [[{ raw: { ...raw, results }, ...place, duplicates }]]
  })
  return joinAnswerPieces(pieces.flat())
}
