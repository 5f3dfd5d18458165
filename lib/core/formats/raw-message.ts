import type { RawMessage, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'

/** A message of which a format says only some things. */
export function rawMessage(
  role: string,
  { isAssistant = role === 'assistant', ...said }: Partial<Omit<RawMessage, 'role'>> = {},
): RawMessage {
  return {
    role,
    isAssistant,
    name: undefined,
    contents: [],
    reasoning: [],
    nonTextParts: 0,
    calls: [],
    results: [],
    ...said,
  }
}

/** The same message of a value that is a member of another: its paths begin there. */
export function rawMessageAt(raw: RawMessage, below: JsonPath): RawMessage {
  return withPaths(raw, (path) => [...below, ...path])
}

/** The same message with all its paths written anew. */
export function withPaths(raw: RawMessage, write: (path: JsonPath) => JsonPath): RawMessage {
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

/** The text of a member of an object, when it is one that is not empty. */
export function memberText(
  value: Readonly<Record<string, unknown>>,
  key: string,
  below: JsonPath = [],
): RawText[] {
  const text = value[key]
  return typeof text === 'string' && text !== '' ? [{ text, path: [...below, key] }] : []
}
