/** What a tool message keeps beside its content for the program, as far as it repeats the content. */
import { isJsonObject } from '../conversation/chat-message'
import type { RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { indexRepeats, repeatedBy } from './repeated-text'

/** What MCP tools give as a value, and as the content once more in its JSON. */
const STRUCTURED_KEYS = new Set(['structured_content', 'structuredContent'])

/** Where in an artifact strings repeat the texts of the result, in whole or in lines; paths go on from the artifact. */
export function twinsInArtifact(artifact: unknown, texts: readonly RawText[]): JsonPath[] {
  const said = texts.map(({ text }) => text).filter((text) => text !== '')
  if (said.length === 0 || typeof artifact !== 'object' || artifact === null) return []
  const result = indexRepeats([said.join('\n')])
  const found: JsonPath[] = []
  const visit = (value: unknown, path: JsonPath, isStructured: boolean): void => {
    if (typeof value === 'string') {
      const isRepeat = value !== '' && (isStructured || repeatedBy(value, result) !== undefined)
      if (isRepeat) found.push(path)
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visit(item, [...path, index], isStructured)
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value))
        visit(member, [...path, key], isStructured || STRUCTURED_KEYS.has(key))
    }
  }
  visit(artifact, [], false)
  return found
}
