/**
 * A question, the tool calls it leads to, and its answer: the first request offers the tools, the second has their results
 * and offers none. Both are masked; the stored messages are not.
 */

import { randomUUID } from 'node:crypto'
import type { CallResult } from '../../core/loop/call-result'
import type { NextRequestBody, NextRequestOptions } from '../../core/loop/next-request'
import {
  buildNextRequest,
  buildQuestion,
  DEFAULT_HISTORY_MESSAGES,
} from '../../core/loop/next-request'
import type {
  AssistantMessage,
  ChatMessage,
  RequestMessage,
  SavedMessage,
} from '../../core/loop/request'
import { callsIn, contentOf, plainTextOf, savedMessage } from '../../core/loop/request'
import { writeRequestLog } from '../../core/loop/write-request'
import type { TokenCounter } from '../../core/mask/decide-by-texts'
import { maskOldToolResults } from '../../core/mask/mask-old-tool-results'
import { DEFAULT_POLICY, type MaskPolicy } from '../../core/policy/policy'
import { isJsonObject, itemsOf, membersOf } from '../../core/text/json'
import type { MessageStore, StoredMessage } from './message-store'
import type { ToolLoop } from './tool-loop'

/** Lists that clients may change, as the types of OpenAI's client have them. */
type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value

/** A body of chat completions. */
export type ChatRequest = Mutable<
  Omit<NextRequestBody, 'model' | 'tools' | 'stream' | 'temperature'>
> & {
  model: string
  tools?: {
    type: 'function'
    function: { name: string; description?: string; parameters?: Record<string, unknown> }
  }[]
  stream: false
  temperature?: number
}

export interface QuestionOptions {
  readonly model: string
  /** Sends a request and resolves with the provider's answer, of any client that speaks chat completions. */
  readonly send: (request: ChatRequest) => Promise<unknown>
  /** Has the messages before the question; receives the question and every message after it. */
  readonly store: MessageStore
  /** Id of the question. Asked again, it replaces what was stored for it; by default only if it was not answered. */
  readonly exchange?: string
  readonly system?: string
  /** Undefined masks nothing; missing settings are the defaults. */
  readonly policy?: Partial<MaskPolicy>
  /** Needed for the settings that count tokens. */
  readonly countTokens?: TokenCounter
  /** Style message and limits of the request after tool calls, and the history of both; the page has the same ones. */
  readonly next?: Partial<Omit<NextRequestOptions, 'model' | 'stream'>>
  /** Called before each request; `log` is its structure as lines of text. */
  readonly onRequest?: (report: RequestReport) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export interface RequestReport {
  readonly session: string
  readonly request: ChatRequest
  readonly maskedResults: number
  readonly log: string
}

export interface Answer {
  readonly text: string
  readonly results: readonly CallResult[]
  /** What the provider answered, one for each request. */
  readonly responses: readonly unknown[]
}

/** Why there is no answer: the model called tools that it was not offered, or said nothing. */
export class AnswerError extends Error {
  constructor(
    readonly code: 'CALLED_AGAIN' | 'EMPTY_ANSWER',
    message: string,
    readonly results: readonly CallResult[],
    readonly responses: readonly unknown[],
  ) {
    super(message)
  }
}

/**
 * Asks the model, runs the calls it makes through the loop's guards, and asks again without tools.
 * A call and its results are stored together, after the last one ran. Rejects with the error of `send` or the store, and with
 * an `AnswerError` where there is no answer.
 */
export async function answerQuestion(
  loop: ToolLoop,
  question: string,
  options: QuestionOptions,
): Promise<Answer> {
  const { store, model, system, now = Date.now } = options
  const nextOptions: NextRequestOptions = {
    style: '',
    historyMessages: DEFAULT_HISTORY_MESSAGES,
    language: loop.language,
    ...options.next,
    model,
  }
  const date = (message: RequestMessage): SavedMessage => savedMessage({ message, at: now() })
  const before = await store.read()
  const exchange = options.exchange ?? unansweredOf(before, question) ?? randomUUID()
  const own: SavedMessage[] = []
  const keep = (...added: readonly SavedMessage[]) => {
    own.push(...added)
    return store.save(exchange, own)
  }
  await keep(date({ role: 'user', content: question }))
  const earlier = before.filter((one) => one.exchange !== exchange)
  const conversation = (): readonly ChatMessage[] => [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...[...earlier, ...own].map((message) => ({ ...message })),
  ]

  const first = await sendMasked(options, {
    messages: buildQuestion(conversation(), nextOptions),
    ...(loop.tools.length > 0 && { tools: loop.tools.map(toolOf) }),
  })
  const said = messageOf(first)
  if (callsIn(said).length === 0) return answerWith(said, [], [first])

  const pending = buildNextRequest([...conversation(), said], [], nextOptions)
  if (pending === undefined) throw new Error('A message with tool calls has no request after it.')
  const calls = pending.calls.map((call) => ({
    ...call,
    arguments: loop.argumentsOf(call.arguments),
  }))
  const turn: AssistantMessage = {
    role: 'assistant',
    content: contentOf(said.content) || null,
    tool_calls: calls.map(({ id, name, arguments: text }) => {
      return { id, type: 'function', function: { name, arguments: text } }
    }),
  }
  const turnAt = now()
  const results = await loop.run(calls)
  const resultMessages = results.map(({ tool_call_id, name, content }): RequestMessage => {
    return { role: 'tool', tool_call_id, name, content }
  })
  await keep(savedMessage({ message: turn, at: turnAt }), ...resultMessages.map(date))
  const next = buildNextRequest(conversation(), [], nextOptions, now()) as typeof pending
  const { model: _, stream: __, ...body } = next.request
  const last = await sendMasked(options, body, writeRequestLog(next))
  return answerWith(messageOf(last), results, [first, last])

  async function answerWith(
    message: ChatMessage,
    results: readonly CallResult[],
    responses: readonly unknown[],
  ): Promise<Answer> {
    const fail = (code: AnswerError['code'], sentence: string) =>
      new AnswerError(code, sentence, results, responses)
    const again = callsIn(message).length
    if (again > 0)
      throw fail('CALLED_AGAIN', `Found calls (${again}) of a model that was offered no tools.`)
    const text = plainTextOf(contentOf(message.content))
    if (text.trim() === '') throw fail('EMPTY_ANSWER', 'The answer of the model has no text.')
    await keep(date({ role: 'assistant', content: text }))
    return { text, results, responses }
  }
}

/** The id of the last question, if it is this one and has no answer. */
function unansweredOf(messages: readonly StoredMessage[], question: string): string | undefined {
  const last = messages.at(-1)
  if (last?.exchange === undefined) return undefined
  const asked = messages.find(({ exchange }) => exchange === last.exchange)
  const isAnswered = last.role === 'assistant' && last.tool_calls === undefined
  return asked?.content === question && !isAnswered ? last.exchange : undefined
}

async function sendMasked(
  { model, send, policy, countTokens, onRequest, store: { session } }: QuestionOptions,
  body: object & { readonly messages: readonly RequestMessage[] },
  log?: string,
): Promise<unknown> {
  const { messages } = body
  const masked = maskOldToolResults(messages, { ...DEFAULT_POLICY, ...policy }, countTokens)
  const maskedResults = masked.filter((message, at) => message !== messages[at]).length
  const request = { model, ...body, messages: masked, stream: false } as ChatRequest
  const lines = log ?? `messages: ${messages.length}\ntools: ${request.tools?.length ?? 0}\n`
  onRequest?.({
    session,
    request,
    maskedResults,
    log: `${lines}masked: ${maskedResults} results\n`,
  })
  return send(request)
}

function toolOf({ name, description, parameters }: ToolLoop['tools'][number]) {
  return {
    type: 'function' as const,
    function: {
      name,
      ...(description !== undefined && { description }),
      ...(parameters !== undefined && { parameters }),
    },
  }
}

/** The message of an answer of chat completions. */
function messageOf(answer: unknown): ChatMessage {
  const [choice] = itemsOf(membersOf(answer).choices)
  const { message } = membersOf(choice)
  if (isJsonObject(message)) return { ...message, role: 'assistant' }
  throw new Error('The answer has no choices[0].message; expected an answer of chat completions.')
}
