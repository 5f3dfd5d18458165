/**
 * The request that follows a batch of tool calls: the model is to answer with what the tools gave, and calls none.
 * Whatever the transcript, every call in it is answered right behind its message, nothing answers no call, and no two
 * calls bear one id.
 */
import { usableId } from '../conversation/link-messages'
import { type CallResult, failureOf } from './call-result'
import {
  type AssistantMessage,
  type ChatMessage,
  callsIn,
  contentOf,
  type DatedMessage,
  type RequestCall,
  type RequestContent,
  type RequestMessage,
  requestCall,
  resultContentOf,
  timeOf,
} from './request-message'

export type { ChatMessage }

export interface FollowUpOptions {
  /** What the model is told about its answer; empty leaves the message out. */
  readonly style: string
  /** Messages sent beside the first system message, the user's and the turn's own; turns are never cut in two. */
  readonly historyMessages: number
  readonly model: string | undefined
  /**
   * Leaves out `tools` and `tool_choice`, so that no tool can be called either. An empty list was refused by OpenAI
   * (https://github.com/langchain-ai/langchainjs/issues/3726) and is by servers that follow it
   * (https://github.com/vllm-project/vllm/pull/39780); others refuse `tool_choice` without tools
   * (https://github.com/writer/writer-framework/pull/1013).
   */
  readonly leavesOutTools?: boolean
}

export const FOLLOW_UP_HISTORY = 10

export interface FollowUpRequest {
  readonly model?: string
  readonly messages: readonly RequestMessage[]
  readonly tools?: readonly never[]
  readonly tool_choice?: 'none'
  readonly temperature: number
}

/** A call of the turn that is answered, and what answers it. */
export interface FollowUpCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** What the transcript has for it; undefined for a call that is pending. */
  readonly recorded: RequestContent | undefined
}

export interface FollowUp {
  readonly request: FollowUpRequest
  /** When each message of the request was written, in milliseconds since 1970. */
  readonly times: readonly (number | undefined)[]
  readonly calls: readonly FollowUpCall[]
  /** Messages between the system's and the turn: those sent, and all there are. */
  readonly history: { readonly sent: number; readonly all: number }
}

const TEMPERATURE = 0.2

/**
 * Builds the request that follows the last turn of a list of chat-completions messages. `results`, known by the ids of
 * `calls`, go before what is recorded; a call that has neither is answered with a failure. Undefined when there is no
 * turn. Linear in the messages.
 */
export function buildFollowUp(
  messages: readonly ChatMessage[],
  results: readonly CallResult[],
  { style, historyMessages, model, leavesOutTools = false }: FollowUpOptions,
): FollowUp | undefined {
  const at = messages.findLastIndex((message) => callsIn(message).length > 0)
  if (at < 0) return undefined
  const recorded = recordedResults(messages)
  const nameCalls = createCallNaming(messages)
  const turn = completeTurn(messages, at, recorded, nameCalls, results)
  const systemAt = messages.findIndex(isSystem)
  const userAt = messages.slice(0, at).findLastIndex(({ role }) => role === 'user')
  const units = unitsOf(messages.slice(0, at)).filter(({ start }) => start !== systemAt)
  const kept = keptUnits(units, userAt, historyMessages)
  const history = kept
    .map(({ start }) => {
      const message = messages[start] as ChatMessage
      return callsIn(message).length > 0
        ? completeTurn(messages, start, recorded, nameCalls, []).messages
        : [plainMessage(message)]
    })
    .reverse()
    .flat()
  const system = messages[systemAt]
  const isTold = style.trim() !== ''
  const told: DatedMessage = { message: { role: 'system', content: style }, at: undefined }
  const all = [
    ...(system === undefined ? [] : [plainMessage(system)]),
    ...(isTold ? [told] : []),
    ...history,
    ...turn.messages,
  ]
  return {
    request: {
      ...(model !== undefined && { model }),
      messages: all.map(({ message }) => message),
      ...(!leavesOutTools && { tools: [], tool_choice: 'none' }),
      temperature: TEMPERATURE,
    },
    times: all.map((dated) => dated.at),
    calls: turn.calls,
    history: { sent: history.length, all: units.reduce((sum, { length }) => sum + length, 0) },
  }
}

/** Messages that are sent together or not at all: a turn with its results, or one other message. */
interface Unit {
  readonly start: number
  readonly length: number
}

function unitsOf(messages: readonly ChatMessage[]): Unit[] {
  return messages.flatMap((message, start) => {
    const calls = callsIn(message).length
    if (calls > 0) return [{ start, length: 1 + calls }]
    const { role } = message
    const isSent = role === 'user' || isSystem(message) || (role === 'assistant' && says(message))
    return isSent ? [{ start, length: 1 }] : []
  })
}

/** The user's message, whatever the limit, and before and behind it as many units as fit; the newest first. */
function keptUnits(units: readonly Unit[], userAt: number, limit: number): Unit[] {
  const kept: Unit[] = []
  let room = limit
  for (const unit of units.toReversed()) {
    if (unit.start === userAt) kept.push(unit)
    else if (room >= unit.length) {
      kept.push(unit)
      room -= unit.length
    } else {
      // Older ones would leave a gap; only the user's message is still looked for.
      room = -1
    }
  }
  return kept
}

type NameCalls = (calls: readonly ChatMessage[]) => readonly NamedCall[]

interface NamedCall {
  readonly call: RequestCall
  /** The id it is known by in the transcript; undefined when it has none of its own there. */
  readonly originalId: string | undefined
}

/** An assistant message and an answer to each of its calls, in the order of the calls. */
function completeTurn(
  messages: readonly ChatMessage[],
  at: number,
  recorded: RecordedResults,
  nameCalls: NameCalls,
  given: readonly CallResult[],
): { readonly messages: DatedMessage[]; readonly calls: readonly FollowUpCall[] } {
  const message = messages[at] as ChatMessage
  const named = nameCalls(callsIn(message))
  const answers = named.map(({ call, originalId }): DatedMessage & { of: FollowUpCall } => {
    const { name, arguments: written } = call.function
    const found = originalId === undefined ? undefined : recorded.get(at)?.get(originalId)
    const of = { id: call.id, name, arguments: written, recorded: found?.content }
    const own = given.find(({ tool_call_id: answered }) => answered === call.id)
    const content = own?.content ?? found?.content ?? notRun(of)
    const time = own === undefined ? found?.at : undefined
    return {
      message: { role: 'tool', tool_call_id: call.id, name, content },
      at: time,
      of,
    }
  })
  const said = contentOf(message.content)
  const asking: AssistantMessage = {
    role: 'assistant',
    content: said === '' ? null : said,
    tool_calls: named.map(({ call }) => call),
  }
  return {
    messages: [{ message: asking, at: timeOf(message) }, ...answers],
    calls: answers.map(({ of }) => of),
  }
}

function notRun(call: FollowUpCall): string {
  return failureOf(call, 'NOT_RUN', 'The call was not run.').content
}

interface Recorded {
  readonly content: RequestContent
  readonly at: number | undefined
}

/** By turn (its message's index) and id of the call. */
type RecordedResults = ReadonlyMap<number, ReadonlyMap<string, Recorded>>

/** What is recorded behind each turn, up to the next turn that bears the same id; of several results the first. */
function recordedResults(messages: readonly ChatMessage[]): RecordedResults {
  const owner = new Map<string, number>()
  const found = new Map<number, Map<string, Recorded>>()
  for (const [at, message] of messages.entries()) {
    for (const call of callsIn(message)) {
      const id = usableId(call.id)
      if (id !== undefined) owner.set(id, at)
    }
    const id = message.role === 'tool' ? usableId(message.tool_call_id) : undefined
    const turn = id === undefined ? undefined : owner.get(id)
    if (id === undefined || turn === undefined) continue
    const ofTurn = found.get(turn) ?? new Map<string, Recorded>()
    found.set(turn, ofTurn)
    if (!ofTurn.has(id)) {
      ofTurn.set(id, { content: resultContentOf(message.content), at: timeOf(message) })
    }
  }
  return found
}

/**
 * Gives calls the ids they are sent under. An id that is missing, or borne by a call named before, gets a stand-in; so
 * the turn that is answered is to be named first, and keeps its own.
 */
function createCallNaming(messages: readonly ChatMessage[]): NameCalls {
  const taken = new Set(
    messages.flatMap((message) => callsIn(message).flatMap(({ id }) => usableId(id) ?? [])),
  )
  const used = new Set<string>()
  let number = 0
  const standIn = () => {
    do number++
    while (taken.has(`call_${number}`))
    return `call_${number}`
  }
  return (calls) => {
    const ofMessage = new Set<string>()
    return calls.map((call) => {
      const own = usableId(call.id)
      const isFirst = own !== undefined && !ofMessage.has(own)
      if (own !== undefined) ofMessage.add(own)
      const isFree = own !== undefined && !used.has(own)
      const id = isFirst && isFree ? own : standIn()
      used.add(id)
      return { call: requestCall(call, id), originalId: isFirst ? own : undefined }
    })
  }
}

function plainMessage(message: ChatMessage): DatedMessage {
  const { role, content } = message
  const text = contentOf(content)
  const own = role === 'user' || role === 'developer' || role === 'assistant' ? role : 'system'
  return { message: { role: own, content: text }, at: timeOf(message) }
}

function isSystem({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer'
}

function says({ content }: ChatMessage): boolean {
  return contentOf(content).length > 0
}
