/**
 * One message of OpenAI chat completions, the shape Schema 1 is defined on:
 * https://platform.openai.com/docs/api-reference/chat/create
 * Also accepts what clients really send: `tool_calls: null`, arguments as an object, calls without a function, custom
 * tools with their `input`, unusual roles, contents that are strings, null or lists of parts. `reasoning_content` is
 * shown, not counted; unknown keys are ignored.
 */
import { isJsonObject, itemsOf, membersOf, scalarText, type Unchecked } from '../text/json'
import type { JsonPath } from '../text/json-path'
import { type ResultShape, readTime } from './conversation'
import type { RawCall, RawMessage, RawResult, RawText } from './link-messages'

export interface ChatMessage {
  readonly role: string
  /** Parts of type `text` have a text, and those that clients make up, such as `tool_output`. */
  readonly content?: string | readonly { readonly type: string; readonly text?: string }[] | null
  readonly name?: string
  /** Only in messages of role `tool`. */
  readonly tool_call_id?: string
  /** Ollama writes it instead of an id. */
  readonly tool_name?: string
  readonly tool_calls?: readonly ChatToolCall[] | null
  /** The older form of one call. */
  readonly function_call?: CalledFunction
  readonly reasoning_content?: string
  /** Clients that store messages add one of these. */
  readonly timestamp?: string | number
  readonly created_at?: string | number
  readonly createdAt?: string | number
}

export interface ChatToolCall {
  readonly id: string
  readonly function?: CalledFunction | string
  readonly custom?: { readonly name: string; readonly input: string }
  /** Tracers of LangChain write a call with `name` and `args`. */
  readonly name?: string
  readonly args?: object
  readonly arguments?: string
}

interface CalledFunction {
  readonly name: string
  readonly arguments: string
}

/** Reads one message; undefined unless the value is an object whose `role` is a string. */
export function readChatMessage(value: unknown): RawMessage | undefined {
  if (!isJsonObject(value) || typeof value.role !== 'string') return undefined
  const { role } = value
  const message: Unchecked<ChatMessage> = value
  const { name, timestamp, created_at, createdAt } = message
  const content = readContent(message.content)
  const isResult = role === 'tool'
  return {
    role,
    isAssistant: role === 'assistant',
    name: typeof name === 'string' ? name : undefined,
    writtenAt: readTime(timestamp ?? created_at ?? createdAt),
    contents: isResult && content.shape !== 'other' ? [] : content.texts,
    reasoning: readReasoning(message),
    nonTextParts: content.nonTextParts,
    calls: readCalls(message),
    results: isResult ? [readResult(message, content)] : [],
    functionResult: role === 'function' ? readResult(message, content) : undefined,
  }
}

interface Content {
  readonly shape: ResultShape
  readonly texts: readonly RawText[]
  readonly nonTextParts: number
}

export function readContent(content: unknown): Content {
  if (typeof content === 'string') {
    return { shape: 'text', texts: [{ text: content, path: ['content'] }], nonTextParts: 0 }
  }
  if (!Array.isArray(content)) {
    const isAbsent = content === null || content === undefined
    return { shape: 'other', texts: [], nonTextParts: isAbsent ? 0 : 1 }
  }
  const texts: RawText[] = []
  for (const [index, part] of content.entries()) {
    const { text, type } = membersOf(part)
    // A part of whatever type, unless it contains an image or a file too.
    if (typeof text === 'string' && !MEDIA_TYPE.test(scalarText(type)))
      texts.push({ text, path: ['content', index, 'text'] })
  }
  const nonTextParts = content.length - texts.length
  const shape = texts.length > 0 && nonTextParts === 0 ? 'text_parts' : 'other'
  return { shape, texts, nonTextParts }
}

const MEDIA_TYPE = /image|audio|video|file/

function readResult(message: Unchecked<ChatMessage>, content: Content): RawResult {
  return {
    callId: message.tool_call_id,
    toolName: message.tool_name ?? message.name,
    shape: content.shape,
    texts: content.shape === 'other' ? [] : content.texts,
    isFlaggedError: false,
  }
}

function readReasoning({ reasoning_content: text }: Unchecked<ChatMessage>): RawText[] {
  return typeof text === 'string' && text !== '' ? [{ text, path: ['reasoning_content'] }] : []
}

function readCalls(message: Unchecked<ChatMessage>): RawCall[] {
  const calls = itemsOf(message.tool_calls).flatMap((call, index) =>
    isJsonObject(call) ? [readCall(call, ['tool_calls', index])] : [],
  )
  // The legacy form has no id, so it does not open a turn; its text is still sent.
  if (isJsonObject(message.function_call)) {
    const { name, arguments: written } = message.function_call
    const path = ['function_call', 'arguments']
    calls.push({ id: undefined, name, arguments: argumentsText(written), path })
  }
  return calls
}

/** Returns the name of a call; LangChain tracers write `name` and `args` instead of `function`. */
export function callName({ function: called, custom, name }: Unchecked<ChatToolCall>): unknown {
  if (isJsonObject(called)) return called.name
  return called === undefined && isJsonObject(custom) ? custom.name : name
}

export function readCall(call: Unchecked<ChatToolCall>, path: JsonPath): RawCall {
  const { id, function: called, custom } = call
  const name = callName(call)
  if (isJsonObject(called)) {
    const at = [...path, 'function', 'arguments']
    return { id, name, arguments: argumentsText(called.arguments), path: at }
  }
  if (called === undefined && isJsonObject(custom)) {
    return { id, name, arguments: argumentsText(custom.input), path: [...path, 'custom', 'input'] }
  }
  const key = call.arguments === undefined && call.args !== undefined ? 'args' : 'arguments'
  return { id, name, arguments: argumentsText(call[key]), path: [...path, key] }
}

/** Returns arguments as the text that a model receives: a string unchanged, any other value as JSON. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
