import type { RawText } from '../../conversation/link-messages'
import { type JsonPath, visitStrings } from '../../text/json-object'

/** A result that is a JSON value because its format always writes one. */
export interface StructuredResult {
  /**
   * The strings that masking replaces: the non-empty ones, the longest first and the others in document order.
   * If all strings are empty, the first of them.
   */
  readonly texts: readonly RawText[]
  /** The value as JSON with empty strings: the part of the result that masking leaves in the request. */
  readonly frame: string
}

/**
 * Reads the strings of a structured result. Masking replaces only them, so the result still matches its tool's schema:
 * the longest string becomes the placeholder, the others become empty.
 */
export function structuredResult(value: unknown, path: JsonPath): StructuredResult {
  const texts: RawText[] = []
  let empty: RawText | undefined
  visitStrings(value, path, (text, at) => {
    if (text !== '') texts.push({ text, path: at })
    else empty ??= { text, path: at }
  })
  const first = texts.reduce(
    (best, text) => (best === undefined || text.text.length > best.text.length ? text : best),
    empty,
  )
  const frame = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' ? '' : inner,
  )
  return {
    texts: first === undefined ? [] : [first, ...texts.filter((text) => text !== first)],
    frame: frame ?? '',
  }
}
