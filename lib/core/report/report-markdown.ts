import { oneLine, escapeMarkdown as safe } from './escape-text'
import type { AnyChart, ReportFact, ReportPage, ReportTable } from './report-page'

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
