/**
 * What the outputs in items of the Responses API are, by kind of item; see `response-item.ts`.
 * A list of parts mirrors the parts of chat completions, where a text is the norm: `text_parts`. Lists that a hosted tool
 * always writes (logs, search results, a shell's outputs) are text by the format's own reading.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ResultShape } from '../conversation/conversation'
import type { RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'

/** A value that is not what its place in an item calls for. */
export interface WrongValue {
  readonly path: JsonPath
  readonly value: unknown
  /** Goes on from "expected ". */
  readonly expected: string
}

export interface Output {
  readonly shape: ResultShape
  /** What masking may replace, the longest first where there is no first one. */
  readonly texts: readonly RawText[]
  /** What a model is sent beside them, and stays. */
  readonly contents: readonly RawText[]
  readonly nonTextParts: number
}

const NO_TEXT: Output = { shape: 'other', texts: [], contents: [], nonTextParts: 0 }

/** An output as a text, a list of parts, one part, or an object whose `content` is the text; undefined for anything else. */
export function readOutput(output: unknown, path: JsonPath): Output | undefined {
  if (output === null || output === undefined) return NO_TEXT
  if (typeof output === 'string') {
    return { ...NO_TEXT, shape: 'text', texts: [{ text: output, path }] }
  }
  if (Array.isArray(output)) return readParts(output, path)
  if (!isJsonObject(output)) return undefined
  if (typeof output.content === 'string') return readOutput(output.content, [...path, 'content'])
  const text = partText(output)
  if (text === undefined) {
    return typeof output.type === 'string' ? { ...NO_TEXT, nonTextParts: 1 } : undefined
  }
  return { ...NO_TEXT, shape: 'text_parts', texts: [{ text, path: [...path, 'text'] }] }
}

function readParts(parts: readonly unknown[], path: JsonPath): Output {
  const texts = parts.flatMap((part, index): RawText[] => {
    const text = partText(part)
    return text === undefined ? [] : [{ text, path: [...path, index, 'text'] }]
  })
  const nonTextParts = parts.length - texts.length
  if (texts.length === 0 || nonTextParts > 0) return { ...NO_TEXT, contents: texts, nonTextParts }
  return { ...NO_TEXT, shape: 'text_parts', texts }
}

/** Values of a wrong type among the parts of a content or an output; a part of any type may hold what it wants but a text. */
export function wrongParts(parts: unknown, path: JsonPath): WrongValue[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part: unknown, index): WrongValue[] => {
    if (!isJsonObject(part)) {
      const expected = 'a part, an object with a "type"'
      return [{ path: [...path, index], value: part, expected }]
    }
    const isWrong = TEXT_PARTS.has(String(part.type)) && typeof part.text !== 'string'
    return isWrong ? [{ path: [...path, index, 'text'], value: part.text, expected: 'a text' }] : []
  })
}

const TEXT_PARTS = new Set(['input_text', 'output_text', 'text', 'summary_text', 'reasoning_text'])

/** The text of a part of a content or an output; undefined when it is an image, a file or no part. */
export function partText(part: unknown): string | undefined {
  return isJsonObject(part) && typeof part.text === 'string' ? part.text : undefined
}

/**
 * The texts under some keys of a list's objects, as hosted tools write their results; all else of them is sent and stays.
 * One object of another kind, such as an image among logs, leaves the whole alone. Undefined for what is no list.
 */
export function readTextsUnder(
  list: unknown,
  keys: readonly string[],
  path: JsonPath,
): Output | undefined {
  if (list === null || list === undefined) return NO_TEXT
  if (!Array.isArray(list)) return undefined
  const textsOf = (entry: unknown, index: number): RawText[] =>
    keys.flatMap((key) => {
      const text = isJsonObject(entry) ? entry[key] : undefined
      return typeof text === 'string' ? [{ text, path: [...path, index, key] }] : []
    })
  const texts = list.map(textsOf)
  const nonTextParts = texts.filter(({ length }) => length === 0).length
  if (nonTextParts > 0) return { ...NO_TEXT, contents: texts.flat(), nonTextParts }
  const [first, ...others] = longestFirst(texts.flat())
  if (first === undefined) return NO_TEXT
  const frame = JSON.stringify(list, (key, value: unknown) =>
    keys.includes(key) && typeof value === 'string' ? '' : value,
  )
  return { ...NO_TEXT, shape: 'text', texts: [first, ...others], contents: [{ text: frame }] }
}

/** Empty texts are left out, so that what masking empties is not read again; of empty ones alone the first stays. */
function longestFirst(texts: readonly RawText[]): RawText[] {
  const [first, ...others] = texts.filter(({ text }) => text !== '')
  if (first === undefined) return texts.slice(0, 1)
  const longest = others.reduce(
    (best, text) => (text.text.length > best.text.length ? text : best),
    first,
  )
  return [longest, ...[first, ...others].filter((text) => text !== longest)]
}
