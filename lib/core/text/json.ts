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
export function ownMember<Value>(object: Readonly<Record<string, Value>>, key: string) {
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

/** The columns of data sets that have the messages of a conversation. */
export const MESSAGE_COLUMNS: readonly string[] = [
  'messages',
  'trajectory',
  'conversations',
  'conversation',
]
