/**
 * One message of OpenAI chat completions, the shape Schema 1 is defined on:
 * https://platform.openai.com/docs/api-reference/chat/create
 * Read as clients really write it: `tool_calls: null`, arguments as an object, a function given by its bare name, or none,
 * custom tools with their `input`, odd roles, contents that are strings, null or lists of parts. `reasoning_content` is shown, not counted; unknown keys are not read.
 */
import type { JsonPath } from '../text/json-pointer'
import type { ResultShape } from './conversation'
import type { RawCall, RawMessage, RawResult, RawText } from './link-messages'
import { readTime } from './read-time'

type JsonObject = Readonly<Record<string, unknown>>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Reads one message; undefined when the value is no object with a text as its role. */
export function readChatMessage(value: unknown): RawMessage | undefined {
  if (!isJsonObject(value) || typeof value.role !== 'string') return undefined
  const content = readContent(value.content)
  const isResult = value.role === 'tool'
  return {
    role: value.role,
    isAssistant: value.role === 'assistant',
    name: typeof value.name === 'string' ? value.name : undefined,
    at: readTime(value.timestamp ?? value.created_at ?? value.createdAt),
    contents: isResult && content.shape !== 'other' ? [] : content.texts,
    reasoning: readReasoning(value),
    nonTextParts: content.nonTextParts,
    calls: readCalls(value),
    results: isResult ? [readResult(value, content)] : [],
  }
}

interface Content {
  readonly shape: ResultShape
  readonly texts: readonly RawText[]
  readonly nonTextParts: number
}

function readContent(content: unknown): Content {
  if (typeof content === 'string') {
    return { shape: 'text', texts: [{ text: content, path: ['content'] }], nonTextParts: 0 }
  }
  if (!Array.isArray(content)) {
    const isAbsent = content === null || content === undefined
    return { shape: 'other', texts: [], nonTextParts: isAbsent ? 0 : 1 }
  }
  const texts: RawText[] = []
  for (const [index, part] of content.entries()) {
    if (!isJsonObject(part) || part.type !== 'text' || typeof part.text !== 'string') continue
    texts.push({ text: part.text, path: ['content', index, 'text'] })
  }
  const nonTextParts = content.length - texts.length
  const shape = texts.length > 0 && nonTextParts === 0 ? 'text_parts' : 'other'
  return { shape, texts, nonTextParts }
}

function readResult(message: JsonObject, content: Content): RawResult {
  return {
    callId: message.tool_call_id,
    shape: content.shape,
    texts: content.shape === 'other' ? [] : content.texts,
    isFlaggedError: false,
  }
}

function readReasoning({ reasoning_content: text }: JsonObject): RawText[] {
  return typeof text === 'string' && text !== '' ? [{ text, path: ['reasoning_content'] }] : []
}

function readCalls(message: JsonObject): RawCall[] {
  const calls: RawCall[] = []
  const list = Array.isArray(message.tool_calls) ? message.tool_calls : []
  for (const [index, call] of list.entries()) {
    if (isJsonObject(call)) calls.push(readCall(call, ['tool_calls', index]))
  }
  // The legacy form bears no id, so it opens no turn; its text is sent all the same.
  if (isJsonObject(message.function_call)) {
    const { name, arguments: written } = message.function_call
    calls.push({
      id: undefined,
      name,
      arguments: argumentsText(written),
      path: ['function_call', 'arguments'],
    })
  }
  return calls
}

/** Tracers of LangChain keep its calls, `name` and `args`, in messages of chat completions. */
function readCall(call: JsonObject, path: JsonPath): RawCall {
  const { id, function: called, custom } = call
  if (isJsonObject(custom) && called === undefined) {
    const { name, input } = custom
    return { id, name, arguments: argumentsText(input), path: [...path, 'custom', 'input'] }
  }
  if (isJsonObject(called)) {
    const { name, arguments: written } = called
    const at = [...path, 'function', 'arguments']
    return { id, name, arguments: argumentsText(written), path: at }
  }
  const key = call.arguments === undefined && call.args !== undefined ? 'args' : 'arguments'
  const name = typeof called === 'string' ? called : call.name
  return { id, name, arguments: argumentsText(call[key]), path: [...path, key] }
}

/** Arguments as the text a model is sent: a string as it is, any other value as JSON. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
