/** Reads messages in the form of the GenAI conventions, a role and parts, from attributes of a span. */

import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import type { RawCall, RawMessage, RawResult, RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonPath, membersOf, type Unchecked } from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import type { WordKey } from '../../words/words'
import type { MessagePieces } from '../reading/build-conversation'
import { skippedMessageProblem } from '../reading/message-lists'
import { mapPaths, memberText, rawMessage, structuredResult } from '../reading/raw-message'
import { wrongTypeProblem } from '../reading/wrong-type-problem'
import { type AttributeValue, pathOfValue, structuredValue } from './opentelemetry-attributes'

/** A message of https://github.com/open-telemetry/semantic-conventions/blob/v1.37.0/docs/gen-ai/gen-ai-input-messages.json */
interface GenAiMessage {
  readonly role: string
  readonly parts: readonly GenAiPart[]
}

/** A part; other types, such as `blob`, are not text. */
interface GenAiPart {
  readonly type: 'text' | 'reasoning' | 'tool_call' | 'tool_call_response' | (string & {})
  /** `text` and `reasoning`. */
  readonly content?: string
  /** `tool_call` and `tool_call_response`. */
  readonly id?: string | null
  /** `tool_call`. */
  readonly name?: string
  readonly arguments?: unknown
  /** `tool_call_response`: a text or any value; `result` in the first versions. */
  readonly response?: unknown
  readonly result?: unknown
}

/** Reads the messages of one attribute; a problem and undefined when it is not a list. */
export function readMessages(
  text: TextSlices,
  attribute: AttributeValue,
  problems: Problem[],
): MessagePieces[] | undefined {
  const list = structuredValue(text, attribute)
  if (list === undefined || !Array.isArray(list.value)) {
    problems.push(wrongAttributeProblem(attribute, 'list_of_messages_as_json'))
    return undefined
  }
  const { source, path } = list
  return list.value.flatMap((message: unknown, index): MessagePieces[] => {
    const raw = readGenAiMessage(message)
    if (raw === undefined || !isJsonObject(message)) {
      const at = [...path, ...list.writtenPath([index])]
      problems.push(skippedMessageProblem({ source, path: at, value: message }))
      return []
    }
    const { parts }: Unchecked<GenAiMessage> = message
    if (parts !== undefined && !Array.isArray(parts)) {
      const at = [...path, ...list.writtenPath([index, 'parts'])]
      problems.push(wrongTypeProblem(source, at, parts, 'list_of_parts'))
    }
    return [placeMessage(raw, list, [index])]
  })
}

/** Reads the system instructions as the first message; none when the attribute is missing. */
export function readInstructions(
  text: TextSlices,
  attribute: AttributeValue | undefined,
  problems: Problem[],
): MessagePieces[] {
  if (attribute === undefined) return []
  const parts = structuredValue(text, attribute)
  if (parts !== undefined && Array.isArray(parts.value)) {
    return [placeMessage(readParts('system', parts.value, []), parts, [])]
  }
  problems.push(wrongAttributeProblem(attribute, 'list_of_parts_as_json'))
  return []
}

/** Places a message that was read from the member at `at` of a value. */
export function placeMessage(raw: RawMessage, value: AttributeValue, at: JsonPath): MessagePieces {
  const messagePath = value.writtenPath(at)
  const written = mapPaths(raw, (path) =>
    value.writtenPath([...at, ...path]).slice(messagePath.length),
  )
  return [{ raw: written, source: value.source, path: [...value.path, ...messagePath] }]
}

function wrongAttributeProblem(attribute: AttributeValue, expected: WordKey): Problem {
  return wrongTypeProblem(attribute.source, pathOfValue(attribute), attribute.value, expected)
}

/** Reads a message of parts, or a chat completions message with `content`. */
function readGenAiMessage(value: unknown): RawMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { role, parts }: Unchecked<GenAiMessage> = value
  if (typeof role !== 'string') return undefined
  return Array.isArray(parts) ? readParts(role, parts, ['parts']) : readChatMessage(value)
}

function readParts(role: string, parts: readonly unknown[], path: JsonPath): RawMessage {
  const contents: RawText[] = []
  const reasoning: RawText[] = []
  const calls: RawCall[] = []
  const results: RawResult[] = []
  let nonTextParts = 0
  for (const [index, value] of parts.entries()) {
    const at = [...path, index]
    const part: Unchecked<GenAiPart> = membersOf(value)
    if (part.type === 'text') contents.push(...memberText(part, 'content', at))
    else if (part.type === 'reasoning') reasoning.push(...memberText(part, 'content', at))
    else if (part.type === 'tool_call') calls.push(readCall(part, at))
    else if (part.type === 'tool_call_response') {
      const { result, frame } = readResponse(part, at)
      results.push(result)
      contents.push(...frame)
      if (result.shape === 'other') nonTextParts++
    } else nonTextParts++
  }
  return rawMessage(role, { contents, reasoning, calls, results, nonTextParts })
}

function readCall(part: Unchecked<GenAiPart>, at: JsonPath): RawCall {
  const call = { id: part.id, name: part.name, arguments: argumentsText(part.arguments ?? '') }
  return part.arguments === undefined ? call : { ...call, path: [...at, 'arguments'] }
}

/** Reads a response. The strings of a value are the result, the rest of it is content. */
function readResponse(
  part: Unchecked<GenAiPart>,
  at: JsonPath,
): { result: RawResult; frame: RawText[] } {
  const key = part.response === undefined && part.result !== undefined ? 'result' : 'response'
  const value = part[key]
  const path = [...at, key]
  const link = { callId: part.id, isFlaggedError: false }
  if (typeof value === 'string') {
    return { result: { ...link, shape: 'text', texts: [{ text: value, path }] }, frame: [] }
  }
  const { texts, frame } = structuredResult(value, path)
  const isText = typeof value === 'object' && texts.length > 0
  return {
    result: { ...link, shape: isText ? 'text' : 'other', texts: isText ? texts : [] },
    frame: isText ? [{ text: frame }] : [],
  }
}
