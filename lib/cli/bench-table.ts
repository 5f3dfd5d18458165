import type { DocumentMeasure } from './measure-document'
import type { SessionMeasure } from './measure-sessions'

type Row<Measure> = readonly [name: string, measure: Measure]

/** A heading, and what its column shows of a measure. */
type Column<Measure> = readonly [string, (measure: Measure) => string]

const COLUMNS: readonly Column<DocumentMeasure>[] = [
  ['turns', ({ turns }) => whole(turns)],
  ['results', ({ tool_results }) => whole(tool_results)],
  ['masked', ({ masked_tool_results }) => whole(masked_tool_results)],
  ['tool chars', ({ tool_chars_before }) => whole(tool_chars_before)],
  ['after', ({ tool_chars_after }) => whole(tool_chars_after)],
  ['request chars', ({ request_chars_before }) => whole(request_chars_before)],
  ['after', ({ request_chars_after }) => whole(request_chars_after)],
  ['tokens', ({ tokens_before }) => whole(tokens_before)],
  ['after', ({ tokens_after }) => whole(tokens_after)],
  ['change', ({ delta_percent }) => percent(delta_percent)],
]

const SESSION_COLUMNS: readonly Column<SessionMeasure>[] = [
  ['requests', ({ requests }) => whole(requests)],
  ['tokens', ({ session_tokens_before }) => whole(session_tokens_before)],
  ['after', ({ session_tokens_after }) => whole(session_tokens_after)],
  ['cost', ({ session_cost_before }) => dollars(session_cost_before)],
  ['after', ({ session_cost_after }) => dollars(session_cost_after)],
  ['cached', ({ session_cost_cached_before }) => dollars(session_cost_cached_before)],
  ['after', ({ session_cost_cached_after }) => dollars(session_cost_cached_after)],
  [
    'change',
    ({ session_cost_cached_before: before, session_cost_cached_after: after }) =>
      percent(
        before === null || after === null || before === 0 ? null : (after / before - 1) * 100,
      ),
  ],
  ['answers', ({ session_output_cost_after }) => dollars(session_output_cost_after)],
]

/** The next request of each file, with a total when there are several. */
export function benchTable(rows: readonly Row<DocumentMeasure>[], total: DocumentMeasure): string {
  return measureTable(COLUMNS, rows, total)
}

/** The whole session of each file, with a total when there are several. */
export function sessionTable(rows: readonly Row<SessionMeasure>[], total: SessionMeasure): string {
  return measureTable(SESSION_COLUMNS, rows, total)
}

function measureTable<Measure>(
  columns: readonly Column<Measure>[],
  rows: readonly Row<Measure>[],
  total: Measure,
): string {
  const shown = rows.length === 1 ? rows : [...rows, ['all', total] as const]
  return alignedTable([
    ['file', ...columns.map(([heading]) => heading)],
    ...shown.map(([name, measure]) => [name, ...columns.map(([, show]) => show(measure))]),
  ])
}

/** Lines of cells under the widest of their column: the first to the left, the others to the right. */
export function alignedTable(cells: readonly (readonly string[])[]): string {
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.max(...cells.map((row) => row[at]?.length ?? 0)),
  )
  const lines = cells.map((row) =>
    row
      .map((cell, at) => align(cell, widths[at] ?? 0, at === 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

function align(cell: string, width: number, isLeft: boolean): string {
  return isLeft ? cell.padEnd(width) : cell.padStart(width)
}

function whole(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',')
}

/** A change in percent with its sign; a dash where it is not known. */
export function percent(value: number | null): string {
  if (value === null) return '–'
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`
}

function dollars(value: number | null): string {
  return value === null ? '–' : `$${value.toFixed(4)}`
}
