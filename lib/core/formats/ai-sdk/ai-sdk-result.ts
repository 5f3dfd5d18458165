/** Reads calls and outputs of tools in messages of the AI SDK; an output is a raw value, or an object with a type. */

import { argumentsText } from '../../conversation/chat-message'
import { isErrorValue } from '../../conversation/error-rules'
import type { RawCall, RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath, membersOf, type Unchecked } from '../../text/json-object'
import type { DuplicateString, SourcePath } from '../reading/build-conversation'
import { type MessageBody, structuredResult, textBlocks } from '../reading/raw-message'
import type { ReportWrongType } from '../reading/wrong-type-problem'

/** A part of a message that calls a tool. */
export interface ToolCallPart {
  readonly toolCallId: string
  readonly toolName?: string
  readonly input?: unknown
  /** Name of `input` up to version 4. */
  readonly args?: unknown
  /** Input that was not valid, in a `UIMessage`. */
  readonly rawInput?: unknown
}

/** An output in a `ModelMessage` since version 5. */
interface TypedOutput {
  readonly type: 'text' | 'error-text' | 'json' | 'error-json' | 'content' | 'execution-denied'
  readonly value?: unknown
  /** The user's reason, in type `execution-denied`. */
  readonly reason?: string
}

/** A raw output that comes from an MCP server. */
interface McpAnswer {
  readonly content: readonly ContentBlock[]
  /** The same answer as a value. */
  readonly structuredContent?: object
  readonly isError?: boolean
}

interface ContentBlock {
  readonly type: string
  readonly text?: string
}

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
  readonly structuredTexts?: readonly RawText[]
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
  const answer: Unchecked<McpAnswer> = membersOf(value)
  if (isBlockList(answer.content)) {
    const { content, structuredContent, isError } = answer
    return {
      ...readBlocks(content as readonly unknown[], [...path, 'content']),
      isFlaggedError: isError === true,
      isErrorObject: isErrorValue(value),
      structuredTexts: structuredResult(structuredContent, [...path, 'structuredContent']).texts,
    }
  }
  const { texts, frame } = structuredResult(value, path)
  const contents = [{ text: frame }]
  return { ...NO_OUTPUT, texts, contents, isErrorObject: isErrorValue(value), valuePath: path }
}

/** Reads an output with a type. */
export function readTypedOutput(
  output: unknown,
  path: JsonPath,
  report: ReportWrongType,
): ToolOutput {
  const { type, value, reason }: Unchecked<TypedOutput> = membersOf(output)
  const at = [...path, 'value']
  switch (type) {
    case 'text':
    case 'error-text':
      if (typeof value !== 'string') {
        report(at, value, 'text')
        return { ...NO_OUTPUT, contents: [{ text: argumentsText(value) }] }
      }
      return { ...readRawOutput(value, at), isFlaggedError: type === 'error-text' }
    case 'json':
    case 'error-json': {
      const read = readRawOutput(value, at)
      return { ...read, isFlaggedError: read.isFlaggedError || type === 'error-json' }
    }
    case 'content':
      if (Array.isArray(value)) return readBlocks(value, at)
      report(at, value, 'list_of_content_parts')
      return NO_OUTPUT
    case 'execution-denied':
      return { ...readRawOutput(reason, [...path, 'reason']), isFlaggedError: true }
    default:
      report(path, output, 'output_with_type')
      return { ...NO_OUTPUT, contents: [{ text: argumentsText(output) }] }
  }
}

function isBlockList(content: unknown): content is readonly Unchecked<ContentBlock>[] {
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => isJsonObject(block) && typeof block.type === 'string')
  )
}

/** Reads blocks; with any block but text among them, the output is not text. */
function readBlocks(blocks: readonly unknown[], path: JsonPath): ToolOutput {
  const texts = textBlocks(blocks, path)
  const filled = texts.filter(({ text }) => text !== '')
  return {
    ...NO_OUTPUT,
    texts: filled.length > 0 ? filled : texts.slice(0, 1),
    nonTextParts: blocks.length - texts.length,
  }
}

/** Adds an output to a message as a result and returns its texts; outputs of a provider's own tools are not text. */
export function addResult(
  body: MessageBody,
  callId: unknown,
  { texts, contents, nonTextParts, structuredTexts: _, ...output }: ToolOutput,
  isProviderExecuted: boolean,
): readonly RawText[] {
  const isText = texts.length > 0 && nonTextParts === 0 && !isProviderExecuted
  const [shape, maskable] = isText ? (['text', texts] as const) : (['other', []] as const)
  body.results.push({ callId, shape, texts: maskable, ...output })
  body.contents.push(...contents, ...(isText ? [] : texts))
  body.nonTextParts += nonTextParts
  return maskable
}

/** Returns the strings of `structuredContent` as duplicates; paths of the output are relative to `path`. */
export function structuredDuplicates(
  { structuredTexts = [] }: ToolOutput,
  { source, path }: SourcePath,
): DuplicateString[] {
  return structuredTexts.map(({ path: inner = [] }) => ({
    source,
    path: [...path, ...inner],
    filler: '',
  }))
}

/** Reads a call from its part at a path. */
export function readCall(
  part: Unchecked<ToolCallPart>,
  name: unknown,
  path: JsonPath,
  report: ReportWrongType,
): RawCall {
  const { toolCallId: id } = part
  if (typeof id !== 'string') report([...path, 'toolCallId'], id, 'text_id_of_the_call')
  const key = (['input', 'args', 'rawInput'] as const).find((name) => part[name] !== undefined)
  if (key === undefined) return { id, name, arguments: '' }
  return { id, name, arguments: argumentsText(part[key]), path: [...path, key] }
}
