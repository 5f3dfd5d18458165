import { csvText } from '../report/escape-text'
import type { ResultRow } from './result-rows'

/** Columns of the file; names stay the same between versions. It has no text of the transcript but names and call ids. */
const COLUMNS: readonly (readonly [
  name: string,
  cell: (row: ResultRow) => string | number | undefined,
])[] = [
  ['result', (row) => row.result + 1],
  ['message', (row) => row.message + 1],
  ['turn', (row) => (row.turn === undefined ? undefined : row.turn + 1)],
  ['tool', (row) => row.tool],
  ['tool_call_id', (row) => row.callId],
  ['reason', (row) => row.reason],
  ['error_rules', (row) => row.keptBy.join(' ')],
  ['chars', (row) => row.chars],
  ['tokens', (row) => row.tokens.before],
  ['tokens_sent', (row) => row.tokens.after],
  ['tokens_saved', (row) => row.saved],
  ['lost_uses', (row) => row.lostUses],
]

/** The rows as CSV, in their order, with unrounded numbers. */
export function resultsCsv(rows: readonly ResultRow[]): string {
  return csvText([
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, cell]) => cell(row))),
  ])
}
