/**
 * The measured rows as a Markdown table; each value but the first row's also as a multiple of the first row's, and memory
 * as a multiple of the file's size.
 */
import type { StepWork } from './read-trace'

export interface PageRow {
  readonly name: string
  /** Milliseconds. */
  readonly figures: number
  readonly longestTask: number
  readonly step: StepWork
  /** Milliseconds of the longest task after an earlier request, a file, a copy, the costs and a reload were asked for. */
  readonly actions: Readonly<Record<'lookBack' | 'save' | 'copy' | 'costs' | 'reload', number>>
  /** Bytes. */
  readonly size: number
  /** More than before the file was opened, workers included: at the end, */
  readonly held: number
  /** at most while it opens and its costs are computed, and the same with garbage. */
  readonly mostHeld: number
  readonly mostUsed: number
  /** Of the process; undefined where the system does not tell it. */
  readonly peak: number | undefined
}

const COLUMNS: readonly (readonly [
  title: string,
  measureOf: (row: PageRow) => number | undefined,
  format: (value: number) => string,
  /** What a value is compared with; the first row's value by default. */
  baseOf?: (row: PageRow) => number,
])[] = [
  ['size', ({ size }) => size, megabytes],
  ['file chosen to figures', ({ figures }) => figures, seconds],
  ['longest task while opening', ({ longestTask }) => longestTask, milliseconds],
  ['step until its frame, median', ({ step }) => step.input.median, milliseconds],
  ['step until its frame, 95 %', ({ step }) => step.input.p95, milliseconds],
  ['all work of a step, 95 %', ({ step }) => step.total.p95, milliseconds],
  ['longest task of a step, 95 %', ({ step }) => step.longest.p95, milliseconds],
  ['longest task of looking back', ({ actions }) => actions.lookBack, milliseconds],
  ['longest task of saving', ({ actions }) => actions.save, milliseconds],
  ['longest task of copying', ({ actions }) => actions.copy, milliseconds],
  ['longest task of opening the costs', ({ actions }) => actions.costs, milliseconds],
  [
    'longest task of reloading the page with its draft',
    ({ actions }) => actions.reload,
    milliseconds,
  ],
  ['memory held for the file', ({ held }) => held, megabytes, ({ size }) => size],
  ['most held while opening', ({ mostHeld }) => mostHeld, megabytes, ({ size }) => size],
  ['most in use while opening', ({ mostUsed }) => mostUsed, megabytes, ({ size }) => size],
  ['peak of the process', ({ peak }) => peak, megabytes, ({ size }) => size],
]

export function pageTable(rows: readonly PageRow[]): string {
  const [first] = rows
  const lines = COLUMNS.map(([title, measureOf, format, baseOf]) => {
    const cells = rows.map((row) => {
      const value = measureOf(row)
      if (value === undefined) return '–'
      const base = baseOf === undefined ? first && measureOf(first) : baseOf(row)
      const ratio = value / (base || value)
      return row === first && baseOf === undefined
        ? format(value)
        : `${format(value)} (${Number(ratio.toPrecision(2))} x)`
    })
    return [title, ...cells]
  })
  const head = ['', ...rows.map(({ name }) => name)]
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

function milliseconds(value: number): string {
  return `${value.toFixed(0)} ms`
}

function megabytes(bytes: number): string {
  return `${Number((bytes / 1e6).toPrecision(2))} MB`
}
