/** Attributes of spans and events: an object, or in OTLP a list of keys with typed values. */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'
import { embeddedValue, type SourceValue } from './source-document'

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
  owner: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, PlainValue> {
  const { attributes } = owner
  const at = [...path, 'attributes']
  const found = new Map<string, PlainValue>()
  if (Array.isArray(attributes)) {
    for (const [index, attribute] of attributes.entries()) {
      if (!isJsonObject(attribute) || typeof attribute.key !== 'string') continue
      const typed = attribute.value
      found.set(attribute.key, {
        source,
        path: [...at, index, 'value'],
        value: plainOf(typed),
        write: (inner) => typedPath(typed, inner),
      })
    }
  } else if (isJsonObject(attributes)) {
    for (const [key, value] of Object.entries(attributes)) {
      found.set(key, { source, path: [...at, key], value, write: (inner) => inner })
    }
  }
  return found
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
  const [scalar] = Object.values(typed)
  return scalar ?? null
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
