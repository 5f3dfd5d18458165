/** A report as a document of its own: in a file, in a new page, or printed in place of the page. */
import type { AnyChart, ReportChart, ReportPage } from '@/lib/core/report/report-page'
import { ChartPicture } from './charts'
import { type ReportClasses, ReportFigures, ReportSections, ReportTableView } from './report-parts'

/** Classes of `REPORT_STYLE`. */
const CLASSES: ReportClasses = {
  figures: 'figures',
  value: 'value',
  before: 'before',
  change: 'change',
  tones: { good: 'good', warn: 'warn', plain: 'plain' },
  note: 'note',
  number: 'number',
  sections: 'columns',
}

const LINES_HEIGHT = 168

export function ReportDocument({ page }: { readonly page: ReportPage<AnyChart> }) {
  return (
    <main>
      <header>
        <h1>{page.title}</h1>
        <p className="subtitle">{page.subtitle}</p>
      </header>
      <section>
        <p className={`headline ${page.tone}`}>{page.headline}</p>
        {page.detail.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </section>
      <ReportFigures figures={page.figures} classes={CLASSES} />
      <ChartFigure chart={page.chart} />
      <ReportTableView table={page.table} classes={CLASSES} />
      <ReportSections sections={page.sections} classes={CLASSES} />
      {page.appendix !== undefined && <ReportTableView table={page.appendix} classes={CLASSES} />}
      <footer>{page.footer}</footer>
    </main>
  )
}

/** All charts of a report as one picture. */
export function ReportPicture({ title, description, charts }: ReportChart) {
  const height = isTall(charts) ? 340 : LINES_HEIGHT
  return <ChartPicture {...{ charts, height, title, description }} width={720} />
}

/** A picture for each chart with lines, so that they can be below each other; a scatter chart needs the whole width. */
function ChartFigure({ chart }: { readonly chart: ReportChart }) {
  if (isTall(chart.charts))
    return (
      <figure className="tall">
        <figcaption>{chart.title}</figcaption>
        <ReportPicture {...chart} />
      </figure>
    )
  return (
    <figure>
      <figcaption>{chart.title}</figcaption>
      <div className="charts">
        {chart.charts.map((one, at) => (
          <ChartPicture
            key={one.title}
            charts={[one]}
            width={350}
            height={LINES_HEIGHT}
            title={one.title}
            description={at === 0 ? chart.description : ''}
            name={`chart-${at}`}
          />
        ))}
      </div>
    </figure>
  )
}

function isTall(charts: readonly AnyChart[]): boolean {
  return charts.some((chart) => 'points' in chart)
}
