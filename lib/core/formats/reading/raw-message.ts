import type { RawCall, RawMessage, RawResult, RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath, visitStrings } from '../../text/json-object'

/** Creates a raw message; what a format does not have is empty. */
export function rawMessage(
  role: string,
  { isAssistant = role === 'assistant', ...members }: Partial<Omit<RawMessage, 'role'>> = {},
): RawMessage {
  return {
    role,
    isAssistant,
    name: undefined,
    ...emptyBody(),
    ...members,
  }
}

/** The fields of a `RawMessage` that are filled part by part. */
export interface MessageBody {
  readonly contents: RawText[]
  readonly reasoning: RawText[]
  readonly calls: RawCall[]
  readonly results: RawResult[]
  nonTextParts: number
}

export function emptyBody(): MessageBody {
  return { contents: [], reasoning: [], calls: [], results: [], nonTextParts: 0 }
}

/** Returns the message with every path prefixed by `below`. */
export function prefixPaths(raw: RawMessage, below: JsonPath): RawMessage {
  return mapPaths(raw, (path) => [...below, ...path])
}

/** Returns the message with every path replaced by `write(path)`. */
export function mapPaths(raw: RawMessage, write: (path: JsonPath) => JsonPath): RawMessage {
  const moved = <Item extends { readonly path?: JsonPath }>(item: Item): Item =>
    item.path === undefined ? item : { ...item, path: write(item.path) }
  return {
    ...raw,
    contents: raw.contents.map(moved),
    reasoning: raw.reasoning.map(moved),
    calls: raw.calls.map(moved),
    results: raw.results.map((result) => ({ ...result, texts: result.texts.map(moved) })),
  }
}

/** Returns the texts in a list of blocks at a path, those of blocks `{ type: 'text', text }`; nothing for other values. */
export function textBlocks(blocks: unknown, path: JsonPath): RawText[] {
  if (!Array.isArray(blocks)) return []
  return blocks.flatMap((block: unknown, index) =>
    isJsonObject(block) && block.type === 'text' && typeof block.text === 'string'
      ? [{ text: block.text, path: [...path, index, 'text'] }]
      : [],
  )
}

/** Returns the text of a member of an object; nothing unless it is a non-empty string. */
export function memberText(
  value: Readonly<Record<string, unknown>>,
  key: string,
  below: JsonPath = [],
): RawText[] {
  const text = value[key]
  return typeof text === 'string' && text !== '' ? [{ text, path: [...below, key] }] : []
}

/** Replaces every text block but the first of a masked result, since APIs refuse an empty block. */
export const EMPTY_PART_TEXT = '…'

/** Returns the texts without those that masking left as fillers; the first always stays. */
export function withoutEmptyParts(texts: readonly RawText[]): RawText[] {
  return texts.filter(({ text }, index) => index === 0 || text !== EMPTY_PART_TEXT)
}

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
