import type { RawText } from '../../conversation/link-messages'
import { type JsonPath, valueAtPath, visitStrings } from '../../text/json-object'
import type { DuplicateString, SourcePath } from './build-conversation'
import { findDuplicatedResult, indexResultTexts } from './index-result-texts'

/** Keys of names and kinds, which are not output. */
const NAMING_KEY =
  /^(?:type|kind|mode|role|status|model|path|title|fullOutputPath|mimeType|uri)$|(?:id|Id|ID)$/

/**
 * Returns for each result the strings below these members that repeat its texts in whole or in part, such as the output as
 * a screen shows it. A string that repeats several results belongs to the first of them.
 */
export function findRepeats(
  { source, path }: SourcePath,
  members: readonly JsonPath[],
  textsOfResults: readonly (readonly RawText[])[],
): DuplicateString[][] {
  const found: DuplicateString[][] = textsOfResults.map(() => [])
  const joined = textsOfResults.map((texts) => texts.map(({ text }) => text).join('\n'))
  if (joined.every((text) => text === '')) return found
  const index = indexResultTexts(joined)
  for (const member of members) {
    const at = [...path, ...member]
    const note = (text: string, inner: JsonPath) => {
      const owner = findDuplicatedResult(text, index)
      if (owner !== undefined) found[owner]?.push({ source, path: inner })
    }
    visitStrings(valueAtPath(source.value, at), at, note, (key) => NAMING_KEY.test(key))
  }
  return found
}
