/**
 * One message of OpenAI chat completions, the shape Schema 1 is defined on:
 * https://platform.openai.com/docs/api-reference/chat/create
 * Read as clients really write it: `tool_calls: null`, arguments as an object, a function given by its bare name,
 * odd roles, contents that are strings, null or lists of parts. `reasoning_content` and unknown keys are not read.
 */
import type { JsonPath } from '../text/json-pointer'
import type { ResultShape } from './conversation'
import type { RawCall, RawMessage, RawResult } from './link-messages'

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
    contents: isResult && content.shape !== 'other' ? [] : content.texts,
    nonTextParts: content.nonTextParts,
    calls: readCalls(value),
    results: isResult ? [readResult(value, content)] : [],
  }
}

interface Content {
  readonly shape: ResultShape
  readonly texts: readonly string[]
  readonly paths: readonly JsonPath[]
  readonly nonTextParts: number
}

function readContent(content: unknown): Content {
  if (typeof content === 'string') {
    return { shape: 'text', texts: [content], paths: [['content']], nonTextParts: 0 }
  }
  if (!Array.isArray(content)) {
    const isAbsent = content === null || content === undefined
    return { shape: 'other', texts: [], paths: [], nonTextParts: isAbsent ? 0 : 1 }
  }
  const texts: string[] = []
  const paths: JsonPath[] = []
  for (const [index, part] of content.entries()) {
    if (!isJsonObject(part) || part.type !== 'text' || typeof part.text !== 'string') continue
    texts.push(part.text)
    paths.push(['content', index, 'text'])
  }
  const nonTextParts = content.length - texts.length
  const shape = texts.length > 0 && nonTextParts === 0 ? 'text_parts' : 'other'
  return { shape, texts, paths, nonTextParts }
}

function readResult(message: JsonObject, content: Content): RawResult {
  const isReadable = content.shape !== 'other'
  return {
    callId: message.tool_call_id,
    shape: content.shape,
    texts: isReadable ? content.texts : [],
    paths: isReadable ? content.paths : [],
    isFlaggedError: false,
  }
}

function readCalls(message: JsonObject): RawCall[] {
  const calls: RawCall[] = []
  const list = Array.isArray(message.tool_calls) ? message.tool_calls : []
  for (const call of list) if (isJsonObject(call)) calls.push(readCall(call))
  // The legacy form bears no id, so it opens no turn; its text is sent all the same.
  if (isJsonObject(message.function_call)) calls.push(readCall({ function: message.function_call }))
  return calls
}

function readCall(call: JsonObject): RawCall {
  const inner = isJsonObject(call.function) ? call.function : undefined
  const name =
    inner === undefined && typeof call.function === 'string' ? call.function : inner?.name
  return {
    id: call.id,
    name,
    arguments: argumentsText(inner === undefined ? call.arguments : inner.arguments),
  }
}

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : JSON.stringify(value)
}
