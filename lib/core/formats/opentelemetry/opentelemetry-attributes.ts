/**
 * Attributes of spans and events: an object, objects within objects (Phoenix), a list of keys with typed values (OTLP,
 * https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), or a list of keys with plain values (Jaeger's `tags`).
 */

import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import type { WordKey } from '../../words/words'
import type { MessagePieces } from '../reading/conversation'
import { skippedMessageProblem } from '../reading/lists'
import {
  MessageBody,
  mapPaths,
  memberText,
  rawMessage,
  structuredResult,
} from '../reading/raw-message'
import { wrongTypeProblem } from '../reading/report'
import { embeddedValue, type SourceValue } from '../reading/source-document'

/** The value of an attribute as plain JSON. */
export class AttributeValue {
  constructor(
    readonly source: SourceValue,
    /** Path of the value as written in the source. */
    readonly path: JsonPath,
    readonly value: unknown,
    /** Turns a path in `value` into the path below `path`, which differs in OTLP. */
    readonly writtenPath: (path: JsonPath) => JsonPath = (inner) => inner,
  ) {}

  /** Path of a value in it, or of the complete value. */
  pathOf(inner: JsonPath = []): JsonPath {
    return [...this.path, ...this.writtenPath(inner)]
  }

  /** Returns the object or list of an attribute, parsed if it is JSON in a string; undefined when there is none. */
  structured(): AttributeValue | undefined {
    const { source, value } = this
    if (typeof value === 'object' && value !== null) return this
    if (typeof value !== 'string') return undefined
    const embedded = embeddedValue(source, this.pathOf())
    return embedded && new AttributeValue(embedded, [], embedded.value)
  }

  /** Places a message that was read from the member at `at`. */
  place(raw: RawMessage, at: JsonPath): MessagePieces {
    const messagePath = this.writtenPath(at)
    const written = mapPaths(raw, (path) =>
      this.writtenPath([...at, ...path]).slice(messagePath.length),
    )
    return [{ raw: written, source: this.source, path: [...this.path, ...messagePath] }]
  }

  problem(expected: WordKey): Problem {
    return wrongTypeProblem(this.source, this.pathOf(), this.value, expected)
  }
}

/** Returns the attributes of a span or event by key; JSON in strings is not parsed. */
export function attributesOf(
  source: SourceValue,
  path: JsonPath,
  owner: JsonObject,
): ReadonlyMap<string, AttributeValue> {
  const found = new Map<string, AttributeValue>()
  for (const { key, path: at, value, isListed } of rawAttributes(owner)) {
    const isTyped = isListed && isJsonObject(value)
    const place = [...path, ...at]
    const attribute = isTyped
      ? new AttributeValue(source, place, plainValue(value), (inner) => otlpPath(value, inner))
      : new AttributeValue(source, place, value)
    found.set(key, attribute)
  }
  return found
}

interface FoundAttribute {
  readonly key: string
  /** Path below the owner. */
  readonly path: JsonPath
  readonly value: unknown
  /** True for an item of a list of keys and values. */
  readonly isListed: boolean
}

export function rawAttributes(owner: JsonObject): FoundAttribute[] {
  const name = Object.hasOwn(owner, 'attributes') ? 'attributes' : 'tags'
  const attributes = owner[name]
  if (isJsonObject(attributes)) return nestedAttributes(attributes, [name], '')
  if (!Array.isArray(attributes)) return []
  return attributes.flatMap((attribute: unknown, index): FoundAttribute[] => {
    const { key, value } = membersOf(attribute)
    return typeof key === 'string'
      ? [{ key, path: [name, index, 'value'], value, isListed: true }]
      : []
  })
}

/** First parts of keys that Phoenix writes as objects within objects, and its lists of messages. */
const NESTED_KEY = /^(?:gen_ai|llm|input|ai|pydantic_ai|llm\.input_messages)$/

/** Keys of OpenInference, in which indexes of lists are parts of the key. */
const INDEXED_KEY = /^llm\./

function nestedAttributes(value: JsonObject | readonly unknown[], path: JsonPath, prefix: string) {
  const members = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...members].flatMap(([step, member]: [number | string, unknown]): FoundAttribute[] => {
    const key = `${prefix}${step}`
    const at = [...path, step]
    const isNested = prefix !== '' || NESTED_KEY.test(key)
    if (isNested && isJsonObject(member)) return nestedAttributes(member, at, `${key}.`)
    if (isNested && Array.isArray(member) && INDEXED_KEY.test(key))
      return nestedAttributes(member, at, `${key}.`)
    return [{ key, path: at, value: member, isListed: false }]
  })
}

function plainValue(typed: unknown): unknown {
  if (!isJsonObject(typed)) return typed
  const value = typed
  if (isJsonObject(value.arrayValue)) return listIn(value.arrayValue).map(plainValue)
  if (isJsonObject(value.kvlistValue)) {
    const members = listIn(value.kvlistValue).filter(isJsonObject)
    return Object.fromEntries(
      members.map((member) => [scalarText(member.key), plainValue(member.value)]),
    )
  }
  const { stringValue, boolValue } = value
  if (typeof stringValue !== 'object' && stringValue !== undefined) return stringValue
  // A text under another name would have no path.
  if (typeof boolValue === 'boolean') return boolValue
  const number = value.intValue ?? value.doubleValue
  // A whole number in a string is not a text.
  return number === undefined ? null : Number(scalarText(number))
}

function listIn(value: unknown): readonly unknown[] {
  return itemsOf(membersOf(value).values)
}

function otlpPath(typed: unknown, path: JsonPath): JsonPath {
  // A value without its type stays as it is.
  if (!isJsonObject(typed)) return path
  const [step, ...rest] = path
  const { arrayValue, kvlistValue } = typed
  if (step === undefined) return 'stringValue' in typed ? ['stringValue'] : []
  if (typeof step === 'number') {
    return ['arrayValue', 'values', step, ...otlpPath(listIn(arrayValue)[step], rest)]
  }
  const members = listIn(kvlistValue)
  const index = members.findLastIndex(
    (member) => isJsonObject(member) && scalarText(member.key) === step,
  )
  const member = members[index]
  const inner = membersOf(member).value
  return ['kvlistValue', 'values', index, 'value', ...otlpPath(inner, rest)]
}

/** Reads the messages of one attribute; a problem and undefined when it is not a list. */
export function readMessages(attribute: AttributeValue, problems: Problem[]) {
  const list = attribute.structured()
  if (list === undefined || !Array.isArray(list.value)) {
    problems.push(attribute.problem('list_of_messages_as_json'))
    return undefined
  }
  const { source } = list
  return list.value.flatMap((message: unknown, index): MessagePieces[] => {
    // A message of parts, or a chat completions message with `content`.
    const { role, parts } = membersOf(message)
    const raw =
      typeof role === 'string' && Array.isArray(parts)
        ? readParts(role, parts, ['parts'])
        : readChatMessage(message)
    if (raw === undefined) {
      problems.push(skippedMessageProblem({ source, path: list.pathOf([index]), value: message }))
      return []
    }
    if (parts !== undefined && !Array.isArray(parts)) {
      const at = list.pathOf([index, 'parts'])
      problems.push(wrongTypeProblem(source, at, parts, 'list_of_parts'))
    }
    return [list.place(raw, [index])]
  })
}

/** Reads the system instructions as the first message; none when the attribute is missing. */
export function readInstructions(attribute: AttributeValue | undefined, problems: Problem[]) {
  if (attribute === undefined) return []
  const parts = attribute.structured()
  if (parts !== undefined && Array.isArray(parts.value)) {
    return [parts.place(readParts('system', parts.value, []), [])]
  }
  problems.push(attribute.problem('list_of_parts_as_json'))
  return []
}

/**
 * Reads parts; those of other types, such as `blob`, are not text:
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.37.0/docs/gen-ai/gen-ai-input-messages.json
 */
function readParts(role: string, parts: readonly unknown[], path: JsonPath): RawMessage {
  const body = new MessageBody(() => {})
  for (const [index, value] of parts.entries()) {
    const at = [...path, index]
    const part = membersOf(value)
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

/** Reads a response, in the first versions a `result`. The strings of a value are the result, the rest of it is content. */
function readResponse(body: MessageBody, part: JsonObject, at: JsonPath): void {
  const key = part.response === undefined && part.result !== undefined ? 'result' : 'response'
  const value = part[key]
  const { texts, frame } = structuredResult(value, [...at, key])
  const isText = texts.length > 0
  if (!isText) body.nonTextParts++
  else if (typeof value !== 'string') body.contents.push({ text: frame })
  body.addResult(part.id, texts, false)
}
