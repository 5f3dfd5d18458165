/**
 * The request that follows a batch of tool calls: the model is to answer with what the tools gave, and calls none.
 * Whatever the transcript, every call in it is answered right behind its message, and nothing answers no call.
 */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import { type CallResult, failureOf } from './call-result'

export type ChatMessage = Readonly<Record<string, unknown>>

export interface FollowUpOptions {
  /** What the model is told about its answer; empty leaves the message out. */
  readonly style: string
  /** Messages sent beside the system's, the user's and the turn's own; turns are never cut in two. */
  readonly historyMessages: number
  readonly model: string | undefined
}

export const FOLLOW_UP_HISTORY = 10

export interface FollowUpRequest {
  readonly model?: string
  readonly messages: readonly ChatMessage[]
  readonly tools: readonly never[]
  readonly tool_choice: 'none'
  readonly temperature: number
}

const TEMPERATURE = 0.2

/** Messages that are sent together or not at all: a turn with its results, or one other message. */
type Unit = readonly ChatMessage[]

/**
 * Builds the request that follows the last turn of a list of chat-completions messages. `results` go before what is
 * recorded; a call that has neither is answered with a failure. Undefined when there is no turn.
 */
export function buildFollowUp(
  messages: readonly ChatMessage[],
  results: readonly CallResult[],
  { style, historyMessages, model }: FollowUpOptions,
): FollowUpRequest | undefined {
  const at = messages.findLastIndex((message) => callsIn(message).length > 0)
  if (at < 0) return undefined
  const turn = completeTurn(messages, at, results)
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  const userAt = messages.slice(0, at).findLastIndex(({ role }) => role === 'user')
  const kept = keptHistory(messages, at, userAt, historyMessages)
  return {
    ...(model !== undefined && { model }),
    messages: [
      ...(system === undefined ? [] : [system]),
      ...(style.trim() === '' ? [] : [{ role: 'system', content: style }]),
      ...kept,
      ...turn,
    ],
    tools: [],
    tool_choice: 'none',
    temperature: TEMPERATURE,
  }
}

/** The user's message, whatever the limit, and before and behind it as many units as fit, the newest first. */
function keptHistory(
  messages: readonly ChatMessage[],
  end: number,
  userAt: number,
  limit: number,
): ChatMessage[] {
  const kept: ChatMessage[][] = []
  let room = limit
  for (const { start, unit } of unitsOf(messages, end).toReversed()) {
    if (start === userAt) kept.push([...unit])
    else if (room >= unit.length) {
      kept.push([...unit])
      room -= unit.length
    } else {
      // Older ones would leave a gap; only the user's message is still looked for.
      room = -1
    }
  }
  return kept.reverse().flat()
}

function unitsOf(messages: readonly ChatMessage[], end: number): { start: number; unit: Unit }[] {
  const units: { start: number; unit: Unit }[] = []
  for (let start = 0; start < end; start++) {
    const message = messages[start] as ChatMessage
    const { role } = message
    if (callsIn(message).length > 0) {
      units.push({ start, unit: completeTurn(messages, start, []) })
    } else if (role === 'user') units.push({ start, unit: [message] })
    else if (role === 'assistant') units.push({ start, unit: [withoutCalls(message)] })
  }
  return units
}

/** An assistant message and an answer to each of its calls, in the order of the calls. */
function completeTurn(
  messages: readonly ChatMessage[],
  at: number,
  given: readonly CallResult[],
): Unit {
  const message = messages[at] as ChatMessage
  const calls = withOwnIds(callsIn(message))
  const answers = calls.map(({ id, originalId, name }): ChatMessage => {
    const own = given.find(({ tool_call_id: answered }) => answered === (originalId ?? id))
    if (own !== undefined) return answer(id, name, own.content)
    const recorded = originalId === undefined ? undefined : recordedResult(messages, at, originalId)
    if (recorded !== undefined) return answer(id, name, recorded)
    return answer(id, name, failureOf({ id, name }, 'NOT_RUN', 'The call was not run.').content)
  })
  const written = calls.map(({ call, id }) => ({ ...call, id }))
  return [{ ...message, tool_calls: written }, ...answers]
}

/** Without a list of calls that holds none: providers refuse it. */
function withoutCalls({ tool_calls: _, ...message }: ChatMessage): ChatMessage {
  return message
}

function answer(id: string, name: string, content: unknown): ChatMessage {
  return { role: 'tool', tool_call_id: id, name, content }
}

/** The content recorded for a call: of the messages behind its turn, up to the next turn that bears the same id. */
function recordedResult(messages: readonly ChatMessage[], at: number, id: string): unknown {
  for (const message of messages.slice(at + 1)) {
    if (callsIn(message).some((call) => call.id === id)) return undefined
    if (message.role === 'tool' && message.tool_call_id === id) return message.content ?? ''
  }
  return undefined
}

interface OwnCall {
  readonly call: ChatMessage
  readonly id: string
  /** As the transcript has it; undefined when it has none of its own. */
  readonly originalId: string | undefined
  readonly name: string
}

/** Calls with an id each: one that is missing or used twice in the message gets a stand-in. */
function withOwnIds(calls: readonly ChatMessage[]): OwnCall[] {
  const taken = new Set(calls.flatMap(({ id }) => usableId(id) ?? []))
  const used = new Set<string>()
  return calls.map((call) => {
    const id = usableId(call.id)
    const name = nameOf(call)
    if (id !== undefined && !used.has(id)) {
      used.add(id)
      return { call, id, originalId: id, name }
    }
    let number = 1
    while (taken.has(`call_${number}`)) number++
    taken.add(`call_${number}`)
    return { call, id: `call_${number}`, originalId: undefined, name }
  })
}

function callsIn({ role, tool_calls: calls }: ChatMessage): ChatMessage[] {
  return role === 'assistant' && Array.isArray(calls) ? calls.filter(isJsonObject) : []
}

function nameOf(call: ChatMessage): string {
  const inner = isJsonObject(call.function) ? call.function.name : (call.function ?? call.name)
  return usableId(inner) ?? 'unknown'
}
