import { phrase, type Words } from '../words/words'
/** A parsed JSON object whose members are not checked yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** A parsed JSON object that should have the members of `Shape`; their types are not checked yet. */
export type Unchecked<Shape> = { readonly [Key in keyof Shape]?: unknown }

/** True for objects; false for arrays, null and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a JSON scalar as `String` does, and an object or an array as an empty string: `String` throws for `{"toString":1}`. */
export function scalarText(value: unknown): string {
  return typeof value === 'object' && value !== null ? '' : String(value)
}

/** Returns the members of an object; any other value has none. */
export function membersOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Returns a member of an object; `undefined` for one that all objects inherit, such as `constructor`. */
export function ownMember<Value>(
  object: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Returns the items of an array; any other value has none. */
export function itemsOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Removes the white space between the tokens of a JSON text; numbers, escapes and repeated keys are unchanged. */
export function compactJson(text: string): string {
  return text.replace(/"(?:[^"\\]+|\\.)*"|\s+/gs, (token) => (token.startsWith('"') ? token : ''))
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** True if a text is a JSON object or array. */
export function isJsonText(text: string): boolean {
  return /^\s*[{[]/.test(text) && parseJson(text) !== undefined
}

/** Steps from the root of a JSON document to a value: keys of objects and indexes of arrays. */
export type JsonPath = readonly (string | number)[]

/** Writes a path as an RFC 6901 pointer: `/messages/4/content`; the root is the empty string. */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
}

/** Writes a path as in code: `messages[4].content`; keys that are not identifiers are quoted. */
export function readablePath(path: JsonPath): Words {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (/^[A-Za-z_$][\w$]*$/.test(step)) text += text === '' ? step : `.${step}`
    else text += `[${JSON.stringify(step)}]`
  }
  return text === '' ? phrase('document') : text
}

/** Returns the value at a path of a parsed document; undefined where nothing is there. */
export function valueAtPath(value: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (found, step) =>
      typeof found === 'object' && found !== null
        ? (found as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    value,
  )
}

/** The columns of data sets that have the messages of a conversation. */
export const MESSAGE_COLUMNS: readonly string[] = [
  'messages',
  'trajectory',
  'conversations',
  'conversation',
]

/** Visits a value and all values in it, each with its path; leaves out what is in a value for which `visit` returns true. */
export function visitValues(
  value: unknown,
  path: JsonPath,
  visit: (value: unknown, path: JsonPath) => boolean | undefined,
): void {
  if (visit(value, path) === true || typeof value !== 'object' || value === null) return
  const members = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [step, member] of members) visitValues(member, [...path, step], visit)
}

/** Visits the strings in a value at a path, at any depth; members with a key for which `isSkipped` is true are left out. */
export function visitStrings(
  value: unknown,
  path: JsonPath,
  visit: (text: string, path: JsonPath) => void,
  isSkipped: (key: string) => boolean = () => false,
): void {
  visitValues(value, path, (inner, at) => {
    const step = at.length === path.length ? undefined : at.at(-1)
    if (typeof step === 'string' && isSkipped(step)) return true
    if (typeof inner === 'string') visit(inner, at)
    return false
  })
}
