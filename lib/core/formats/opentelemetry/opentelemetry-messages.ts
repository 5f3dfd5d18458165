/** Reads messages in the form of the GenAI conventions, a role and parts, from attributes of a span. */

import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  membersOf,
  type Unchecked,
} from '../../text/json-object'
import type { TextSlices } from '../../text/span'
import type { WordKey } from '../../words/words'
import type { MessagePieces } from '../reading/build-conversation'
import { skippedMessageProblem } from '../reading/message-lists'
import {
  MessageBody,
  mapPaths,
  memberText,
  rawMessage,
  structuredResult,
} from '../reading/raw-message'
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
  const body = new MessageBody(() => {})
  for (const [index, value] of parts.entries()) {
    const at = [...path, index]
    const part: Unchecked<GenAiPart> & JsonObject = membersOf(value)
    if (part.type === 'text') body.contents.push(...memberText(part, 'content', at))
    else if (part.type === 'reasoning') body.reasoning.push(...memberText(part, 'content', at))
    else if (part.type === 'tool_call') {
      const call = { id: part.id, name: part.name, arguments: argumentsText(part.arguments ?? '') }
      const place = part.arguments !== undefined && { path: [...at, 'arguments'] }
      body.calls.push({ ...call, ...place })
    } else if (part.type === 'tool_call_response') readResponse(body, part, at)
    else body.nonTextParts++
  }
  return rawMessage(role, body)
}

/** Reads a response. The strings of a value are the result, the rest of it is content. */
function readResponse(body: MessageBody, part: Unchecked<GenAiPart>, at: JsonPath): void {
  const key = part.response === undefined && part.result !== undefined ? 'result' : 'response'
  const value = part[key]
  const { texts, frame } = structuredResult(value, [...at, key])
  const isText = texts.length > 0
  if (!isText) body.nonTextParts++
  else if (typeof value !== 'string') body.contents.push({ text: frame })
  body.addResult(part.id, texts, false)
}
