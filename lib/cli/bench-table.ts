import type { DocumentMeasure } from './measure-document'

type Row = readonly [name: string, measure: DocumentMeasure]

/** One line a column: its heading, and what it shows of a measure. */
const COLUMNS: readonly (readonly [string, (measure: DocumentMeasure) => string])[] = [
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

/** An aligned table: names to the left, numbers to the right, a total when there are several rows. */
export function benchTable(rows: readonly Row[], total: DocumentMeasure): string {
  const shown = rows.length === 1 ? rows : [...rows, ['all', total] as const]
  const cells = [
    ['file', ...COLUMNS.map(([heading]) => heading)],
    ...shown.map(([name, measure]) => [name, ...COLUMNS.map(([, show]) => show(measure))]),
  ]
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

function percent(value: number | null): string {
  if (value === null) return '–'
  return `${value > 0 ? '+' : ''}${value.toFixed(1)} %`
}
