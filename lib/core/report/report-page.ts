/** A report as its renderers take it: words and formatted numbers, in the order of reading. */
import type { Chart } from './chart-layout'

export interface ReportPage {
  /** Language tag of the words. */
  readonly language: string
  readonly title: string
  /** What was measured, in a line. */
  readonly subtitle: string
  /** The one sentence to take away, and what belongs to it. */
  readonly headline: string
  readonly tone: ReportTone
  readonly detail: readonly string[]
  readonly figures: readonly ReportFigure[]
  readonly chart: ReportChart
  readonly table: ReportTable
  readonly sections: readonly ReportSection[]
  /** Who made it, and what is not in it. */
  readonly footer: string
}

export type ReportTone = 'good' | 'warn' | 'plain'

export interface ReportFigure {
  readonly title: string
  readonly before: string
  readonly after: string
  readonly change: string
  readonly tone: ReportTone
  readonly note: string
}

export interface ReportChart {
  readonly title: string
  /** What it shows, for those who do not see it. */
  readonly description: string
  readonly charts: readonly Chart[]
}

export interface ReportTable {
  readonly title: string
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[]
  /** The first cell names its row. */
  readonly rows: readonly (readonly string[])[]
  /** Below it. */
  readonly notes: readonly string[]
}

/** A list of sentences, or of names with values. */
export type ReportSection =
  | { readonly kind: 'sentences'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly title: string; readonly items: readonly ReportFact[] }

export interface ReportFact {
  readonly name: string
  readonly value: string
  /** Written as code is: a setting's name or value. */
  readonly isCode?: boolean
}
