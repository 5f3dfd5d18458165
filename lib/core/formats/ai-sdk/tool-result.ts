/** Reads calls and outputs of tools in messages of the AI SDK; an output is a raw value, or an object with a type. */

import { argumentsText } from '../../conversation/chat-message'
import { isErrorValue } from '../../conversation/error-rules'
import type { RawResult, RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import type { MessageBody } from '../reading/raw-message'
import { structuredResult, textsOfContent, withoutEmptyTexts } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/report'

/** An output, before it is matched to its call. */
export interface ToolOutput {
  readonly texts: readonly RawText[]
  /** Texts that are sent beside `texts`, and stay. */
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
  readonly isFlaggedError: boolean
  readonly isErrorObject: boolean
  readonly valuePath?: JsonPath
  /** Strings of `structuredContent`, which repeat `texts`. */
  readonly copies?: RawResult['copies']
}

const NO_OUTPUT: ToolOutput = {
  texts: [],
  contents: [],
  nonTextParts: 0,
  isFlaggedError: false,
  isErrorObject: false,
}

/** Reads the value that a tool returned: a text, the answer of an MCP server, or a value with strings. */
export function readRawOutput(value: unknown, path: JsonPath): ToolOutput {
  if (typeof value === 'string') return { ...NO_OUTPUT, texts: [{ text: value, path }] }
  if (value === undefined) return NO_OUTPUT
  const answer = membersOf(value)
  if (isBlockList(answer.content)) {
    const { content, structuredContent, isError } = answer
    return {
      ...readBlocks(content as readonly unknown[], [...path, 'content']),
      isFlaggedError: isError === true,
      isErrorObject: isErrorValue(value),
      copies: structuredResult(structuredContent, [...path, 'structuredContent']).texts.map(
        (text) => ({ ...text, filler: '' }),
      ),
    }
  }
  const { texts, frame } = structuredResult(value, path)
  const contents = [{ text: frame }]
  return { ...NO_OUTPUT, texts, contents, isErrorObject: isErrorValue(value), valuePath: path }
}

/** Reads an output with a type. */
export function readTypedOutput(output: unknown, path: JsonPath, report: ReportWrongType) {
  const { type, value, reason } = membersOf(output)
  const at = [...path, 'value']
  const [, error, kind] = /^(error-)?(text|json)$/.exec(scalarText(type)) ?? []
  if (kind === 'json' || (kind === 'text' && typeof value === 'string')) {
    const read = readRawOutput(value, at)
    return { ...read, isFlaggedError: read.isFlaggedError || error !== undefined }
  }
  if (type === 'execution-denied')
    return { ...readRawOutput(reason, [...path, 'reason']), isFlaggedError: true }
  if (type === 'content') {
    if (Array.isArray(value)) return readBlocks(value, at)
    report(at, value, 'list_of_content_parts')
    return NO_OUTPUT
  }
  if (kind === undefined) report(path, output, 'output_with_type')
  else report(at, value, 'text')
  return { ...NO_OUTPUT, contents: [{ text: argumentsText(kind === undefined ? output : value) }] }
}

function isBlockList(content: unknown): content is readonly JsonObject[] {
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => isJsonObject(block) && typeof block.type === 'string')
  )
}

/** Reads blocks; with any block but text among them, the output is not text. */
function readBlocks(blocks: readonly unknown[], path: JsonPath): ToolOutput {
  const { texts, others } = textsOfContent(blocks, path)
  return { ...NO_OUTPUT, texts: withoutEmptyTexts(texts), nonTextParts: others }
}

/** Adds an output to a message as a result; outputs of a provider's own tools are not text. */
export function addResult(
  body: MessageBody,
  callId: unknown,
  { texts, contents, nonTextParts, copies = [], ...output }: ToolOutput,
  isProviderExecuted: boolean,
): void {
  const isText = texts.length > 0 && nonTextParts === 0 && !isProviderExecuted
  const more = { ...output, copies: isText ? copies : [] }
  body.addResult(callId, isText ? texts : [], output.isFlaggedError, more)
  body.contents.push(...contents, ...(isText ? [] : texts))
  body.nonTextParts += nonTextParts
}

/** Adds a call from its part at a path. */
export function addCall(body: MessageBody, part: JsonObject, toolName: unknown, path: JsonPath) {
  const { toolCallId: id } = part
  if (typeof id !== 'string') body.report([...path, 'toolCallId'], id, 'text_id_of_the_call')
  // Versions up to 4 write `args`; `rawInput` was not valid.
  const key = ['input', 'args', 'rawInput'].find((name) => part[name] !== undefined) ?? 'input'
  body.addCall({ ...part, toolName }, path, ['toolCallId', 'toolName', key], null)
}
