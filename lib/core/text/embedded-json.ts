/**
 * JSON inside a string of another JSON document, as logs of requests have it. Its values have offsets in the outer text,
 * and text written there is escaped once more per enclosing string.
 */
import type { JsonNode } from './json-node'
import { parseJsonTree } from './json-tree'
import type { Offset, TextSlices, TextSpan } from './span'

/** The span of a value in the source text. */
export interface JsonSpan extends TextSpan {
  /** Number of JSON strings around the value; 0 for a value of the document itself. */
  readonly encoded: number
}

/** Returns the JSON value in a span. */
export function readValueAt(source: TextSlices, span: JsonSpan): unknown {
  return JSON.parse(embeddedJsonText(source, span))
}

/** Returns the JSON text in a span, with the escapes of the enclosing strings decoded. */
export function embeddedJsonText(source: TextSlices, { start, end, encoded }: JsonSpan): string {
  let text = source.slice(start, end)
  for (let level = 0; level < encoded; level++) text = JSON.parse(`"${text}"`) as string
  return text
}

/** Writes a text as a JSON string inside `encoded` other strings. */
export function writeEmbeddedString(text: string, encoded: number): string {
  let written = JSON.stringify(text)
  for (let level = 0; level < encoded; level++) written = JSON.stringify(written).slice(1, -1)
  return written
}

/**
 * Parses the JSON inside a string into a tree whose offsets refer to the outer text.
 * `start` and `end` include the quotes of the string, which must be in the outer document itself.
 * Throws a `ReadError` when the string is not JSON; line and column are within the string.
 */
export function parseEmbeddedTree(source: TextSlices, { start, end }: TextSpan): JsonNode {
  const written = source.slice(start, end)
  const inner = JSON.parse(written) as string
  const outerOffsets = offsetsOf(written, start, inner.length)
  return parseJsonTree(inner).moved(outerOffsets)
}

/** Maps each offset of the inner text, including its end, to the offset in the outer text. */
function offsetsOf(written: string, start: Offset, length: number): Uint32Array {
  const offsets = new Uint32Array(length + 1)
  let at = 1
  for (let inner = 0; inner < length; inner++) {
    offsets[inner] = start + at
    if (written[at] === '\\') at += written[at + 1] === 'u' ? 6 : 2
    else at++
  }
  offsets[length] = start + written.length - 1
  return offsets
}
