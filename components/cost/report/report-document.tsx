/** A report as a document: in a file, in a new page, printed in place of the page, or shown from a link. */
import type { ReactNode } from 'react'
import type { ReportChart, ReportPage } from '@/lib/core/report/report-page'
import { Unbroken } from '../../ui/line-breaks'
import { ChartPicture, PAPER } from './charts'

export function ReportDocument(props: {
  readonly page: ReportPage
  /** What a page has below the figures and below the charts; a file has neither. */
  readonly belowFigures?: ReactNode
  readonly belowCharts?: ReactNode
}) {
  const { page } = props
  return (
    <main className="report">
      <header>
        <h1>{page.title}</h1>
        <p className="subtitle">{page.subtitle}</p>
      </header>
      <section>
        <p className={`headline ${page.tone}`}>
          <Unbroken text={page.headline} />
        </p>
        {page.detail.map((sentence) => (
          <p key={sentence}>
            <Unbroken text={sentence} />
          </p>
        ))}
      </section>
      <section className="figures">
        {page.figures.map(({ title, before, after, change, tone, note }) => (
          <div key={title}>
            <h2>{title}</h2>
            <p className="value">
              <span className="before">{before} →</span> <strong>{after}</strong>{' '}
              <span className={`change ${tone}`}>{change}</span>
            </p>
            <p className="note">{note}</p>
          </div>
        ))}
      </section>
      {props.belowFigures}
      <ChartFigure chart={page.chart} />
      {props.belowCharts}
      <div className="columns">
        {page.sections.map(({ title, items, facts }) => (
          <section key={title}>
            <h2>{title}</h2>
            {items !== undefined && (
              <ul>
                {items.map((item) => (
                  <li key={item}>
                    <Unbroken text={item} />
                  </li>
                ))}
              </ul>
            )}
            {facts !== undefined && (
              <dl>
                {facts.map(([name, value, isCode]) => (
                  <div key={name}>
                    <dt>{name}</dt>
                    <dd>{isCode ? <code>{value}</code> : value}</dd>
                  </div>
                ))}
              </dl>
            )}
          </section>
        ))}
      </div>
      <footer>{page.footer}</footer>
    </main>
  )
}

/** A picture for each chart with lines, so that they can be below each other. */
export function ChartFigure(props: { readonly chart: ReportChart }) {
  const { title, description, charts } = props.chart
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <div className="charts">
        {charts.map((chart, at) => (
          <ChartPicture
            key={chart.title}
            charts={[chart]}
            width={350}
            height={168}
            title={chart.title}
            description={at === 0 ? description : ''}
            name={`chart-${at}`}
          />
        ))}
      </div>
    </figure>
  )
}

/** The style sheet of a report in a page of its own or a shadow root; on the page, `figures/report.css` styles it. */
export const REPORT_STYLE = `
:root, :host { color-scheme: light; ${Object.entries(PAPER)
  .map(([name, colour]) => `--${name}: ${colour};`)
  .join(' ')} }
* { box-sizing: border-box; margin: 0; }
body, :host { background: #f4f2ee; color: var(--ink); font: 13px/1.45 -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Liberation Sans", sans-serif; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
main { max-width: 820px; margin: 24px auto; padding: 36px 44px; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
main > * + * { margin-top: 18px; }
h1 { font-size: 21px; letter-spacing: -0.01em; line-height: 1.25; }
h2 { font-size: 12px; font-weight: 600; }
.subtitle, .note, footer { color: var(--soft); }
.note, footer { font-size: 11.5px; }
.headline { text-wrap: balance; font-size: 17px; font-weight: 600; line-height: 1.35; letter-spacing: -0.005em; padding-left: 12px; border-left: 3px solid var(--faint); margin-bottom: 8px; }
.headline.good { border-color: var(--good); }
.headline.warn { border-color: var(--warn); }
.whitespace-nowrap { white-space: nowrap; }
.good { color: var(--good); } .warn { color: var(--warn); }
.headline.good, .headline.warn { color: inherit; }
.figures { display: flex; flex-wrap: wrap; gap: 14px 0; border-block: 1px solid var(--line); padding: 12px 0; }
.figures > div { flex: 1 1 200px; padding: 0 16px; border-left: 1px solid var(--line); }
.figures > div:first-child { padding-left: 0; border-left: 0; }
.figures h2 { color: var(--soft); font-weight: 500; }
.value { font-size: 18px; letter-spacing: -0.01em; white-space: nowrap; }
.value .before { font-size: 12.5px; color: var(--faint); letter-spacing: 0; }
.value .change { font-size: 12.5px; font-weight: 600; letter-spacing: 0; }
figure { break-inside: avoid; }
figcaption { font-weight: 600; margin-bottom: 6px; }
svg { display: block; width: 100%; height: auto; }
.charts { display: flex; flex-wrap: wrap; gap: 12px 20px; }
.charts svg { flex: 1 1 300px; width: auto; min-width: 0; }
.columns { columns: 2; column-gap: 32px; }
.columns section { break-inside: avoid-column; margin-bottom: 14px; }
.columns h2 { margin-bottom: 4px; }
ul { padding-left: 14px; } li { margin-bottom: 3px; } li::marker { color: #928e86; }
ul, dl { font-size: 12px; }
dl div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; border-bottom: 1px solid #f0ede7; padding: 2px 0; }
dt { color: var(--soft); } dd { margin-left: auto; text-align: right; }
code { font: 11px ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
footer { border-top: 1px solid var(--line); padding-top: 10px; }
@media (max-width: 640px) {
  main { margin: 0; padding: 20px 16px; border: 0; border-radius: 0; }
  .figures > div { flex-basis: 100%; padding: 0; border: 0; }
  .columns { columns: 1; }
}
@page { size: A4; margin: 6mm 12mm; }
@media print {
  body, :host { background: none; font-size: 8pt; line-height: 1.1; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; margin: 0; padding: 0; border: 0; }
  main > * + * { margin-top: 3pt; }
  h1 { font-size: 13pt; } .headline { font-size: 10pt; line-height: 1.2; text-wrap: pretty; margin-bottom: 3pt; }
  .value { font-size: 11pt; } .value .before, .value .change { font-size: 8pt; }
  .figures { padding: 4pt 0; }
  h2, ul, dl, figcaption { font-size: 7.4pt; }
  .note, footer { font-size: 7pt; }
  code { font-size: 6.8pt; }
  figcaption { margin-bottom: 1pt; } svg { max-height: 25mm; }
  .columns { column-gap: 20pt; } .columns section { margin-bottom: 5pt; } .columns h2 { margin-bottom: 1pt; }
  li { margin-bottom: 0.5pt; } dl div { padding: 0.4pt 0; }
  footer { padding-top: 4pt; }
}
`
