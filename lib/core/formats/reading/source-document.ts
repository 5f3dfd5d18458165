import type { ResultSpan } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { type JsonSpan, parseEmbeddedTree } from '../../text/embedded-json'
import { isJsonObject, itemsOf, type JsonObject, MESSAGE_COLUMNS, membersOf } from '../../text/json'
import type { JsonNode } from '../../text/json-node'
import { type JsonPath, jsonPointer, valueAtPath } from '../../text/json-path'
import type { TextSlices } from '../../text/span'

/** One JSON value of a source: the document, one line of it, a value inside it, or JSON inside one of its strings. */
export interface SourceValue {
  /** The text of the whole source. */
  readonly text: TextSlices
  /** The value as `JSON.parse` returns it. */
  readonly value: unknown
  /** Its line in JSON Lines, from 1; undefined in a JSON document. */
  readonly line: number | undefined
  readonly tree: JsonNode
  /** Number of JSON strings around it, 0 or 1. */
  readonly encoded: number
  /** Path from the document or line to this value; empty for the document or line itself. */
  readonly basePath: JsonPath
  /** The row of a data set, if the value is the list of messages in its string; the record around a message of Strands. */
  readonly owner?: JsonObject
}

/** A text parsed as JSON or JSON Lines; the input of every format. */
export interface SourceDocument {
  readonly text: TextSlices
  readonly layout: 'json' | 'jsonl'
  readonly values: readonly SourceValue[]
  /** Lines that are not JSON and were skipped. */
  readonly problems: readonly Problem[]
}

/** Returns the span of the string at a path; throws a `RangeError` when there is no string. */
export function resultSpanAt(
  source: SourceValue,
  path: JsonPath,
  filler: string | undefined,
): ResultSpan {
  const node = source.tree.find(path)
  if (node?.kind !== 'string') throw new RangeError(`No string at ${jsonPointer(path)}.`)
  const pointer = jsonPointer([...source.basePath, ...path])
  return { pointer, start: node.start, end: node.end, encoded: source.encoded, filler }
}

/** Returns the span of the value at a path, or of the source value itself when the path does not exist. */
export function spanAt(source: SourceValue, path: JsonPath): JsonSpan {
  const { start, end } = source.tree.find(path) ?? source.tree
  return { start, end, encoded: source.encoded }
}

/**
 * Parses the JSON inside the string at a path. Undefined when there is no string, when its text does not match `opening`
 * or is not JSON, or when the string is itself inside another string.
 */
export function embeddedValue(
  source: SourceValue,
  path: JsonPath,
  opening = /^\s*[{[]/,
): SourceValue | undefined {
  const { text, line, encoded, basePath } = source
  const node = source.tree.find(path)
  if (node?.kind !== 'string' || encoded > 0) return undefined
  const inner = JSON.parse(text.slice(node.start, node.end)) as string
  if (!opening.test(inner)) return undefined
  try {
    const value: unknown = JSON.parse(inner)
    const tree = parseEmbeddedTree(text, node)
    return { text, value, line, tree, encoded: 1, basePath: [...basePath, ...path] }
  } catch {
    return undefined
  }
}

/** Returns the object or list at a path as a source value: the value itself, or the JSON inside a string there. */
export function nestedSource(source: SourceValue, path: JsonPath): SourceValue | undefined {
  const tree = source.tree.find(path)
  if (tree?.kind === 'string') return embeddedValue(source, path)
  if (tree === undefined || tree.kind === 'other') return undefined
  const value = valueAtPath(source.value, path)
  return { ...source, value, tree, basePath: [...source.basePath, ...path] }
}

/**
 * Returns the document with each row of a data set as its list of messages, in place; the document itself if it has none.
 * The messages are JSON in a string of the row, as SWE-smith publishes them:
 * https://huggingface.co/datasets/SWE-bench/SWE-smith-trajectories (`messages`); other data sets name the column
 * `trajectory` or `conversations`. Answers of the data set viewer have rows in `rows`:
 * https://huggingface.co/docs/dataset-viewer/rows
 * Model and tools are read from the row's other columns.
 * A message of a Strands session is in a record, one a file, which can replace it:
 * https://github.com/strands-agents/sdk-python/blob/main/src/strands/types/session.py
 */
export function openRows(document: SourceDocument): SourceDocument {
  const values = document.values.flatMap((value): readonly SourceValue[] => {
    const record = membersOf(value.value)
    if (record.message_id !== undefined && isJsonObject(record.message)) {
      const key = isJsonObject(record.redact_message) ? 'redact_message' : 'message'
      return [{ ...(nestedSource(value, [key]) as SourceValue), owner: record }]
    }
    const rows = rowsIn(value.value)
    const lists = rows.flatMap(({ path, owner }) => {
      const list = embeddedValue(value, path, /^\s*\[/)
      return list === undefined ? [] : [{ ...list, owner }]
    })
    // Where one row is of another kind, the reader says which.
    return lists.length > 0 && lists.length === rows.length ? lists : [value]
  })
  return values.some(({ owner }) => owner !== undefined) ? { ...document, values } : document
}

/** The rows with a column of messages: the value itself, or those in a list of rows or an answer of the viewer. */
function rowsIn(value: unknown) {
  if (Array.isArray(value)) return value.flatMap((row, index) => rowAt(row, [index]))
  const rows = itemsOf(membersOf(value).rows)
  if (rows.length === 0) return rowAt(value, [])
  return rows.flatMap((row, index) => rowAt(membersOf(row).row, ['rows', index, 'row']))
}

function rowAt(row: unknown, path: JsonPath) {
  if (!isJsonObject(row)) return []
  const column = MESSAGE_COLUMNS.find((name) => Object.hasOwn(row, name))
  return column === undefined ? [] : [{ path: [...path, column], owner: row }]
}
