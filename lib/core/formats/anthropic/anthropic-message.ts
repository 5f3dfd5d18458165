/**
 * One message of Anthropic Messages, in request bodies, session files and lines of Claude Code:
 * https://docs.anthropic.com/en/api/messages
 * Reads text, thinking, calls and results of all kinds, and the texts of documents and search results. Other blocks,
 * such as images, count as parts that are not text. All other members of a block are ignored.
 */

import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  scalarText,
  type Unchecked,
} from '../../text/json-object'
import {
  EMPTY_PART_TEXT,
  emptyBody,
  type MessageBody,
  memberText,
  rawMessage,
  structuredResult,
  textBlocks,
  withoutEmptyParts,
} from '../reading/raw-message'
import type { SourceValue } from '../reading/source-document'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

export interface AnthropicMessage {
  readonly role: 'user' | 'assistant' | 'system'
  readonly content: string | readonly Block[]
  /** Only in answers and session files, as are `modelInfo` and `id`. */
  readonly model?: string
  /** The model in session files of Cline. */
  readonly modelInfo?: { readonly id: string }
  readonly id?: string
}

/** A content block: the members of all types that are read, by `type`. */
interface Block {
  readonly type: string
  /** `text`. */
  readonly text?: string
  /** `thinking`; the API sends `redacted_thinking` without text. */
  readonly thinking?: string
  /** `tool_use`, `server_tool_use`, `mcp_tool_use`. */
  readonly id?: string
  readonly name?: string
  readonly input?: object
  /** `tool_result`, `mcp_tool_result`, `web_search_tool_result` and other results of server tools. */
  readonly tool_use_id?: string
  readonly is_error?: boolean
  /** In results and in `search_result`; results of server tools have an object or a partly encrypted list. */
  readonly content?: string | readonly Block[] | { readonly type: string }
  /** `document`, `image`. */
  readonly source?: { readonly type: string; readonly data?: string }
}

const CALL_TYPES = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
/** Results whose content is text blocks; every other `*_tool_result` belongs to a server tool. */
const TEXT_RESULT_TYPES = new Set(['tool_result', 'mcp_tool_result'])

/** True for a block type that is a result, of the client's tools or of a server's. */
export function isResultType(type: unknown): boolean {
  return typeof type === 'string' && /(?:^|_)tool_result$/.test(type)
}

export function isCallType(type: unknown): boolean {
  return typeof type === 'string' && CALL_TYPES.has(type)
}

/**
 * Reads the message at a path. Texts, calls and results are in the order of the blocks. Results of server tools stay in
 * the assistant message, since one request produced both. `problems` lists the values of a wrong type, which are skipped.
 */
export function readAnthropicMessage(
  source: SourceValue,
  path: JsonPath,
  { content }: Unchecked<AnthropicMessage>,
  role: string,
): { readonly raw: RawMessage; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const body = emptyBody()
  readContent(body, content, ['content'], reportWrongTypesTo(problems, source, path))
  return { raw: rawMessage(role, body), problems }
}

/** Reads the system prompt of a request as a message; undefined when it has no text. */
export function readSystemPrompt(value: unknown): RawMessage | undefined {
  const contents: RawText[] = []
  if (typeof value === 'string') contents.push({ text: value, path: [] })
  for (const [index, block] of itemsOf(value).entries()) {
    if (isJsonObject(block) && typeof block.text === 'string') {
      contents.push({ text: block.text, path: [index, 'text'] })
    }
  }
  return contents.length === 0 ? undefined : rawMessage('system', { contents })
}

function readContent(
  body: MessageBody,
  content: unknown,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (typeof content === 'string') body.contents.push({ text: content, path })
  else if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) readBlock(body, block, [...path, index], report)
  } else report(path, content, 'text_or_list_of_content_blocks')
}

function readBlock(
  body: MessageBody,
  block: unknown,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (!isBlock(block)) {
    report(path, block, 'content_block_with_type')
    return
  }
  const { type, text, thinking }: Unchecked<Block> = block
  if (isCallType(type)) readCall(body, block, path, report)
  else if (isResultType(type)) readResult(body, block, path, report)
  else if (type === 'text') {
    if (typeof text === 'string') body.contents.push({ text, path: [...path, 'text'] })
    else report([...path, 'text'], text, 'text')
  } else if (type === 'thinking') {
    if (typeof thinking === 'string' && thinking !== '') {
      body.reasoning.push({ text: thinking, path: [...path, 'thinking'] })
    }
  } else if (type !== 'redacted_thinking') readOther(body, block, path, report)
}

function isBlock(value: unknown): value is JsonObject & { readonly type: string } {
  return isJsonObject(value) && typeof value.type === 'string'
}

/** Reads the text of a document, a search result or an attached file; a block without text is a part that is not text. */
function readOther(
  body: MessageBody,
  { type, source, content }: Unchecked<Block>,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (isJsonObject(source) && source.type === 'text' && typeof source.data === 'string') {
    body.contents.push({ text: source.data, path: [...path, 'source', 'data'] })
  } else if (typeof content === 'string') {
    body.contents.push({ text: content, path: [...path, 'content'] })
  } else if (type === 'search_result' && Array.isArray(content)) {
    readContent(body, content, [...path, 'content'], report)
  } else {
    body.nonTextParts++
  }
}

function readCall(
  body: MessageBody,
  { id, name, input }: Unchecked<Block>,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (nonEmptyString(id) === undefined) report([...path, 'id'], id, 'id')
  body.calls.push({ id, name, arguments: argumentsText(input), path: [...path, 'input'] })
}

function readResult(
  body: MessageBody,
  { type, tool_use_id: callId, content, is_error: isError }: Unchecked<Block>,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (nonEmptyString(callId) === undefined) {
    report([...path, 'tool_use_id'], callId, 'id_of_a_call')
  }
  const isText = TEXT_RESULT_TYPES.has(scalarText(type))
  const read = isText ? readResultContent(body, content, [...path, 'content'], report) : undefined
  if (!isText) body.nonTextParts++
  body.results.push({
    callId,
    shape: read === undefined ? 'other' : 'text',
    texts: read?.texts ?? [],
    filler: read?.filler ?? '',
    ...(read?.valuePath && { valuePath: read.valuePath }),
    isFlaggedError: isError === true || isServerError(content) || read?.isError === true,
  })
}

interface ResultContent {
  readonly texts: readonly RawText[]
  readonly filler: string
  readonly isError?: boolean
  /** Path of the value that contains the texts, when it is a list of records. */
  readonly valuePath?: JsonPath
}

/** Reads the texts of a result; undefined when it has no text, or text beside other blocks. */
function readResultContent(
  body: MessageBody,
  content: unknown,
  path: JsonPath,
  report: ReportWrongType,
): ResultContent | undefined {
  if (typeof content === 'string') return { texts: [{ text: content, path }], filler: '' }
  if (content === undefined) return undefined
  if (!Array.isArray(content)) {
    report(path, content, 'text_or_list_of_content_blocks')
    return undefined
  }
  if (content.length === 0) return undefined
  if (content.every(isRecord)) return readRecords(body, content, path)
  const texts: RawText[] = []
  let otherBlocks = 0
  for (const [index, block] of content.entries()) {
    const found = textsOfBlock(block, [...path, index])
    if (found.length === 0) {
      checkResultBlock(block, [...path, index], report)
      otherBlocks++
    }
    texts.push(...found)
  }
  if (otherBlocks > 0) {
    body.contents.push(...texts)
    body.nonTextParts += otherBlocks
    return undefined
  }
  return { texts: withoutEmptyParts(texts), filler: EMPTY_PART_TEXT }
}

/** The texts of a block in a result: of a text, a search result, or a document that is text. */
function textsOfBlock(block: unknown, path: JsonPath): RawText[] {
  if (!isJsonObject(block)) return []
  const { type, text, source, content }: Unchecked<Block> = block
  if (typeof text === 'string') return [{ text, path: [...path, 'text'] }]
  if (type === 'search_result') return textBlocks(content, [...path, 'content'])
  if (type !== 'document' || !isJsonObject(source)) return []
  if (source.type === 'content') return textBlocks(source.content, [...path, 'source', 'content'])
  return source.type === 'text' ? memberText(source, 'data', [...path, 'source']) : []
}

/** Reports a block without a type, and a text block without its text. */
function checkResultBlock(block: unknown, path: JsonPath, report: ReportWrongType): void {
  if (!isBlock(block)) report(path, block, 'content_block_with_type')
  else if (block.type === 'text' && typeof block.text !== 'string') {
    report([...path, 'text'], block.text, 'text')
  }
}

/** True for an object that is not a block and contains none: Cline stores results as `{query, result, success}`. */
function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && !containsBlock(value)
}

function containsBlock(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isBlock(value) || Object.values(value).some(containsBlock)
}

function readRecords(
  body: MessageBody,
  content: readonly JsonObject[],
  path: JsonPath,
): ResultContent | undefined {
  const { texts, frame } = structuredResult(content, path)
  body.contents.push({ text: frame })
  if (texts.length === 0) return undefined
  const isError = content.some(({ success }) => success === false)
  return { texts, filler: '', isError, valuePath: path }
}

/** True for the content of a failed server tool, by its type: `web_search_tool_result_error`. */
function isServerError(content: unknown): boolean {
  return isBlock(content) && content.type.endsWith('_error')
}
