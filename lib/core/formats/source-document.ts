import type { Slot } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { type Place, parseEmbeddedTree } from '../text/embedded-json'
import { nonBlankLines, type TextLine, textStart } from '../text/json-lines'
import type { JsonPath } from '../text/json-pointer'
import { jsonPointer } from '../text/json-pointer'
import { type JsonNode, nodeAt, parseJsonTree } from '../text/json-tree'
import type { Offset } from '../text/span'

/** One JSON value of a source: the whole document, one line of it, or JSON that one of its strings holds. */
export interface SourceValue {
  /** As `JSON.parse` has it. */
  readonly value: unknown
  /** Line it stands on in JSON Lines, from 1; undefined when it is the whole document. */
  readonly line: number | undefined
  readonly tree: JsonNode
  /** How many strings it is written inside of, 0 or 1. */
  readonly encoded: number
  /** Path of the string that holds it, or of the value it is a member of; empty when it stands alone. */
  readonly heldAt: JsonPath
}

/** A text read as JSON or JSON Lines; what every format starts from. */
export interface SourceDocument {
  readonly text: string
  readonly layout: 'json' | 'jsonl'
  readonly values: readonly SourceValue[]
  /** Lines that could not be read and were left alone. */
  readonly problems: readonly Problem[]
}

/** More characters than any transcript seen, few enough for a browser's memory. */
export const MAX_SOURCE_LENGTH = 64_000_000

/**
 * Reads a text as one JSON document or, when its first line is a whole value and others follow, as JSON Lines.
 * Throws a `ReadError` with the place for anything else. A bad line among good ones is a problem, not an error.
 */
export function openSource(
  text: string,
  onProgress: (done: number) => void = () => {},
): SourceDocument {
  if (text.length > MAX_SOURCE_LENGTH) {
    const size = Math.ceil(text.length / 1e6)
    throw new ReadError('too_large', { size, limit: MAX_SOURCE_LENGTH / 1e6 })
  }
  const start = textStart(text)
  if (text.slice(start).trim() === '') throw new ReadError('empty', {}, 0)
  const lines = nonBlankLines(text)
  if (lines.length < 2 || !isWholeValue(text, lines[0] as TextLine)) {
    try {
      return openJson(text, start, onProgress)
    } catch (error) {
      const areMostlyValues =
        lines.filter((line) => isWholeValue(text, line)).length * 2 > lines.length
      if (lines.length < 2 || !areMostlyValues) throw error
    }
  }
  return openLines(text, lines, onProgress)
}

function openJson(text: string, start: Offset, onProgress: (done: number) => void): SourceDocument {
  const tree = parseJsonTree(text, start, text.length, (offset) => onProgress(offset / text.length))
  const value = {
    value: JSON.parse(text.slice(start)) as unknown,
    line: undefined,
    tree,
    encoded: 0,
    heldAt: [],
  }
  return { text, layout: 'json', values: [value], problems: [] }
}

function openLines(
  text: string,
  lines: readonly TextLine[],
  onProgress: (done: number) => void,
): SourceDocument {
  const values: SourceValue[] = []
  const problems: Problem[] = []
  for (const line of lines) {
    const lineText = text.slice(line.start, line.end)
    try {
      const value: unknown = JSON.parse(lineText)
      const tree = parseJsonTree(text, line.start, line.end)
      values.push({ value, line: line.number, tree, encoded: 0, heldAt: [] })
    } catch {
      problems.push(badLine(line, lineText))
    }
    onProgress(line.end / text.length)
  }
  return { text, layout: 'jsonl', values, problems }
}

function isWholeValue(text: string, line: TextLine): boolean {
  const lineText = text.slice(line.start, line.end)
  if (!/^\s*[{[]/.test(lineText)) return false
  try {
    JSON.parse(lineText)
    return true
  } catch {
    return false
  }
}

function badLine(line: TextLine, lineText: string): Problem {
  try {
    parseJsonTree(lineText)
  } catch (error) {
    if (!(error instanceof ReadError)) throw error
    const { code, values } = error.problem
    const isCut = code === 'truncated_json'
    const reason = isCut
      ? `it ends at column ${values.column}, inside ${values.inside}`.replace(
          ' opened on line 1',
          '',
        )
      : error.message.replace('Line 1, column', 'column').replace(/\.$/, '')
    const offset = line.start + (error.problem.offset ?? 0)
    return { code: 'bad_line', values: { line: line.number, reason }, offset }
  }
  return {
    code: 'bad_line',
    values: { line: line.number, reason: 'nested too deep' },
    offset: line.start,
  }
}

/** The slot of a string at a path of a source value; throws when no string stands there. */
export function slotAt(source: SourceValue, path: JsonPath, filler: string | undefined): Slot {
  const node = nodeAt(source.tree, path)
  if (node?.kind !== 'string') throw new RangeError(`No string at ${jsonPointer(path)}.`)
  const pointer = jsonPointer([...source.heldAt, ...path])
  return { pointer, start: node.start, end: node.end, encoded: source.encoded, filler }
}

/** The place of the value at a path of a source value; that of the whole where the path leads nowhere. */
export function placeAt(source: SourceValue, path: JsonPath): Place {
  const { start, end } = nodeAt(source.tree, path) ?? source.tree
  return { start, end, encoded: source.encoded }
}

/**
 * The JSON document that a string of a source value holds; undefined when no string stands there, when it holds no
 * JSON that begins as `opening` says (an object or array), or when it is itself written inside another string.
 */
export function embeddedValue(
  text: string,
  source: SourceValue,
  path: JsonPath,
  opening = /^\s*[{[]/,
): SourceValue | undefined {
  const node = nodeAt(source.tree, path)
  if (node?.kind !== 'string' || source.encoded > 0) return undefined
  const held = JSON.parse(text.slice(node.start, node.end)) as string
  if (!opening.test(held)) return undefined
  try {
    const value: unknown = JSON.parse(held)
    const tree = parseEmbeddedTree(text, node)
    return { value, line: source.line, tree, encoded: 1, heldAt: [...source.heldAt, ...path] }
  } catch {
    return undefined
  }
}
