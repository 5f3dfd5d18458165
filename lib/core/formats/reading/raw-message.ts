import type { RawCall, RawMessage, RawResult, RawText } from '../../conversation/link-messages'
import { isJsonObject, type JsonPath } from '../../text/json-object'

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
