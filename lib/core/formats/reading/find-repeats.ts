import { isJsonObject } from '../../text/json-object'
import { type JsonPath, valueAtPath } from '../../text/json-pointer'
import type { DuplicateString, SourcePath } from './build-conversation'
import { findDuplicatedResult, indexResultTexts } from './index-result-texts'

/** Keys of names and kinds, which are not output. */
const NAMING_KEY =
  /^(?:type|kind|mode|role|status|model|path|title|fullOutputPath|mimeType|uri)$|(?:id|Id|ID)$/

/**
 * Returns the strings in the values at these keys of a message that repeat its result in whole or in part, such as the
 * output as a screen shows it.
 */
export function findRepeats(
  { source, path }: SourcePath,
  keys: readonly JsonPath[],
  texts: readonly string[],
): DuplicateString[] {
  if (texts.length === 0) return []
  const index = indexResultTexts([texts.join('\n')])
  const found: DuplicateString[] = []
  const visit = (value: unknown, at: JsonPath): void => {
    if (typeof value === 'string') {
      if (findDuplicatedResult(value, index) !== undefined) found.push({ source, path: at })
    } else if (Array.isArray(value)) {
      for (const [item, inner] of value.entries()) visit(inner, [...at, item])
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value))
        if (!NAMING_KEY.test(key)) visit(inner, [...at, key])
    }
  }
  for (const key of keys) visit(valueAtPath(source.value, [...path, ...key]), [...path, ...key])
  return found
}
