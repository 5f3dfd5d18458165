import { describeProblem } from '@/lib/core/problem'
import { csvText } from '@/lib/core/report/escape-text'
import { figureOf, figureOfTotals, libraryTotalsOf, shownFilesOf } from './library-rows'
import { COLUMNS, type Column, type LibraryState } from './library-store'

/** Names for a script, as the command line has them. */
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

/** The table as it is shown, a line a file and a last one, `all`; nothing rounded. What is wrong with a file stands last. */
export function libraryTable(state: LibraryState, kind: 'csv' | 'tsv'): string {
  const { totals, problems } = libraryTotalsOf(state)
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

/** Cells for pasting into a spreadsheet; one that would be taken for a formula gets an apostrophe. */
function tsvText(rows: readonly (readonly Cell[])[]): string {
  const cell = (value: Cell): string => {
    if (typeof value !== 'string') return String(value ?? '')
    return value.replace(/\s+/g, ' ').replace(/^(?=[=+\-@])/, "'")
  }
  return rows.map((row) => `${row.map(cell).join('\t')}\n`).join('')
}
