/**
 * A question, the tool calls it leads to, and its answer: the first request offers the tools, the second has their results
 * and offers none. Both are masked; the stored messages are not.
 */

import { appendFile, readFile } from 'node:fs/promises'
import type { CallResult } from '../../core/loop/call-result'
import { STYLE_MESSAGES } from '../../core/loop/loop-texts'
import {
  buildNextRequest,
  DEFAULT_HISTORY_MESSAGES,
  type NextRequestOptions,
} from '../../core/loop/next-request'
import {
  type AssistantMessage,
  type ChatMessage,
  callsIn,
  contentOf,
  plainTextOf,
  type RequestMessage,
  type SavedMessage,
  savedMessage,
} from '../../core/loop/request-message'
import { writeRequestLog } from '../../core/loop/write-request'
import type { TokenCounter } from '../../core/mask/decide-by-texts'
import { maskOldToolResults } from '../../core/mask/mask-old-tool-results'
import { DEFAULT_POLICY, type MaskPolicy } from '../../core/policy/policy'
import { isJsonObject, itemsOf, membersOf, parseJson } from '../../core/text/json-object'
import type { ToolLoop } from './tool-loop'

/** Lists that clients may change, as the types of OpenAI's client have them. */
type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value

/** A body of chat completions. */
export interface ChatRequest {
  model: string
  messages: Mutable<RequestMessage>[]
  tools?: {
    type: 'function'
    function: { name: string; description?: string; parameters?: Record<string, unknown> }
  }[]
  tool_choice?: 'none'
  stream: false
  temperature?: number
  max_completion_tokens?: number
  top_p?: number
}

export interface QuestionOptions {
  readonly model: string
  /** Sends a request and resolves with the provider's answer, of any client that speaks chat completions. */
  readonly send: (request: ChatRequest) => Promise<unknown>
  /** Has the messages before the question; receives the question and every message after it. */
  readonly store: MessageStore
  readonly system?: string
  /** Undefined masks nothing; missing settings are the defaults. */
  readonly policy?: Partial<MaskPolicy>
  /** Needed for the settings that count tokens. */
  readonly countTokens?: TokenCounter
  /** Style message, history and limits of the request after tool calls; the page has the same ones. */
  readonly next?: Partial<Omit<NextRequestOptions, 'model' | 'stream'>>
  /** Called before each request; `log` is its structure as lines of text. */
  readonly onRequest?: (report: RequestReport) => void
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

export interface RequestReport {
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

/**
 * Asks the model, runs the calls it makes through the loop's guards, and asks again without tools.
 * A call and its results are stored together, after the last one ran. Rejects with the error of `send` or the store.
 */
export async function answerQuestion(
  loop: ToolLoop,
  question: string,
  options: QuestionOptions,
): Promise<Answer> {
  const { store, model, system, now = Date.now } = options
  const date = (message: RequestMessage): SavedMessage => savedMessage({ message, at: now() })
  const earlier = await store.read()
  const asked = date({ role: 'user', content: question })
  await store.append([asked])
  const history: readonly ChatMessage[] = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    ...[...earlier, asked].map((message) => ({ ...message })),
  ]

  const first = await sendMasked(options, {
    messages: history.map(withoutTime),
    ...(loop.tools.length > 0 && { tools: loop.tools.map(toolOf) }),
  })
  const said = messageOf(first)
  if (callsIn(said).length === 0) {
    return { text: await storeAnswer(said), results: [], responses: [first] }
  }

  const nextOptions: NextRequestOptions = {
    style: STYLE_MESSAGES[loop.language],
    historyMessages: DEFAULT_HISTORY_MESSAGES,
    language: loop.language,
    ...options.next,
    model,
  }
  const pending = buildNextRequest([...history, said], [], nextOptions)
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
  const stored = [savedMessage({ message: turn, at: turnAt }), ...resultMessages.map(date)]
  await store.append(stored)
  const all = [...history, ...stored.map((message) => ({ ...message }))]
  const next = buildNextRequest(all, [], nextOptions, now()) as typeof pending
  const { model: _, stream: __, ...body } = next.request
  const last = await sendMasked(options, body, writeRequestLog(next, nextOptions.style))
  return { text: await storeAnswer(messageOf(last)), results, responses: [first, last] }

  async function storeAnswer(message: ChatMessage): Promise<string> {
    const content = plainTextOf(contentOf(message.content))
    await store.append([date({ role: 'assistant', content })])
    return content
  }
}

async function sendMasked(
  { model, send, policy, countTokens, onRequest }: QuestionOptions,
  body: object & { readonly messages: readonly RequestMessage[] },
  log?: string,
): Promise<unknown> {
  const { messages } = body
  const masked = maskOldToolResults(messages, { ...DEFAULT_POLICY, ...policy }, countTokens)
  const maskedResults = masked.filter((message, at) => message !== messages[at]).length
  const request = { model, ...body, messages: masked, stream: false } as ChatRequest
  const lines = log ?? `messages: ${messages.length}\ntools: ${request.tools?.length ?? 0}\n`
  onRequest?.({ request, maskedResults, log: `${lines}masked: ${maskedResults} results\n` })
  return send(request)
}

/** Providers refuse a time. */
function withoutTime({ timestamp: _, ...message }: ChatMessage): RequestMessage {
  return message as unknown as RequestMessage
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

/** The messages of one conversation. Messages that are valid only together are appended together. */
export interface MessageStore {
  readonly read: () => Promise<readonly SavedMessage[]>
  readonly append: (messages: readonly SavedMessage[]) => Promise<void>
}

export function createMemoryStore(messages: readonly SavedMessage[] = []): MessageStore {
  const all = [...messages]
  return {
    read: async () => [...all],
    append: async (added) => void all.push(...added),
  }
}

/** A file with one message a line, which the playground opens. It is created with the first message. */
export function createJsonLinesStore(path: string): MessageStore {
  return {
    read: async () => {
      const lines = (await fileText(path)).split('\n')
      return lines.flatMap((line, at) => (line.trim() === '' ? [] : [readLine(line, path, at + 1)]))
    },
    // One write, so that a call never lacks its results.
    append: (messages) =>
      appendFile(path, messages.map((one) => `${JSON.stringify(one)}\n`).join('')),
  }
}

async function fileText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

function readLine(line: string, path: string, number: number): SavedMessage {
  const found = parseJson(line)
  if (isJsonObject(found) && typeof found.role === 'string') {
    return found as unknown as SavedMessage
  }
  throw new Error(`${path}, line ${number}: expected a message, an object with a "role", as JSON.`)
}
