/** Attributes of spans and events: an object, in OTLP a list of keys with typed values, in Jaeger's `tags` with plain ones. */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import { embeddedValue, type SourceValue } from './source-document'

type JsonObject = Readonly<Record<string, unknown>>

/** A value written in OTLP's types, as JSON has it, and how its paths are written there. */
export interface PlainValue {
  readonly source: SourceValue
  /** Where it stands in the source. */
  readonly path: JsonPath
  readonly value: unknown
  /** From a path in the value to the one below `path`. */
  readonly write: (path: JsonPath) => JsonPath
}

/** The attributes of an owner by key, strings as they stand. */
export function attributesOf(
  source: SourceValue,
  path: JsonPath,
  owner: JsonObject,
): ReadonlyMap<string, PlainValue> {
  const found = new Map<string, PlainValue>()
  for (const { key, below, value, isListed } of membersOf(owner)) {
    const isTyped = isListed && isJsonObject(value)
    found.set(key, {
      source,
      path: [...path, ...below],
      value: isTyped ? plainOf(value) : value,
      write: isTyped ? (inner) => typedPath(value, inner) : (inner) => inner,
    })
  }
  return found
}

/** The keys of an owner's attributes. */
export function attributeKeys(owner: JsonObject): string[] {
  return membersOf(owner).map(({ key }) => key)
}

interface Member {
  readonly key: string
  /** Below the owner. */
  readonly below: JsonPath
  readonly value: unknown
  /** One of a list of keys and values. */
  readonly isListed: boolean
}

function membersOf(owner: JsonObject): Member[] {
  const name = Object.hasOwn(owner, 'attributes') ? 'attributes' : 'tags'
  const attributes = owner[name]
  if (isJsonObject(attributes)) return nestedMembers(attributes, [name], '')
  if (!Array.isArray(attributes)) return []
  return attributes.flatMap((attribute: unknown, index): Member[] =>
    isJsonObject(attribute) && typeof attribute.key === 'string'
      ? [
          {
            key: attribute.key,
            below: [name, index, 'value'],
            value: attribute.value,
            isListed: true,
          },
        ]
      : [],
  )
}

/** Keys with dots may be written as objects in each other: what stands below these has the whole key. */
const NESTED = /^(?:gen_ai|llm|input|ai|pydantic_ai)$/

/** OpenInference numbers what lists hold. */
const NUMBERED = /^llm\./

function nestedMembers(
  value: JsonObject | readonly unknown[],
  path: JsonPath,
  above: string,
): Member[] {
  const members = Array.isArray(value) ? value.entries() : Object.entries(value)
  return [...members].flatMap(([step, member]: [number | string, unknown]): Member[] => {
    const key = `${above}${step}`
    const below = [...path, step]
    const isNested = above !== '' || NESTED.test(key)
    if (isNested && isJsonObject(member)) return nestedMembers(member, below, `${key}.`)
    if (isNested && Array.isArray(member) && NUMBERED.test(key))
      return nestedMembers(member, below, `${key}.`)
    return [{ key, below, value: member, isListed: false }]
  })
}

/** The list or object an attribute holds, written out or as JSON in its string; undefined when it holds none. */
export function structureIn(text: string, attribute: PlainValue): PlainValue | undefined {
  const { source, path, value, write } = attribute
  if (typeof value === 'object' && value !== null) return attribute
  if (typeof value !== 'string') return undefined
  const held = embeddedValue(text, source, [...path, ...write([])])
  return held && { source: held, path: [], value: held.value, write: (inner) => inner }
}

function plainOf(typed: unknown): unknown {
  if (!isJsonObject(typed)) return typed
  const { arrayValue, kvlistValue } = typed
  if (isJsonObject(arrayValue)) return listIn(arrayValue).map(plainOf)
  if (isJsonObject(kvlistValue)) {
    const members = listIn(kvlistValue).filter(isJsonObject)
    return Object.fromEntries(members.map(({ key, value }) => [String(key), plainOf(value)]))
  }
  const { stringValue, boolValue, intValue, doubleValue } = typed
  const number = intValue ?? doubleValue
  // Whole numbers are written as strings, which are no texts.
  return stringValue ?? boolValue ?? (number === undefined ? null : Number(number))
}

function listIn({ values }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(values) ? values : []
}

function typedPath(typed: unknown, [step, ...rest]: JsonPath): JsonPath {
  if (!isJsonObject(typed)) return []
  const { arrayValue, kvlistValue } = typed
  if (step === undefined) return 'stringValue' in typed ? ['stringValue'] : []
  if (typeof step === 'number') {
    const inner = isJsonObject(arrayValue) ? listIn(arrayValue)[step] : undefined
    return ['arrayValue', 'values', step, ...typedPath(inner, rest)]
  }
  const members = isJsonObject(kvlistValue) ? listIn(kvlistValue) : []
  const index = members.findLastIndex((member) => isJsonObject(member) && member.key === step)
  const member = members[index]
  const inner = isJsonObject(member) ? member.value : undefined
  return ['kvlistValue', 'values', index, 'value', ...typedPath(inner, rest)]
}
