import { phrase, type Words } from '../words/words'

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

/** Visits the strings in a value at a path, at any depth. */
export function visitStrings(
  value: unknown,
  path: JsonPath,
  visit: (text: string, path: JsonPath) => void,
): void {
  visitValues(value, path, (inner, at) => {
    if (typeof inner === 'string') visit(inner, at)
    return false
  })
}
