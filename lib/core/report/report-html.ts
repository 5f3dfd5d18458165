/** Writes a report as one HTML file. It has no scripts, loads nothing and prints on one A4 page. */
import { chartSvg, PAPER_COLOURS } from './chart-svg'
import { escapeMarkup as safe } from './escape-text'
import type {
  AnyChart,
  ReportChart,
  ReportFigure,
  ReportPage,
  ReportSection,
  ReportTable,
} from './report-page'
import { REPORT_STYLE } from './report-style'

const LINES_HEIGHT = 168

/** Forbids loading and scripts, in case a name in the report contains markup. */
const CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'"

export function reportHtml(page: ReportPage<AnyChart>): string {
  return [
    '<!doctype html>',
    `<html lang="${safe(page.language)}">`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>${safe(page.title)}</title>`,
    `<style>${REPORT_STYLE}</style>`,
    '</head>',
    '<body>',
    '<main>',
    '<header>',
    `<h1>${safe(page.title)}</h1>`,
    paragraph(page.subtitle, 'subtitle'),
    '</header>',
    '<section>',
    `<p class="headline ${page.tone}">${safe(page.headline)}</p>`,
    ...page.detail.map((sentence) => paragraph(sentence)),
    '</section>',
    `<section class="figures">${page.figures.map(figure).join('')}</section>`,
    chartFigure(page.chart),
    table(page.table),
    `<div class="columns">${page.sections.map(section).join('\n')}</div>`,
    ...(page.appendix === undefined ? [] : [table(page.appendix)]),
    `<footer>${safe(page.footer)}</footer>`,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** Writes the chart of a report as an SVG file. */
export function reportSvg({ title, description, charts }: ReportChart): string {
  const height = isTall(charts) ? 340 : LINES_HEIGHT
  return chartSvg(charts, { width: 720, height, colours: PAPER_COLOURS, title, description })
}

function paragraph(text: string, name?: string): string {
  return `<p${name === undefined ? '' : ` class="${name}"`}>${safe(text)}</p>`
}

function figure({ title, before, after, change, tone, note }: ReportFigure): string {
  return [
    `<div><h2>${safe(title)}</h2>`,
    `<p class="value"><span class="before">${safe(before)} →</span> <strong>${safe(after)}</strong> <span class="change ${tone}">${safe(change)}</span></p>`,
    `<p class="note">${safe(note)}</p></div>`,
  ].join('')
}

function isTall(charts: readonly AnyChart[]): boolean {
  return charts.some((chart) => 'points' in chart)
}

/** A picture for each chart with lines, so that they can be below each other; a scatter chart needs the whole width. */
function chartFigure(chart: ReportChart): string {
  const caption = `<figcaption>${safe(chart.title)}</figcaption>`
  if (isTall(chart.charts)) return `<figure class="tall">${caption}${reportSvg(chart)}</figure>`
  const pictures = chart.charts.map((one, at) =>
    chartSvg([one], {
      width: 350,
      height: LINES_HEIGHT,
      colours: PAPER_COLOURS,
      title: one.title,
      description: at === 0 ? chart.description : '',
      name: `chart-${at}`,
    }),
  )
  return `<figure>${caption}<div class="charts">${pictures.join('\n')}</div></figure>`
}

function table({ title, columns, rows, notes }: ReportTable): string {
  const head = columns.map(
    ({ label, isNumber }) => `<th scope="col"${numberClass(isNumber)}>${safe(label)}</th>`,
  )
  const body = rows.map((cells) => {
    const written = columns.map(({ label, isNumber }, at) => {
      const cell = safe(cells[at] as string)
      if (at === 0) return `<th scope="row">${cell}</th>`
      return `<td${numberClass(isNumber)} data-label="${safe(label)}">${cell}</td>`
    })
    return `<tr>${written.join('')}</tr>`
  })
  return [
    `<section><table><caption>${safe(title)}</caption>`,
    `<thead><tr>${head.join('')}</tr></thead>`,
    `<tbody>${body.join('')}</tbody></table>`,
    ...notes.map((note) => paragraph(note, 'note')),
    '</section>',
  ].join('\n')
}

function numberClass(isNumber: boolean): string {
  return isNumber ? ' class="number"' : ''
}

function section(content: ReportSection): string {
  const inner =
    content.kind === 'sentences'
      ? `<ul>${content.items.map((item) => `<li>${safe(item)}</li>`).join('')}</ul>`
      : `<dl>${content.items
          .map(({ name, value, isCode }) => {
            const shown = isCode ? `<code>${safe(value)}</code>` : safe(value)
            return `<div><dt>${safe(name)}</dt><dd>${shown}</dd></div>`
          })
          .join('')}</dl>`
  return `<section><h2>${safe(content.title)}</h2>${inner}</section>`
}
