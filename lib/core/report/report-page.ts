/** A report in words and formatted numbers, in reading order. HTML and Markdown are written from it. */
import type { Chart } from './chart-layout'
import { oneLine, escapeMarkdown as safe } from './escape-text'
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

/** Writes a report as GitHub-flavoured Markdown. The chart is left out; its numbers are in the CSV. */
export function reportMarkdown(page: ReportPage<AnyChart>): string {
  const { figures } = page
  // French has a space before it.
  const colon = page.language === 'fr' ? '\u00a0: ' : ': '
  const blocks = [
    `# ${safe(page.title)}`,
    safe(page.subtitle),
    `**${safe(page.headline)}**`,
    ...page.detail.map(safe),
    figures
      .map(({ title, before, after, change, note }) => {
        const value = `${safe(before)} → **${safe(after)}** (${safe(change)})`
        return `- ${safe(title)}${colon}${value}. ${safe(note)}`
      })
      .join('\n'),
    ...tableBlocks(page.table),
    ...page.sections.flatMap((section) => [
      `## ${safe(section.title)}`,
      section.kind === 'facts'
        ? section.items.map((item) => fact(item, colon)).join('\n')
        : section.items.map((item) => `- ${safe(item)}`).join('\n'),
    ]),
    ...(page.appendix === undefined ? [] : tableBlocks(page.appendix)),
    '---',
    safe(page.footer),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function tableBlocks({ title, columns, rows, notes }: ReportTable): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(safe).join(' | ')} |`
  const lines = [
    line(columns.map(({ label }) => label)),
    `| ${columns.map(({ isNumber }) => (isNumber ? '---:' : '---')).join(' | ')} |`,
    ...rows.map(line),
  ]
  return [`## ${safe(title)}`, lines.join('\n'), ...notes.map(safe)]
}

function fact({ name, value, isCode }: ReportFact, colon: string): string {
  return `- ${safe(name)}${colon}${isCode === true ? code(value) : safe(value)}`
}

/** Writes a text as code, inside more backticks than it contains in a row. */
function code(text: string): string {
  const line = oneLine(text)
  if (line.trim() === '') return '–'
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
