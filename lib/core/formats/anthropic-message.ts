/**
 * One message of Anthropic Messages, as bodies, session files and Claude Code's lines have it:
 * https://docs.anthropic.com/en/api/messages
 * Read: `text`, `thinking`, `tool_use`, `tool_result`, `server_tool_use` and the results of server tools, `mcp_tool_use`
 * and `mcp_tool_result`; documents and search results by their texts. Everything else in a block is left alone.
 */
import { argumentsText, isJsonObject } from '../conversation/chat-message'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import { usableId } from '../conversation/link-messages'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import type { SourceValue } from './source-document'
import { structuredResult } from './structured-result'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** What the later texts of a masked result become: an empty text block is refused. */
export const LATER_TEXT = '…'

const CALL_TYPES = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
/** Their content is text blocks; every other `*_tool_result` is an object of its server tool, partly encrypted. */
const TEXT_RESULT_TYPES = new Set(['tool_result', 'mcp_tool_result'])

export interface AnthropicMessageReading {
  readonly raw: RawMessage
  /** Blocks and fields that are not what their place calls for, left alone. */
  readonly problems: readonly Problem[]
}

/** Where a message is being read, and what has been found in it. */
interface Reading {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly contents: RawText[]
  readonly reasoning: RawText[]
  readonly calls: RawCall[]
  readonly results: RawResult[]
  readonly problems: Problem[]
  nonTextParts: number
}

/** Whether a block type is a result, of the caller's tools or of a server's. */
export function isResultType(type: unknown): boolean {
  return typeof type === 'string' && /(?:^|_)tool_result$/.test(type)
}

export function isCallType(type: unknown): boolean {
  return typeof type === 'string' && CALL_TYPES.has(type)
}

/**
 * Reads the message that stands at a path. The order of its texts, calls and results is that of the blocks; the
 * results of server tools stay in the assistant message that holds them, since one request brought both.
 */
export function readAnthropicMessage(
  source: SourceValue,
  path: JsonPath,
  message: JsonObject,
  role: string,
): AnthropicMessageReading {
  const reading: Reading = {
    source,
    path,
    contents: [],
    reasoning: [],
    calls: [],
    results: [],
    problems: [],
    nonTextParts: 0,
  }
  readContent(reading, message.content, ['content'])
  const { contents, reasoning, calls, results, problems, nonTextParts } = reading
  const raw: RawMessage = {
    role,
    isAssistant: role === 'assistant',
    name: undefined,
    contents,
    reasoning,
    nonTextParts,
    calls,
    results,
  }
  return { raw, problems }
}

/** The system prompt beside a list of messages, as a message; undefined when there is none. */
export function readSystemPrompt(value: unknown): RawMessage | undefined {
  const contents: RawText[] = []
  if (typeof value === 'string') contents.push({ text: value, path: [] })
  for (const [index, block] of (Array.isArray(value) ? value : []).entries()) {
    if (isJsonObject(block) && typeof block.text === 'string') {
      contents.push({ text: block.text, path: [index, 'text'] })
    }
  }
  if (contents.length === 0) return undefined
  return {
    role: 'system',
    isAssistant: false,
    name: undefined,
    contents,
    reasoning: [],
    nonTextParts: 0,
    calls: [],
    results: [],
  }
}

function complain(reading: Reading, at: JsonPath, value: unknown, expected: string): void {
  reading.problems.push(wrongType(reading.source, [...reading.path, ...at], value, expected))
}

function readContent(reading: Reading, content: unknown, at: JsonPath): void {
  if (typeof content === 'string') {
    reading.contents.push({ text: content, path: at })
  } else if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) readBlock(reading, block, [...at, index])
  } else {
    complain(reading, at, content, 'a text or a list of content blocks')
  }
}

function readBlock(reading: Reading, block: unknown, at: JsonPath): void {
  if (!isJsonObject(block) || typeof block.type !== 'string') {
    complain(reading, at, block, 'a content block, an object with a "type"')
    return
  }
  const { type } = block
  if (isCallType(type)) readCall(reading, block, at)
  else if (isResultType(type)) readResult(reading, block, at)
  else if (type === 'text') readText(reading, block.text, [...at, 'text'])
  else if (type === 'thinking') {
    if (typeof block.thinking === 'string' && block.thinking !== '') {
      reading.reasoning.push({ text: block.thinking, path: [...at, 'thinking'] })
    }
  } else if (type !== 'redacted_thinking') readOther(reading, block, at)
}

function readText(reading: Reading, text: unknown, at: JsonPath): void {
  if (typeof text === 'string') reading.contents.push({ text, path: at })
  else complain(reading, at, text, 'a text')
}

/** Documents, search results and files that a session keeps by their text; what has none is a part that is no text. */
function readOther(reading: Reading, block: JsonObject, at: JsonPath): void {
  const { source, content } = block
  if (isJsonObject(source) && source.type === 'text' && typeof source.data === 'string') {
    reading.contents.push({ text: source.data, path: [...at, 'source', 'data'] })
  } else if (typeof content === 'string') {
    reading.contents.push({ text: content, path: [...at, 'content'] })
  } else if (block.type === 'search_result' && Array.isArray(content)) {
    readContent(reading, content, [...at, 'content'])
  } else {
    reading.nonTextParts++
  }
}

function readCall(reading: Reading, block: JsonObject, at: JsonPath): void {
  if (usableId(block.id) === undefined) complain(reading, [...at, 'id'], block.id, 'an id')
  reading.calls.push({
    id: block.id,
    name: block.name,
    arguments: argumentsText(block.input),
    path: [...at, 'input'],
  })
}

function readResult(reading: Reading, block: JsonObject, at: JsonPath): void {
  const { tool_use_id: callId, content } = block
  if (usableId(callId) === undefined) {
    complain(reading, [...at, 'tool_use_id'], callId, 'the id of a call')
  }
  const isText = TEXT_RESULT_TYPES.has(String(block.type))
  const read = isText ? readResultContent(reading, content, [...at, 'content']) : undefined
  if (!isText) reading.nonTextParts++
  reading.results.push({
    callId,
    shape: read === undefined ? 'other' : 'text',
    texts: read?.texts ?? [],
    filler: read?.filler ?? '',
    ...(read?.valuePath && { valuePath: read.valuePath }),
    isFlaggedError: block.is_error === true || isServerError(content) || read?.isError === true,
  })
}

interface ResultContent {
  readonly texts: readonly RawText[]
  readonly filler: string
  readonly isError?: boolean
  /** Where they stand, when they are strings of a value. */
  readonly valuePath?: JsonPath
}

/** The texts of a result; undefined when it has none, or holds anything beside text. */
function readResultContent(
  reading: Reading,
  content: unknown,
  at: JsonPath,
): ResultContent | undefined {
  if (typeof content === 'string') return { texts: [{ text: content, path: at }], filler: '' }
  if (content === undefined) return undefined
  if (!Array.isArray(content)) {
    complain(reading, at, content, 'a text or a list of content blocks')
    return undefined
  }
  if (content.length === 0) return undefined
  if (content.every(isRecord)) return readRecords(reading, content, at)
  const texts = content.flatMap((block, index): RawText[] =>
    isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
      ? [{ text: block.text, path: [...at, index, 'text'] }]
      : [],
  )
  if (texts.length < content.length) {
    for (const [index, block] of content.entries()) checkResultBlock(reading, block, [...at, index])
    reading.contents.push(...texts)
    reading.nonTextParts += content.length - texts.length
    return undefined
  }
  const [first, ...later] = texts as [RawText, ...RawText[]]
  return {
    texts: [first, ...later.filter(({ text }) => text !== LATER_TEXT)],
    filler: LATER_TEXT,
  }
}

/** A result's block of any type is well; one without, or a text block without its text, is not. */
function checkResultBlock(reading: Reading, block: unknown, at: JsonPath): void {
  if (!isJsonObject(block) || typeof block.type !== 'string') {
    complain(reading, at, block, 'a content block, an object with a "type"')
  } else if (block.type === 'text' && typeof block.text !== 'string') {
    complain(reading, [...at, 'text'], block.text, 'a text')
  }
}

/** An object that is no content block and holds none: Cline keeps its results as `{query, result, success}`. */
function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && !holdsBlock(value)
}

function holdsBlock(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsBlock)
  if (!isJsonObject(value)) return false
  return typeof value.type === 'string' || Object.values(value).some(holdsBlock)
}

function readRecords(
  reading: Reading,
  content: readonly JsonObject[],
  at: JsonPath,
): ResultContent | undefined {
  const { texts, frame } = structuredResult(content, at)
  reading.contents.push({ text: frame })
  if (texts.length === 0) return undefined
  const isError = content.some(({ success }) => success === false)
  return { texts, filler: '', isError, valuePath: at }
}

/** A server tool's result is an error by the type of its content: `web_search_tool_result_error`. */
function isServerError(content: unknown): boolean {
  return (
    isJsonObject(content) && typeof content.type === 'string' && content.type.endsWith('_error')
  )
}
