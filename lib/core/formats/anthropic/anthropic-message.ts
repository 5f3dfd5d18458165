/**
 * One message of Anthropic Messages, in request bodies, session files and lines of Claude Code:
 * https://docs.anthropic.com/en/api/messages
 * Reads text, thinking, calls and results of all kinds, and the texts of documents and search results. Other blocks,
 * such as images, count as parts that are not text. All other members of a block are ignored.
 */

import type { RawMessage, RawResult, RawText } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import type { MessagePieces } from '../reading/conversation'
import type { MessageList } from '../reading/lists'
import {
  EMPTY_PART_TEXT,
  MessageBody,
  memberText,
  rawMessage,
  structuredResult,
  textAt,
  textBlocks,
  withoutEmptyParts,
} from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'

const CALL_TYPES = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])
/** Results whose content is text blocks; every other `*_tool_result` belongs to a server tool. */
const TEXT_RESULT_TYPES = new Set(['tool_result', 'mcp_tool_result'])

/** True for a block type that is a result, of the client's tools or of a server's. */
function isResultType(type: unknown): boolean {
  return typeof type === 'string' && /(?:^|_)tool_result$/.test(type)
}

function isCallType(type: unknown): boolean {
  return typeof type === 'string' && CALL_TYPES.has(type)
}

/** True for a block type that is a call or a result. */
export function isToolType(type: unknown): boolean {
  return isCallType(type) || isResultType(type)
}

/**
 * Reads the message at a path. Texts, calls and results are in the order of the blocks. Results of server tools stay in
 * the assistant message, since one request produced both. Values of a wrong type are reported and skipped.
 */
export function readAnthropicMessage(
  { content }: JsonObject,
  role: string,
  report: ReportWrongType,
): RawMessage {
  const body = new MessageBody(report)
  readContent(body, content, ['content'])
  return rawMessage(role, body)
}

/** Reads the system prompt of a request as a message at its place; none when it has no text. */
export function readSystemPrompt(
  { items: [first], owner = {} }: MessageList,
  key: string,
): MessagePieces[] {
  const value = owner[key]
  const contents = itemsOf(value).flatMap((block, index) => textAt(block, 'text', [index]))
  if (typeof value === 'string') contents.push({ text: value, path: [] })
  if (contents.length === 0 || first === undefined) return []
  const raw = rawMessage('system', { contents })
  return [[{ raw, source: first.source, path: [...first.path.slice(0, -2), key] }]]
}

function readContent(body: MessageBody, content: unknown, path: JsonPath): void {
  body.addContent(content, path, 'text_or_list_of_content_blocks', (block, at) =>
    readBlock(body, block, at),
  )
}

function readBlock(body: MessageBody, block: unknown, path: JsonPath): void {
  if (!isBlock(block)) body.report(path, block, 'content_block_with_type')
  else if (isCallType(block.type)) body.addCall(block, path, ['id', 'name', 'input'])
  else if (isResultType(block.type)) readResult(body, block, path)
  else if (block.type === 'text') body.addText(block, path)
  else if (block.type === 'thinking') body.reasoning.push(...memberText(block, 'thinking', path))
  else if (block.type !== 'redacted_thinking') readOther(body, block, path)
}

function isBlock(value: unknown): value is JsonObject & { readonly type: string } {
  return isJsonObject(value) && typeof value.type === 'string'
}

/** Reads the text of a document, a search result or an attached file; a block without text is a part that is not text. */
function readOther(body: MessageBody, { type, source, content }: JsonObject, path: JsonPath): void {
  const { type: kind, data } = membersOf(source)
  if (kind === 'text' && typeof data === 'string')
    body.contents.push({ text: data, path: [...path, 'source', 'data'] })
  else if (typeof content === 'string' || (type === 'search_result' && Array.isArray(content)))
    readContent(body, content, [...path, 'content'])
  else body.nonTextParts++
}

function readResult(
  body: MessageBody,
  { type, tool_use_id: callId, content, is_error: isError, toolUseID, run }: JsonObject,
  path: JsonPath,
): void {
  if (isJsonObject(run)) {
    readRun(body, toolUseID, run, path)
    return
  }
  body.requireId(callId, [...path, 'tool_use_id'], 'id_of_a_call')
  const isText = TEXT_RESULT_TYPES.has(scalarText(type))
  if (!isText) body.nonTextParts++
  const read: Partial<Pick<RawResult, 'texts' | 'filler' | 'valuePath'> & { isError?: boolean }> =
    (isText && readResultContent(body, content, [...path, 'content'])) || {}
  // The content of a failed server tool is a block: `web_search_tool_result_error`.
  const isServerError = isBlock(content) && content.type.endsWith('_error')
  const { texts = [], isError: isFailed = isServerError, ...more } = read
  body.addResult(callId, texts, isError === true || isFailed, more)
}

/** Reads a result of Amp: the value that its tool gave, or its error. */
function readRun(
  body: MessageBody,
  callId: unknown,
  { status, result, error }: JsonObject,
  path: JsonPath,
): void {
  body.requireId(callId, [...path, 'toolUseID'], 'id_of_a_call')
  const key = result === undefined ? 'error' : 'result'
  const value = result ?? error
  const at = [...path, 'run', key]
  const isError = status !== 'done'
  if (isJsonObject(value)) {
    const { texts, frame } = structuredResult(value, at)
    body.contents.push({ text: frame })
    body.addResult(callId, texts, isError, { valuePath: at })
    return
  }
  const { texts = [], ...more } = readResultContent(body, value, at) ?? {}
  body.addResult(callId, texts, isError, more)
}

/** Reads the texts of a result; undefined when it has no text, or text beside other blocks. */
function readResultContent(body: MessageBody, content: unknown, path: JsonPath) {
  if (typeof content === 'string') return { texts: [{ text: content, path }] }
  if (content === undefined) return undefined
  if (!Array.isArray(content)) body.report(path, content, 'text_or_list_of_content_blocks')
  if (!Array.isArray(content) || content.length === 0) return undefined
  if (content.every(isRecord)) return readRecords(body, content, path)
  const found = content.map((block, index) => textsOfBlock(block, [...path, index]))
  const texts = found.flat()
  const others = content.flatMap((_, index) => (found[index]?.length === 0 ? [index] : []))
  if (others.length === 0) return { texts: withoutEmptyParts(texts), filler: EMPTY_PART_TEXT }
  for (const index of others) checkResultBlock(body, content[index], [...path, index])
  body.contents.push(...texts)
  body.nonTextParts += others.length
  return undefined
}

/** The texts of a block in a result: of a text, a search result, or a document that is text. */
function textsOfBlock(block: unknown, path: JsonPath): RawText[] {
  if (!isJsonObject(block)) return []
  const { type, text, source, content } = block
  if (typeof text === 'string') return textAt(block, 'text', path)
  if (type === 'search_result') return textBlocks(content, [...path, 'content'])
  if (type !== 'document' || !isJsonObject(source)) return []
  if (source.type === 'content') return textBlocks(source.content, [...path, 'source', 'content'])
  return source.type === 'text' ? memberText(source, 'data', [...path, 'source']) : []
}

/** Reports a block without a type, and a text block without its text. */
function checkResultBlock(body: MessageBody, block: unknown, path: JsonPath): void {
  if (!isBlock(block)) body.report(path, block, 'content_block_with_type')
  else if (block.type === 'text') body.addText(block, path)
}

/** True for an object that is not a block and contains none: Cline stores results as `{query, result, success}`. */
function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && !containsBlock(value)
}

function containsBlock(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isBlock(value) || Object.values(value).some(containsBlock)
}

function readRecords(body: MessageBody, content: readonly JsonObject[], path: JsonPath) {
  const { texts, frame } = structuredResult(content, path)
  body.contents.push({ text: frame })
  if (texts.length === 0) return undefined
  const isError = content.some(({ success }) => success === false)
  return { texts, isError, valuePath: path }
}
