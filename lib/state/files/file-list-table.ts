import { describeProblem } from '@/lib/core/problem'
import { csvText } from '@/lib/core/report/escape-text'
import { figureOf, figureOfTotals, fileListTotalsOf, shownFilesOf } from './file-list-rows'
import { COLUMNS, type Column, type FileListState } from './file-list-store'

/** Column names, as in the command line's output. */
const HEADINGS: Readonly<Record<Column, string>> = {
  name: 'file',
  format: 'format',
  conversations: 'conversations',
  messages: 'messages',
  turns: 'turns',
  results: 'tool_results',
  masked: 'masked_tool_results',
  before: 'tokens_before',
  after: 'tokens_after',
  saved: 'saved_percent',
  problems: 'problems',
}

type Cell = string | number | undefined

/**
 * The shown table: one line per file and a last line `all`, with unrounded numbers. The last column has a file's
 * problem.
 */
export function fileListCsv(state: FileListState, kind: 'csv' | 'tsv'): string {
  const { totals, problems } = fileListTotalsOf(state)
  const rows: Cell[][] = [
    [...COLUMNS.map((column) => HEADINGS[column]), 'not_read_because'],
    ...shownFilesOf(state).map((file) => [
      ...COLUMNS.map((column) => figureOf(file, column)),
      file.state.state === 'failed' ? describeProblem(file.state.problem) : undefined,
    ]),
    COLUMNS.map((column) => {
      if (column === 'name') return 'all'
      if (column === 'format') return undefined
      return column === 'problems' ? problems : figureOfTotals(totals, column)
    }),
  ]
  return kind === 'csv' ? csvText(rows) : tsvText(rows)
}

/** Cells for a spreadsheet; one that looks like a formula gets an apostrophe. */
function tsvText(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell): string => {
    if (typeof value !== 'string') return String(value ?? '')
    return value.replace(/\s+/g, ' ').replace(/^(?=[=+\-@])/, "'")
  }
  return rows.map((row) => `${row.map(cell).join('\t')}\n`).join('')
}
