import { ENGLISH_FORMAT, UNKNOWN_FIGURE } from '../core/report/figure-format'
import type { DocumentMeasure } from './measure-document'
import type { SessionMeasure } from './measure-sessions'

const { number } = ENGLISH_FORMAT

type Row<Measure> = readonly [name: string, measure: Measure]

/** The heading of a column, and how it shows a measure. */
type Column<Measure> = readonly [string, (measure: Measure) => string]

const COLUMNS: readonly Column<DocumentMeasure>[] = [
  ['turns', ({ turns }) => number(turns)],
  ['results', ({ tool_results }) => number(tool_results)],
  ['masked', ({ masked_tool_results }) => number(masked_tool_results)],
  ['tool chars', ({ tool_chars_before }) => number(tool_chars_before)],
  ['after', ({ tool_chars_after }) => number(tool_chars_after)],
  ['request chars', ({ request_chars_before }) => number(request_chars_before)],
  ['after', ({ request_chars_after }) => number(request_chars_after)],
  ['tokens', ({ tokens_before }) => number(tokens_before)],
  ['after', ({ tokens_after }) => number(tokens_after)],
  ['change', ({ delta_percent }) => percent(delta_percent)],
]

const SESSION_COLUMNS: readonly Column<SessionMeasure>[] = [
  ['requests', ({ requests }) => number(requests)],
  ['tokens', ({ session_tokens_before }) => number(session_tokens_before)],
  ['after', ({ session_tokens_after }) => number(session_tokens_after)],
  ['cost', (of) => dollars(of.session_cost_before, of.session_cost_after)],
  ['after', (of) => dollars(of.session_cost_after, of.session_cost_before)],
  ['cached', (of) => dollars(of.session_cost_cached_before, of.session_cost_cached_after)],
  ['after', (of) => dollars(of.session_cost_cached_after, of.session_cost_cached_before)],
  [
    'change',
    ({ session_cost_cached_before: before, session_cost_cached_after: after }) =>
      percent(
        before === null || after === null || before === 0 ? null : (after / before - 1) * 100,
      ),
  ],
  ['answers', ({ session_output_cost_after }) => dollars(session_output_cost_after)],
]

/** A table of the next request of each file, with a total if there are several. */
export function benchTable(rows: readonly Row<DocumentMeasure>[], total: DocumentMeasure): string {
  return measureTable(COLUMNS, rows, total)
}

/** A table of the session of each file, with a total if there are several. */
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

/** Aligns cells in columns: the first column to the left, the others to the right. */
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

/** A change in percent with its sign; a dash if it is unknown. */
export function percent(value: number | null): string {
  if (value === null) return UNKNOWN_FIGURE
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`
}

function dollars(value: number | null, beside?: number | null): string {
  return ENGLISH_FORMAT.money(value ?? undefined, beside ?? undefined)
}
