/**
 * JSON written inside a string of another JSON document, as logs of requests have it: its values have places in the
 * outer text, and a string put there is escaped once more for every string it stands in.
 */
import { type JsonNode, parseJsonTree } from './json-tree'
import type { Offset, Span } from './span'

/** A value's stretch of the source text. */
export interface Place extends Span {
  /** How many JSON strings it is written inside of: 0 for a value of the document itself. */
  readonly encoded: number
}

/** The JSON value that stands at a place. */
export function readPlace(source: string, place: Place): unknown {
  return JSON.parse(jsonTextAt(source, place))
}

/** The JSON text that stands at a place, as it is written but for the strings it is written inside of. */
export function jsonTextAt(source: string, { start, end, encoded }: Place): string {
  let text = source.slice(start, end)
  for (let level = 0; level < encoded; level++) text = JSON.parse(`"${text}"`) as string
  return text
}

/** A text as the JSON string that stands for it inside `encoded` other strings. */
export function writeString(text: string, encoded: number): string {
  let written = JSON.stringify(text)
  for (let level = 0; level < encoded; level++) written = JSON.stringify(written).slice(1, -1)
  return written
}

/**
 * The tree of the JSON document that a string holds, its spans being offsets of the outer text.
 * `start` and `end` are the string's, quotes included; it must stand in the outer document itself.
 * Throws a `ReadError` when the string holds no JSON; its line and column are within that string.
 */
export function parseEmbeddedTree(source: string, { start, end }: Span): JsonNode {
  const inner = JSON.parse(source.slice(start, end)) as string
  const outerOffsets = offsetsOf(source, start + 1, end - 1, inner.length)
  return moved(parseJsonTree(inner), outerOffsets)
}

/** By offset of the inner text, the offset of the outer one; its end included. */
function offsetsOf(source: string, start: Offset, end: Offset, length: number): Uint32Array {
  const offsets = new Uint32Array(length + 1)
  let at = start
  for (let inner = 0; inner < length; inner++) {
    offsets[inner] = at
    if (source[at] === '\\') at += source[at + 1] === 'u' ? 6 : 2
    else at++
  }
  offsets[length] = end
  return offsets
}

function moved(node: JsonNode, offsets: Uint32Array): JsonNode {
  return {
    kind: node.kind,
    start: offsets[node.start] as Offset,
    end: offsets[node.end] as Offset,
    members: node.members.map(({ key, value }) => ({ key, value: moved(value, offsets) })),
    items: node.items.map((item) => moved(item, offsets)),
  }
}
