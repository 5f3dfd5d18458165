import type { Slot } from '../../conversation/conversation'
import { assertReadError, type Problem, ReadError } from '../../problem'
import { type JsonLocation, parseEmbeddedTree } from '../../text/embedded-json'
import { nonBlankLines, type TextLine, textStart } from '../../text/json-lines'
import type { JsonNode } from '../../text/json-node'
import { type JsonPath, jsonPointer, valueAtPath } from '../../text/json-pointer'
import { parseJsonTree } from '../../text/json-tree'
import type { Offset } from '../../text/span'

/** One JSON value of a source: the document, one line of it, a value inside it, or JSON inside one of its strings. */
export interface SourceValue {
  /** The value as `JSON.parse` returns it. */
  readonly value: unknown
  /** Its line in JSON Lines, from 1; undefined in a JSON document. */
  readonly line: number | undefined
  readonly tree: JsonNode
  /** Number of JSON strings around it, 0 or 1. */
  readonly encoded: number
  /** Path from the document or line to this value; empty for the document or line itself. */
  readonly basePath: JsonPath
}

/** A text parsed as JSON or JSON Lines; the input of every format. */
export interface SourceDocument {
  readonly text: string
  readonly layout: 'json' | 'jsonl'
  readonly values: readonly SourceValue[]
  /** Lines that are not JSON and were skipped. */
  readonly problems: readonly Problem[]
}

/** Largest text that is read, in UTF-16 code units; a browser's memory is the limit. */
export const MAX_SOURCE_LENGTH = 64_000_000

/**
 * Parses a text as one JSON document, or as JSON Lines when its first line is a complete value and others follow.
 * Throws a `ReadError` with the location for anything else. A bad line among good ones is a problem, not an error.
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
  if (lines.length < 2 || !isCompleteValue(text, lines[0] as TextLine)) {
    try {
      return openJson(text, start, onProgress)
    } catch (error) {
      const areMostlyValues =
        lines.filter((line) => isCompleteValue(text, line)).length * 2 > lines.length
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
    basePath: [],
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
      values.push({ value, line: line.number, tree, encoded: 0, basePath: [] })
    } catch {
      problems.push(badLine(line, lineText))
    }
    onProgress(line.end / text.length)
  }
  return { text, layout: 'jsonl', values, problems }
}

function isCompleteValue(text: string, line: TextLine): boolean {
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
    assertReadError(error)
    const { code, values } = error.problem
    const isCut = code === 'truncated_json'
    const reason = isCut
      ? `it ends at column ${values.column}, inside ${values.inside}`.replace(
          ' opened on line 1',
          '',
        )
      : error.message.replace('Line 1, column', 'column').replace(/\.$/, '')
    const offset = line.start + (error.problem.offset as Offset)
    return { code: 'bad_line', values: { line: line.number, reason }, offset }
  }
  return {
    code: 'bad_line',
    values: { line: line.number, reason: 'nested too deep' },
    offset: line.start,
  }
}

/** Returns the slot of the string at a path; throws a `RangeError` when there is no string. */
export function slotAt(source: SourceValue, path: JsonPath, filler: string | undefined): Slot {
  const node = source.tree.find(path)
  if (node?.kind !== 'string') throw new RangeError(`No string at ${jsonPointer(path)}.`)
  const pointer = jsonPointer([...source.basePath, ...path])
  return { pointer, start: node.start, end: node.end, encoded: source.encoded, filler }
}

/** Returns the location of the value at a path, or of the source value itself when the path does not exist. */
export function locationAt(source: SourceValue, path: JsonPath): JsonLocation {
  const { start, end } = source.tree.find(path) ?? source.tree
  return { start, end, encoded: source.encoded }
}

/**
 * Parses the JSON inside the string at a path. Undefined when there is no string, when its text does not match `opening`
 * or is not JSON, or when the string is itself inside another string.
 */
export function embeddedValue(
  text: string,
  source: SourceValue,
  path: JsonPath,
  opening = /^\s*[{[]/,
): SourceValue | undefined {
  const node = source.tree.find(path)
  if (node?.kind !== 'string' || source.encoded > 0) return undefined
  const inner = JSON.parse(text.slice(node.start, node.end)) as string
  if (!opening.test(inner)) return undefined
  try {
    const value: unknown = JSON.parse(inner)
    const tree = parseEmbeddedTree(text, node)
    return {
      value,
      line: source.line,
      tree,
      encoded: 1,
      basePath: [...source.basePath, ...path],
    }
  } catch {
    return undefined
  }
}

/** Returns the object or list at a path as a source value: the value itself, or the JSON inside a string there. */
export function nestedSource(
  text: string,
  source: SourceValue,
  path: JsonPath,
): SourceValue | undefined {
  const tree = source.tree.find(path)
  if (tree?.kind === 'string') return embeddedValue(text, source, path)
  if (tree === undefined || tree.kind === 'other') return undefined
  const value = valueAtPath(source.value, path)
  return { ...source, value, tree, basePath: [...source.basePath, ...path] }
}
