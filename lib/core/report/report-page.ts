/** A report in words and formatted numbers, in reading order. HTML and Markdown are written from it. */
import type { Chart } from './chart-layout'
import { oneLine, escapeMarkdown as safe } from './escape-text'
import type { FigureFormat } from './figure-format'

export interface ReportPage {
  /** Language tag of the words. */
  readonly language: string
  readonly title: string
  /** The measured transcript, in one line. */
  readonly subtitle: string
  /** The main result in one sentence. */
  readonly headline: string
  readonly tone: ReportTone
  readonly detail: readonly string[]
  readonly figures: readonly ReturnType<typeof reportFigure>[]
  readonly chart: ReportChart
  readonly sections: readonly ReportSection[]
  /** The program that wrote the report, and what the report leaves out. */
  readonly footer: string
}

export type ReportTone = 'good' | 'warn' | 'plain'

export interface ReportChart {
  readonly title: string
  /** For screen readers. */
  readonly description: string
  readonly charts: readonly Chart[]
}

/** A list of sentences, or of names with values. */
export interface ReportSection {
  readonly title: string
  readonly items?: readonly string[]
  readonly facts?: readonly ReportFact[]
}

/** A value is code if it is that of a setting. */
export type ReportFact = readonly [name: string, value: string, isCode?: boolean]

/** A figure before and after, with its change; less is better. */
export function reportFigure(
  format: FigureFormat,
  kind: 'money' | 'number',
  title: string,
  [before, after]: readonly [before: number | undefined, after: number | undefined],
  note: string,
) {
  const isSame = before === undefined || after === undefined || before === after
  const tone: ReportTone = isSame ? 'plain' : after < before ? 'good' : 'warn'
  return {
    title,
    before: format[kind](before, after),
    after: format[kind](after, before),
    change: format.change(before, after),
    tone,
    note,
  }
}

/** Writes a report as GitHub-flavoured Markdown. The chart is left out; its numbers are in the CSV. */
export function reportMarkdown(page: ReportPage): string {
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
    ...page.sections.flatMap(({ title, items = [], facts = [] }) => [
      `## ${safe(title)}`,
      [
        ...items.map((item) => `- ${safe(item)}`),
        ...facts.map(
          ([name, value, isCode]) => `- ${safe(name)}${colon}${isCode ? code(value) : safe(value)}`,
        ),
      ].join('\n'),
    ]),
    '---',
    safe(page.footer),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

/** Writes a text as code, inside more backticks than it contains in a row. */
function code(text: string): string {
  const line = oneLine(text)
  if (line.trim() === '') return '–'
  const longest = Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return longest === 0 ? `${fence}${line}${fence}` : `${fence} ${line} ${fence}`
}
