/**
 * One `ModelMessage` (`CoreMessage` in version 4): https://ai-sdk.dev/docs/reference/ai-sdk-core/model-message
 * Results of providers' own tools stand in the assistant message; they are no text, since providers take them back
 * only unchanged.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import type { TakeRepeats } from './ai-sdk-repeats'
import {
  callOf,
  type ReadOutput,
  type Report,
  readRawOutput,
  readTypedOutput,
  repeatsOf,
  resultOf,
} from './ai-sdk-result'
import type { SourcePlace, TwinPlace } from './build-conversation'

type JsonObject = Readonly<Record<string, unknown>>

export interface ReadModelMessage {
  readonly raw: RawMessage
  /** By result. */
  readonly twins: readonly (readonly TwinPlace[])[]
}

/** Reads a message whose role is a text; parts that are broken are reported and left alone. */
export function readModelMessage(
  message: JsonObject,
  place: SourcePlace,
  report: Report,
  takeRepeats: TakeRepeats,
): ReadModelMessage {
  const { role, content } = message
  const contents: RawText[] = []
  const reasoning: RawText[] = []
  const calls: RawCall[] = []
  const results: RawResult[] = []
  const twins: TwinPlace[][] = []
  const reasons = new Map<string, JsonPath>()
  let nonTextParts = 0
  const isAssistant = role === 'assistant'

  const readPart = (part: JsonObject, at: JsonPath): void => {
    switch (part.type) {
      case 'text':
        if (typeof part.text === 'string') contents.push({ text: part.text, path: [...at, 'text'] })
        else report([...at, 'text'], part.text, 'a text')
        break
      case 'reasoning':
        if (typeof part.text === 'string')
          reasoning.push({ text: part.text, path: [...at, 'text'] })
        break
      case 'image':
      case 'file':
        nonTextParts++
        break
      case 'tool-call':
        calls.push(callOf(part, part.toolName, at, report))
        break
      case 'tool-result': {
        const output = readOutput(part, at, report)
        const read = resultOf(part.toolCallId, output, isAssistant)
        results.push(read.result)
        contents.push(...read.contents)
        nonTextParts += read.nonTextParts
        const { texts } = read.result
        twins.push([
          ...twinsInContent(part, [...place.path, ...at], place, texts),
          ...repeatsOf({ texts, repeats: output.repeats }, place),
          ...(texts.length > 0 ? takeRepeats(part.toolCallId, texts) : []),
        ])
        break
      }
      case 'tool-approval-response':
        if (typeof part.reason === 'string') reasons.set(part.reason, [...at, 'reason'])
        break
    }
  }

  if (typeof content === 'string') contents.push({ text: content, path: ['content'] })
  else if (Array.isArray(content)) {
    for (const [index, part] of content.entries()) {
      const at = ['content', index]
      if (isJsonObject(part)) readPart(part, at)
      else report(at, part, 'a part, an object with a "type"')
    }
  } else if (content !== undefined && content !== null)
    report(['content'], content, 'a text or a list of parts')
  for (const [index, { texts, isFlaggedError }] of results.entries()) {
    const reason = isFlaggedError ? reasons.get(texts[0]?.text ?? '') : undefined
    if (reason !== undefined)
      twins[index]?.push({ source: place.source, path: [...place.path, ...reason] })
  }
  return {
    raw: {
      role: String(role),
      isAssistant,
      name: undefined,
      contents,
      reasoning,
      nonTextParts,
      calls,
      results,
    },
    twins,
  }
}

/** Version 4 writes `result` and `isError`, later ones a typed `output`. */
function readOutput(part: JsonObject, at: JsonPath, report: Report): ReadOutput {
  if (typeof part.toolCallId !== 'string')
    report([...at, 'toolCallId'], part.toolCallId, 'a text, the id of the call it answers')
  if (!Object.hasOwn(part, 'result') || Object.hasOwn(part, 'output'))
    return readTypedOutput(part.output, [...at, 'output'], report)
  const read = readRawOutput(part.result, [...at, 'result'])
  const images = Array.isArray(part.experimental_content)
    ? part.experimental_content.filter((block) => !isJsonObject(block) || block.type !== 'text')
    : []
  return {
    ...read,
    nonTextParts: read.nonTextParts + images.length,
    isFlaggedError: read.isFlaggedError || part.isError === true,
  }
}

/** Version 4 repeats a result as `experimental_content`, in prompts of providers as `content`. */
function twinsInContent(
  part: JsonObject,
  path: JsonPath,
  { source }: SourcePlace,
  texts: readonly RawText[],
): TwinPlace[] {
  return ['experimental_content', 'content'].flatMap((key) => {
    const blocks = part[key]
    if (!Array.isArray(blocks)) return []
    return blocks.flatMap((block, index) =>
      isJsonObject(block) && texts.some(({ text }) => text === block.text)
        ? [{ source, path: [...path, key, index, 'text'] }]
        : [],
    )
  })
}
