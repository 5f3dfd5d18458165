import type { Problem } from '@/lib/core/problem'
import type { Recommendation } from '@/lib/core/replay/recommend'
import { csvText } from '@/lib/core/report/escape-text'
import { FIGURES, figureOf, figureOfRow, fileListTotalsOf, shownFilesOf } from './file-list-rows'
import { COLUMNS, type FileListState } from './file-list-store'

type Cell = string | number | undefined

/**
 * The shown table: one line per file and a last line `all`, with unrounded numbers. The last column has a file's
 * problem; before it, the table of costs has the recommended setting.
 */
export function fileListCsv(
  state: FileListState,
  /** Describes a problem in English, of which the page does not load the words at first. */
  sentenceOf: (problem: Problem) => string,
): string {
  const columns = COLUMNS[state.view]
  const all = fileListTotalsOf(state).row
  const setting = (recommendation: Recommendation | undefined): Cell[] => {
    if (state.view === 'request') return []
    const point = recommendation?.state === 'mask' ? recommendation.point : undefined
    return [point?.windowTurns, point?.batchTurns]
  }
  const rows: Cell[][] = [
    [
      ...columns.map((column) => (column === 'name' ? 'file' : FIGURES[column][0])),
      ...(state.view === 'request' ? [] : ['recommended_window', 'recommended_batch']),
      'not_read_because',
    ],
    ...shownFilesOf(state).map((file) => [
      ...columns.map((column) => figureOf(file, column)),
      ...setting(file.state.state === 'measured' ? file.state.measure.recommendation : undefined),
      file.state.state === 'failed' ? sentenceOf(file.state.problem) : undefined,
    ]),
    columns.map((column) => (column === 'name' ? 'all' : figureOfRow(all, column))),
  ]
  return csvText(rows)
}
