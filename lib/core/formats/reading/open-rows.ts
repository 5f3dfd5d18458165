/**
 * Rows of a data set whose messages are JSON in a string, as SWE-smith publishes them:
 * https://huggingface.co/datasets/SWE-bench/SWE-smith-trajectories (`messages`); other data sets name the column
 * `trajectory` or `conversations`. Answers of the data set viewer have rows in `rows`:
 * https://huggingface.co/docs/dataset-viewer/rows
 * Each such row becomes its list of messages, in place; model and tools are read from the row's other columns.
 */
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  MESSAGE_COLUMNS,
  membersOf,
} from '../../text/json-object'
import { embeddedValue, type SourceDocument, type SourceValue } from './source-document'

interface Row {
  readonly path: JsonPath
  readonly owner: JsonObject
}

/** Returns the document with each such row as its list of messages; the document itself if it has none. */
export function openRows(document: SourceDocument): SourceDocument {
  const values = document.values.flatMap((value): readonly SourceValue[] => {
    const rows = rowsIn(value.value)
    const lists = rows.flatMap(({ path, owner }) => {
      const list = embeddedValue(document.text, value, path, /^\s*\[/)
      return list === undefined ? [] : [{ ...list, owner }]
    })
    // Where one row is of another kind, the reader says which.
    return lists.length > 0 && lists.length === rows.length ? lists : [value]
  })
  return values.some(({ owner }) => owner !== undefined) ? { ...document, values } : document
}

/** The rows with a column of messages: the value itself, or those in a list of rows or an answer of the viewer. */
function rowsIn(value: unknown): readonly Row[] {
  if (Array.isArray(value)) return value.flatMap((row, index) => rowAt(row, [index]))
  const rows = itemsOf(membersOf(value).rows)
  if (rows.length === 0) return rowAt(value, [])
  return rows.flatMap((row, index) => rowAt(membersOf(row).row, ['rows', index, 'row']))
}

function rowAt(row: unknown, path: JsonPath): readonly Row[] {
  if (!isJsonObject(row)) return []
  const column = MESSAGE_COLUMNS.find((name) => Object.hasOwn(row, name))
  return column === undefined ? [] : [{ path: [...path, column], owner: row }]
}
