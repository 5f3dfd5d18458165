/** What a tool of the AI SDK gave, as its messages write it: a raw value, or a typed output. */
import { argumentsText, isJsonObject } from '../conversation/chat-message'
import { isErrorValue } from '../conversation/error-rules'
import type { RawCall, RawResult, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { SourcePlace, TwinPlace } from './build-conversation'
import { structuredResult } from './structured-result'

type JsonObject = Readonly<Record<string, unknown>>

/** Told of a value that is not what its place calls for; `expected` goes on from "expected ". */
export type Report = (path: JsonPath, value: unknown, expected: string) => void

/** A tool's output before it is tied to its call. */
export interface ReadOutput {
  readonly texts: readonly RawText[]
  /** What is sent beside the texts. */
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
  readonly isFlaggedError: boolean
  readonly isErrorObject: boolean
  readonly valuePath?: JsonPath
  /** Strings that say once more, as a value, what the blocks of an MCP server's answer say. */
  readonly repeats?: readonly RawText[] | undefined
}

const NOTHING: ReadOutput = {
  texts: [],
  contents: [],
  nonTextParts: 0,
  isFlaggedError: false,
  isErrorObject: false,
}

/** Any value a tool returned: a text, an answer of an MCP server, or a value read by its strings. */
export function readRawOutput(value: unknown, path: JsonPath): ReadOutput {
  if (typeof value === 'string') return { ...NOTHING, texts: [{ text: value, path }] }
  if (value === undefined) return NOTHING
  if (isJsonObject(value) && isBlockList(value.content)) {
    const read = readBlocks(value.content, [...path, 'content'])
    const { structuredContent: structured } = value
    return {
      ...read,
      isFlaggedError: value.isError === true,
      isErrorObject: isErrorValue(value),
      repeats: structuredResult(structured, [...path, 'structuredContent']).texts,
    }
  }
  const { texts, frame } = structuredResult(value, path)
  const contents = [{ text: frame }]
  return { ...NOTHING, texts, contents, isErrorObject: isErrorValue(value), valuePath: path }
}

/** An output with a type: `text`, `json`, `content`, `error-text`, `error-json`, `execution-denied`. */
export function readTypedOutput(output: unknown, path: JsonPath, report: Report): ReadOutput {
  const type = isJsonObject(output) ? output.type : undefined
  const value = isJsonObject(output) ? output.value : undefined
  const at = [...path, 'value']
  switch (type) {
    case 'text':
    case 'error-text': {
      if (typeof value !== 'string') {
        report(at, value, 'a text')
        return { ...NOTHING, contents: [{ text: argumentsText(value) }] }
      }
      return { ...readRawOutput(value, at), isFlaggedError: type === 'error-text' }
    }
    case 'json':
    case 'error-json': {
      const read = readRawOutput(value, at)
      return { ...read, isFlaggedError: read.isFlaggedError || type === 'error-json' }
    }
    case 'content':
      if (Array.isArray(value)) return readBlocks(value, at)
      report(at, value, 'a list of content parts')
      return NOTHING
    case 'execution-denied': {
      const reason = isJsonObject(output) ? output.reason : undefined
      const read = readRawOutput(reason, [...path, 'reason'])
      return { ...read, isFlaggedError: true }
    }
    default:
      report(path, output, 'an output, an object with a "type" such as "text" or "json"')
      return { ...NOTHING, contents: [{ text: argumentsText(output) }] }
  }
}

function isBlockList(content: unknown): content is readonly JsonObject[] {
  return (
    Array.isArray(content) &&
    content.length > 0 &&
    content.every((block) => isJsonObject(block) && typeof block.type === 'string')
  )
}

/** Text blocks are text; with any other block among them they are not. */
function readBlocks(blocks: readonly unknown[], path: JsonPath): ReadOutput {
  const all = blocks.flatMap((block, index) =>
    isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
      ? [{ text: block.text, path: [...path, index, 'text'] }]
      : [],
  )
  const filled = all.filter(({ text }) => text !== '')
  return {
    ...NOTHING,
    texts: filled.length > 0 ? filled : all.slice(0, 1),
    nonTextParts: blocks.length - all.length,
  }
}

/** The result that an output is, and what its message sends beside it. */
export function resultOf(
  callId: unknown,
  { texts, contents, nonTextParts, repeats: _, ...errors }: ReadOutput,
  isProviderExecuted: boolean,
): {
  readonly result: RawResult
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
} {
  const isText = texts.length > 0 && nonTextParts === 0 && !isProviderExecuted
  return {
    result: { callId, shape: isText ? 'text' : 'other', texts: isText ? texts : [], ...errors },
    contents: isText ? contents : [...contents, ...texts],
    nonTextParts,
  }
}

/** Where an answer repeats itself, given as strings below a place; none where the answer is no text. */
export function repeatsOf(
  { texts, repeats = [] }: Pick<ReadOutput, 'repeats'> & Pick<RawResult, 'texts'>,
  { source, path }: SourcePlace,
): TwinPlace[] {
  if (texts.length === 0) return []
  return repeats.map((repeat) => ({
    ...{ source, path: [...path, ...(repeat.path ?? [])], filler: '' },
  }))
}

/** A call whose arguments are a member of its part: `input`, or `args` up to version 4. */
export function callOf(part: JsonObject, name: unknown, path: JsonPath, report: Report): RawCall {
  const { toolCallId: id } = part
  if (typeof id !== 'string') report([...path, 'toolCallId'], id, 'a text, the id of the call')
  const key = ['input', 'args', 'rawInput'].find((member) => part[member] !== undefined)
  return {
    id,
    name,
    arguments: key === undefined ? '' : argumentsText(part[key]),
    ...(key !== undefined && { path: [...path, key] }),
  }
}
