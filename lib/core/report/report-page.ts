/** A report in words and formatted numbers, in reading order. HTML and Markdown are written from it. */
import type { Chart } from './chart-layout'
import type { ScatterChart } from './scatter-layout'

/** The charts of a session or those of a set of sessions. */
export type AnyChart = Chart | ScatterChart

export interface ReportPage<Drawn extends AnyChart = Chart> {
  /** Language tag of the words. */
  readonly language: string
  readonly title: string
  /** The measured transcript, in one line. */
  readonly subtitle: string
  /** The main result in one sentence. */
  readonly headline: string
  readonly tone: ReportTone
  readonly detail: readonly string[]
  readonly figures: readonly ReportFigure[]
  readonly chart: ReportChart<Drawn>
  readonly table: ReportTable
  readonly sections: readonly ReportSection[]
  /** A long table, at the end. */
  readonly appendix?: ReportTable
  /** The program that wrote the report, and what the report leaves out. */
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

export interface ReportChart<Drawn extends AnyChart = AnyChart> {
  readonly title: string
  /** For screen readers. */
  readonly description: string
  readonly charts: readonly Drawn[]
}

export interface ReportTable {
  readonly title: string
  readonly columns: readonly { readonly label: string; readonly isNumber: boolean }[]
  /** The first cell is the header of its row. */
  readonly rows: readonly (readonly string[])[]
  /** Shown below the table. */
  readonly notes: readonly string[]
}

/** A list of sentences, or of names with values. */
export type ReportSection =
  | { readonly kind: 'sentences'; readonly title: string; readonly items: readonly string[] }
  | { readonly kind: 'facts'; readonly title: string; readonly items: readonly ReportFact[] }

export interface ReportFact {
  readonly name: string
  readonly value: string
  /** True for the name or value of a setting, which is written as code. */
  readonly isCode?: boolean
}
