/**
 * One message of Amazon Bedrock's Converse API:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 * Reads `text`, `reasoningContent`, `toolUse` and `toolResult`. A `cachePoint` is not sent to a model. Every other block
 * (image, document, video) counts as a part that is not text.
 */

import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonPath, membersOf, type Unchecked } from '../../text/json-object'
import {
  EMPTY_PART_TEXT,
  emptyBody,
  type MessageBody,
  rawMessage,
  structuredResult,
  withoutEmptyParts,
} from '../reading/raw-message'
import type { SourceValue } from '../reading/source-document'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

export interface BedrockMessage {
  readonly role: 'user' | 'assistant'
  readonly content: readonly ContentBlock[]
}

/** Has exactly one of these members, or one that is not read. */
interface ContentBlock {
  readonly text?: string
  readonly toolUse?: ToolUse
  readonly toolResult?: ToolResult
  /** Redacted reasoning has no `reasoningText`. */
  readonly reasoningContent?: { readonly reasoningText?: { readonly text: string } }
  readonly cachePoint?: object
}

interface ToolUse {
  readonly toolUseId: string
  readonly name: string
  readonly input: unknown
}

interface ToolResult {
  readonly toolUseId: string
  readonly content: readonly ResultBlock[]
  readonly status?: 'success' | 'error'
}

/** Has exactly one of these members, or one that is not read: an image, a document, a video. */
interface ResultBlock {
  readonly text?: string
  readonly json?: unknown
}

/**
 * Reads the message at a path. Texts, calls and results are in the order of its blocks. `problems` lists the values of a
 * wrong type, which are skipped.
 */
export function readBedrockMessage(
  source: SourceValue,
  path: JsonPath,
  { content }: Unchecked<BedrockMessage>,
  role: string,
): { readonly raw: RawMessage; readonly problems: readonly Problem[] } {
  const problems: Problem[] = []
  const report = reportWrongTypesTo(problems, source, path)
  const body = emptyBody()
  if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) {
      readBlock(body, block, ['content', index], report)
    }
  } else report(['content'], content, 'list_of_content_blocks')
  return { raw: rawMessage(role, body), problems }
}

function readBlock(
  body: MessageBody,
  block: unknown,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (!isJsonObject(block)) {
    report(path, block, 'content_block_object')
    return
  }
  const { text, toolUse, toolResult, reasoningContent, cachePoint }: Unchecked<ContentBlock> = block
  if (text !== undefined) {
    if (typeof text === 'string') body.contents.push({ text, path: [...path, 'text'] })
    else report([...path, 'text'], text, 'text')
  } else if (toolUse !== undefined) readCall(body, toolUse, [...path, 'toolUse'], report)
  else if (toolResult !== undefined) readResult(body, toolResult, [...path, 'toolResult'], report)
  else if (reasoningContent !== undefined) {
    readReasoning(body, reasoningContent, [...path, 'reasoningContent'])
  } else if (cachePoint === undefined) body.nonTextParts++
}

function readReasoning(body: MessageBody, value: unknown, path: JsonPath): void {
  const inner = membersOf(value).reasoningText
  if (isJsonObject(inner) && typeof inner.text === 'string' && inner.text !== '') {
    body.reasoning.push({ text: inner.text, path: [...path, 'reasoningText', 'text'] })
  }
}

function readCall(body: MessageBody, call: unknown, path: JsonPath, report: ReportWrongType): void {
  if (!isJsonObject(call)) {
    report(path, call, 'call_with_tool_use_id')
    return
  }
  const { toolUseId: id, name, input }: Unchecked<ToolUse> = call
  if (nonEmptyString(id) === undefined) report([...path, 'toolUseId'], id, 'id')
  body.calls.push({ id, name, arguments: argumentsText(input), path: [...path, 'input'] })
}

function readResult(
  body: MessageBody,
  result: unknown,
  path: JsonPath,
  report: ReportWrongType,
): void {
  if (!isJsonObject(result)) {
    report(path, result, 'result_with_tool_use_id')
    return
  }
  const { toolUseId: callId, content, status }: Unchecked<ToolResult> = result
  if (nonEmptyString(callId) === undefined) {
    report([...path, 'toolUseId'], callId, 'id_of_a_call')
  }
  const read = readResultContent(body, content, [...path, 'content'], report)
  body.results.push({
    callId,
    shape: read === undefined ? 'other' : 'text',
    texts: read?.texts ?? [],
    filler: EMPTY_PART_TEXT,
    ...(read?.valuePath && { valuePath: read.valuePath }),
    isFlaggedError: status === 'error',
  })
}

interface ResultContent {
  readonly texts: readonly RawText[]
  /** Path of the value that contains the texts, when some are strings of JSON blocks. */
  readonly valuePath?: JsonPath
}

/** Reads the text blocks of a result and the strings of its JSON blocks; undefined when it has other blocks or no text. */
function readResultContent(
  body: MessageBody,
  content: unknown,
  path: JsonPath,
  report: ReportWrongType,
): ResultContent | undefined {
  if (!Array.isArray(content)) {
    report(path, content, 'list_of_content_blocks')
    return undefined
  }
  const isText = (block: Unchecked<ResultBlock>) => typeof block.text === 'string'
  const isJson = (block: Unchecked<ResultBlock>) => block.json !== undefined
  const others = content.filter(
    (block) => !isJsonObject(block) || (!isText(block) && !isJson(block)),
  )
  const texts = content.flatMap((block, index): RawText[] =>
    isJsonObject(block) && typeof block.text === 'string'
      ? [{ text: block.text, path: [...path, index, 'text'] }]
      : [],
  )
  if (others.length > 0) {
    for (const [index, block] of content.entries()) {
      if (!isJsonObject(block)) report([...path, index], block, 'block_object')
      else if (block.text !== undefined && typeof block.text !== 'string')
        report([...path, index, 'text'], block.text, 'text')
    }
    body.contents.push(...texts)
    body.nonTextParts += others.length
    return undefined
  }
  if (content.some(isJson)) {
    const { texts: strings, frame } = structuredResult(content, path)
    body.contents.push({ text: frame })
    return strings.length === 0 ? undefined : { texts: withoutEmptyParts(strings), valuePath: path }
  }
  return texts.length === 0 ? undefined : { texts: withoutEmptyParts(texts) }
}
