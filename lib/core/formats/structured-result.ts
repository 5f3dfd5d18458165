import { isJsonObject } from '../conversation/chat-message'
import type { RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'

/** A result that is a JSON value by nature of its format. */
export interface StructuredResult {
  /**
   * Its strings that are not empty, the longest first and the others as they stand: what masking replaces.
   * Where all are empty, the first of them; none where it has no string.
   */
  readonly texts: readonly RawText[]
  /** The value as JSON with its strings empty: what is sent beside the texts, and stays. */
  readonly frame: string
}

/**
 * Reads the strings of a structured result; keys, numbers and the shape stay, so the result stays what its tool's
 * schema says. Masked, the longest string is the placeholder and the others are empty; read again, the placeholder
 * is its only text.
 */
export function structuredResult(value: unknown, path: JsonPath): StructuredResult {
  const texts: RawText[] = []
  let empty: RawText | undefined
  const visit = (inner: unknown, at: JsonPath): void => {
    if (typeof inner === 'string') {
      if (inner !== '') texts.push({ text: inner, path: at })
      else empty ??= { text: '', path: at }
    } else if (Array.isArray(inner)) {
      for (const [index, item] of inner.entries()) visit(item, [...at, index])
    } else if (isJsonObject(inner)) {
      for (const [key, member] of Object.entries(inner)) visit(member, [...at, key])
    }
  }
  visit(value, path)
  const longest = texts.reduce(
    (best, { text }, index) => (text.length > (texts[best]?.text.length ?? 0) ? index : best),
    0,
  )
  const [first = empty] = texts.splice(longest, 1)
  const frame = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? '' : inner,
  )
  return { texts: first === undefined ? [] : [first, ...texts], frame: frame ?? '' }
}
