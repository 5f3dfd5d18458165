/**
 * The request after a batch of tool calls: the model answers from the results and calls no tool. For any transcript,
 * each call is answered directly after its message, no result lacks a call, and ids are unique.
 */
import { nonEmptyString } from '../conversation/link-messages'
import { type CallResult, failureOf } from './call-result'
import { LOOP_TEXTS, type LoopTexts, STYLE_MESSAGES, type StyleLanguage } from './loop-texts'
import {
  type AssistantMessage,
  type ChatMessage,
  callsIn,
  contentOf,
  createCallNaming,
  type DatedMessage,
  datedResult,
  type NameCalls,
  type RequestContent,
  type RequestMessage,
  resultContentOf,
  timeOf,
} from './request'

export type { ChatMessage }

export interface NextRequestOptions {
  /** System message about the answer's style; the one of `language` if it is blank. */
  readonly style: string
  /** Sends no style message. */
  readonly isWithoutStyle?: boolean
  /** Messages sent besides the first system message, the last user message and the answered turn. */
  readonly historyMessages: number
  readonly model: string | undefined
  /**
   * Omits `tools` and `tool_choice`, which also prevents tool calls. Some servers reject an empty list: OpenAI did
   * (https://github.com/langchain-ai/langchainjs/issues/3726), and servers that copy it do
   * (https://github.com/vllm-project/vllm/pull/39780). Others reject `tool_choice` without tools
   * (https://github.com/writer/writer-framework/pull/1013).
   */
  readonly isWithoutTools?: boolean
  readonly stream?: boolean
  /** Undefined leaves the limit to the provider. */
  readonly maxCompletionTokens?: number | undefined
  /** Undefined leaves it to the provider. */
  readonly topP?: number | undefined
  /** Writes results as JSON text and dates them, which some providers reject. Undefined omits both. */
  readonly dateResults?: boolean
  /** Language in which calls that were not run are answered; English by default. */
  readonly language?: StyleLanguage
}

export const DEFAULT_HISTORY_MESSAGES = 10

export interface NextRequestBody {
  readonly model?: string
  readonly messages: readonly RequestMessage[]
  readonly tools?: readonly never[]
  readonly tool_choice?: 'none'
  readonly stream: boolean
  readonly temperature: number
  readonly max_completion_tokens?: number
  readonly top_p?: number
}

/** A call of the turn that the request answers. */
export interface UnansweredCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** Result in the transcript; undefined for a pending call. */
  readonly recorded: RequestContent | undefined
}

export type NextRequest = NonNullable<ReturnType<typeof buildNextRequest>>

const TEMPERATURE = 0.2

/**
 * Builds the request after the last turn of a list of chat-completions messages. `results` use the ids in `calls` and
 * override recorded results; a call without either is answered with a failure. `now`, in milliseconds since 1970,
 * dates results that the transcript has no time for. Undefined if there is no turn. Linear in the messages.
 */
export function buildNextRequest(
  messages: readonly ChatMessage[],
  results: readonly CallResult[],
  options: NextRequestOptions,
  now?: number,
) {
  const { historyMessages, model, isWithoutTools = false, stream = false } = options
  const { maxCompletionTokens, topP, dateResults = false, language = 'en' } = options
  const texts = LOOP_TEXTS[language]
  const units = unitsOf(messages)
  const last = units.findLastIndex(({ calls }) => calls.length > 0)
  const turnUnit = units[last]
  if (turnUnit === undefined) return undefined
  const nameCalls = createCallNaming(messages)
  const turn = completeTurn(turnUnit, nameCalls, results, texts)
  const { system, sent, earlier } = pickHistory(
    messages,
    units.slice(0, last),
    historyMessages,
    nameCalls,
    texts,
  )
  const style = styleOf(options)
  const all = [
    ...system,
    ...(style === undefined ? [] : [plainMessage({ role: 'system', content: style })]),
    ...sent,
    ...turn.messages,
  ]
  const request: NextRequestBody = {
    ...(model !== undefined && { model }),
    messages: all.map((dated) => (dateResults ? datedResult(dated, now) : dated.message)),
    ...(!isWithoutTools && { tools: [], tool_choice: 'none' }),
    stream,
    temperature: TEMPERATURE,
    ...(maxCompletionTokens !== undefined && { max_completion_tokens: maxCompletionTokens }),
    ...(topP !== undefined && { top_p: topP }),
  }
  return {
    request,
    /** Time of each message in the request, in milliseconds since 1970. */
    times: all.map((dated) => dated.at),
    calls: turn.calls,
    /** The style message as sent; undefined if it is left out. */
    style,
    /** Number of messages between the system message and the turn: sent, and in the transcript. */
    history: {
      sent: sent.length,
      all: earlier.reduce((sum, { calls }) => sum + 1 + calls.length, 0),
    },
  }
}

/** The style message; undefined if it is left out. */
function styleOf({ style, language = 'en', isWithoutStyle = false }: NextRequestOptions) {
  if (isWithoutStyle) return undefined
  return style.trim() === '' ? STYLE_MESSAGES[language] : style
}

/** The messages of a request whose last one asks a question: the first system message, and as many others as the limit allows. */
export function buildQuestion(
  messages: readonly ChatMessage[],
  { historyMessages, language = 'en' }: Pick<NextRequestOptions, 'historyMessages' | 'language'>,
): readonly RequestMessage[] {
  const nameCalls = createCallNaming(messages)
  const texts = LOOP_TEXTS[language]
  const units = unitsOf(messages)
  const { system, sent } = pickHistory(messages, units, historyMessages, nameCalls, texts)
  return [...system, ...sent].map(({ message }) => message)
}

/** The first system message, and of the others whole turns and messages within the limit. */
function pickHistory(
  messages: readonly ChatMessage[],
  units: readonly Unit[],
  limit: number,
  nameCalls: NameCalls,
  texts: LoopTexts,
) {
  const systemAt = messages.findIndex(isSystem)
  const system = messages[systemAt]
  const earlier = units.filter(({ start }) => start !== systemAt)
  const sent = pickUnits(earlier, limit)
    .map((unit) =>
      unit.calls.length > 0
        ? completeTurn(unit, nameCalls, [], texts).messages
        : [plainMessage(unit.message)],
    )
    .reverse()
    .flat()
  return { system: system === undefined ? [] : [plainMessage(system)], sent, earlier }
}

/** Messages sent together or not at all: a turn with its results, or one other message. */
interface Unit {
  readonly start: number
  readonly message: ChatMessage
  readonly calls: readonly ChatMessage[]
  /** The first recorded result of each call by its id, up to the next turn with the same id. */
  readonly recorded: Map<
    string,
    { readonly content: RequestContent; readonly at?: number | undefined }
  >
}

function unitsOf(messages: readonly ChatMessage[]): Unit[] {
  const owners = new Map<string, Unit>()
  return messages.flatMap((message, start) => {
    const { role, content } = message
    const answered = role === 'tool' ? nonEmptyString(message.tool_call_id) : undefined
    const results = answered === undefined ? undefined : owners.get(answered)?.recorded
    if (answered !== undefined && results?.has(answered) === false)
      results.set(answered, { content: resultContentOf(content), at: timeOf(message) })
    const unit: Unit = { start, message, calls: callsIn(message), recorded: new Map() }
    for (const { id } of unit.calls) {
      const own = nonEmptyString(id)
      if (own !== undefined) owners.set(own, unit)
    }
    const hasText = role === 'assistant' && contentOf(content).length > 0
    const isSent = unit.calls.length > 0 || role === 'user' || isSystem(message) || hasText
    return isSent ? [unit] : []
  })
}

/** Picks the units that fit the limit, newest first, and always the last user message. */
function pickUnits(units: readonly Unit[], limit: number): Unit[] {
  const asked = units.findLast(({ message }) => message.role === 'user')
  const sent: Unit[] = []
  let room = limit
  for (const unit of units.toReversed()) {
    const length = 1 + unit.calls.length
    if (unit === asked || room >= length) sent.push(unit)
    // Older units would leave a gap; only the user message is still searched.
    if (unit !== asked) room = room >= length ? room - length : -1
  }
  return sent
}

/** Builds an assistant message and a result for each of its calls, in call order. */
function completeTurn(
  { message, calls, recorded }: Unit,
  nameCalls: NameCalls,
  given: readonly CallResult[],
  texts: LoopTexts,
): { readonly messages: DatedMessage[]; readonly calls: readonly UnansweredCall[] } {
  const named = nameCalls(calls)
  const answers = named.map(({ call, originalId }): DatedMessage & { of: UnansweredCall } => {
    const { name, arguments: text } = call.function
    const found = originalId === undefined ? undefined : recorded.get(originalId)
    const of = { id: call.id, name, arguments: text, recorded: found?.content }
    const own = given.find(({ tool_call_id: answered }) => answered === call.id)
    const content = own?.content ?? found?.content ?? failureOf(of, 'NOT_RUN', texts.notRun).content
    const time = own === undefined ? found?.at : undefined
    return { message: { role: 'tool', tool_call_id: call.id, name, content }, at: time, of }
  })
  const text = contentOf(message.content)
  const assistant: AssistantMessage = {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: named.map(({ call }) => call),
  }
  return {
    messages: [{ message: assistant, at: timeOf(message) }, ...answers],
    calls: answers.map(({ of }) => of),
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
