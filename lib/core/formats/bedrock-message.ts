/**
 * One message of Amazon Bedrock's Converse API:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 * A block is named by its one key. Read: `text`, `reasoningContent`, `toolUse`, `toolResult`. A cache point is nothing
 * a model is sent; every other block (image, document, video) is a part that is no text.
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
const LATER_TEXT = '…'

export interface BedrockMessageReading {
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

/** Reads the message that stands at a path; its texts, calls and results are in the order of its blocks. */
export function readBedrockMessage(
  source: SourceValue,
  path: JsonPath,
  message: JsonObject,
  role: string,
): BedrockMessageReading {
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
  const { content } = message
  if (Array.isArray(content)) {
    for (const [index, block] of content.entries()) readBlock(reading, block, ['content', index])
  } else complain(reading, ['content'], content, 'a list of content blocks')
  const { contents, reasoning, calls, results, problems, nonTextParts } = reading
  const isAssistant = role === 'assistant'
  return {
    raw: {
      ...{ role, isAssistant, name: undefined },
      ...{ contents, reasoning, nonTextParts, calls, results },
    },
    problems,
  }
}

function complain(reading: Reading, at: JsonPath, value: unknown, expected: string): void {
  reading.problems.push(wrongType(reading.source, [...reading.path, ...at], value, expected))
}

function readBlock(reading: Reading, block: unknown, at: JsonPath): void {
  if (!isJsonObject(block)) {
    complain(reading, at, block, 'a content block, an object')
    return
  }
  const { text, toolUse, toolResult, reasoningContent } = block
  if (text !== undefined) {
    if (typeof text === 'string') reading.contents.push({ text, path: [...at, 'text'] })
    else complain(reading, [...at, 'text'], text, 'a text')
  } else if (toolUse !== undefined) readCall(reading, toolUse, [...at, 'toolUse'])
  else if (toolResult !== undefined) readResult(reading, toolResult, [...at, 'toolResult'])
  else if (reasoningContent !== undefined) {
    readReasoning(reading, reasoningContent, [...at, 'reasoningContent'])
  } else if (!Object.hasOwn(block, 'cachePoint')) reading.nonTextParts++
}

/** What is redacted has no text. */
function readReasoning(reading: Reading, value: unknown, at: JsonPath): void {
  const inner = isJsonObject(value) ? value.reasoningText : undefined
  if (isJsonObject(inner) && typeof inner.text === 'string' && inner.text !== '') {
    reading.reasoning.push({ text: inner.text, path: [...at, 'reasoningText', 'text'] })
  }
}

function readCall(reading: Reading, call: unknown, at: JsonPath): void {
  if (!isJsonObject(call)) {
    complain(reading, at, call, 'a call, an object with a "toolUseId"')
    return
  }
  const { toolUseId: id, name, input } = call
  if (usableId(id) === undefined) complain(reading, [...at, 'toolUseId'], id, 'an id')
  reading.calls.push({ id, name, arguments: argumentsText(input), path: [...at, 'input'] })
}

function readResult(reading: Reading, result: unknown, at: JsonPath): void {
  if (!isJsonObject(result)) {
    complain(reading, at, result, 'a result, an object with a "toolUseId"')
    return
  }
  const { toolUseId: callId, content, status } = result
  if (usableId(callId) === undefined) {
    complain(reading, [...at, 'toolUseId'], callId, 'the id of a call')
  }
  const read = readResultContent(reading, content, [...at, 'content'])
  reading.results.push({
    callId,
    shape: read === undefined ? 'other' : 'text',
    texts: read?.texts ?? [],
    filler: LATER_TEXT,
    ...(read?.valuePath && { valuePath: read.valuePath }),
    isFlaggedError: status === 'error',
  })
}

interface ResultContent {
  readonly texts: readonly RawText[]
  /** Where they stand, when they are strings of a value. */
  readonly valuePath?: JsonPath
}

/** The texts of a result, blocks of text and the strings of JSON blocks; undefined when it has none, or holds anything else. */
function readResultContent(
  reading: Reading,
  content: unknown,
  at: JsonPath,
): ResultContent | undefined {
  if (!Array.isArray(content)) {
    complain(reading, at, content, 'a list of content blocks')
    return undefined
  }
  const isText = (block: unknown) => isJsonObject(block) && typeof block.text === 'string'
  const isJson = (block: unknown) => isJsonObject(block) && block.json !== undefined
  const others = content.filter((block) => !isText(block) && !isJson(block))
  const texts = content.flatMap((block, index): RawText[] =>
    isText(block) ? [{ text: block.text, path: [...at, index, 'text'] }] : [],
  )
  if (others.length > 0) {
    for (const [index, block] of content.entries()) {
      if (!isJsonObject(block)) complain(reading, [...at, index], block, 'a block, an object')
      else if (block.text !== undefined && typeof block.text !== 'string')
        complain(reading, [...at, index, 'text'], block.text, 'a text')
    }
    reading.contents.push(...texts)
    reading.nonTextParts += others.length
    return undefined
  }
  if (content.some(isJson)) {
    const { texts: strings, frame } = structuredResult(content, at)
    reading.contents.push({ text: frame })
    return strings.length === 0 ? undefined : { texts: withoutFillers(strings), valuePath: at }
  }
  return texts.length === 0 ? undefined : { texts: withoutFillers(texts) }
}

/** What stands in the place of a masked result's later texts is none of it. */
function withoutFillers([first, ...later]: readonly RawText[]): RawText[] {
  return [first as RawText, ...later.filter(({ text }) => text !== LATER_TEXT)]
}
