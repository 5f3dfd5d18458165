import { type ReactNode, useRef } from 'react'
import type { AnyChart, ReportPage } from '@/lib/core/report/report-page'
import { PageChart } from '../cost/drawer/report/charts'
import { ReportFigures, ReportSections, ReportTableView } from '../cost/drawer/report/report-parts'
import { useWidth } from '../ui/use-width'
import './report.css'

const EDGES = { good: 'border-good', warn: 'border-warn', plain: 'border-ghost' }

/** A report on the page. What a projector shows comes first and fills the screen: verdict, figures and charts. */
export function ReportView(props: {
  readonly page: ReportPage
  /** Shown below the figures. */
  readonly action: ReactNode
  /** Shown below the first screen. */
  readonly children: ReactNode
}) {
  const { page, action, children } = props
  return (
    <main className="report flex flex-col gap-10">
      <div className="flex flex-col justify-around gap-8 sm:min-h-[calc(100dvh-7rem)] print:min-h-0">
        <section className="flex flex-col gap-3">
          <h1
            className={`max-w-[52ch] text-balance border-l-4 pl-4 font-semibold text-[clamp(1.25rem,2.1vw,2.5rem)] leading-tight tracking-tight ${EDGES[page.tone]}`}
          >
            {page.headline}
          </h1>
          {page.detail.map((sentence) => (
            <p
              key={sentence}
              className="max-w-[90ch] text-[clamp(0.8125rem,1vw,1.125rem)] text-soft"
            >
              {sentence}
            </p>
          ))}
        </section>
        <ReportFigures figures={page.figures} />
        {action}
        <section
          aria-label={page.chart.title}
          className="grid gap-8 lg:auto-cols-fr lg:grid-flow-col"
        >
          {page.chart.charts.map((chart) => (
            <ChartFigure key={chart.title} chart={chart} />
          ))}
          <p className="sr-only">{page.chart.description}</p>
        </section>
      </div>
      {children}
      <p className="text-soft">{page.subtitle}</p>
      <ReportTableView table={page.table} isScrolling />
      <ReportSections sections={page.sections} />
      <footer className="border-t pt-3 pb-6 text-soft text-sm">{page.footer}</footer>
    </main>
  )
}

function ChartFigure({ chart }: { readonly chart: AnyChart }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div ref={box} className="min-w-0">
      <h2 className="font-medium">{chart.title}</h2>
      {width > 0 && (
        <PageChart
          chart={chart}
          width={width}
          height={Math.round(Math.min(320, Math.max(168, width * 0.32)))}
        />
      )}
    </div>
  )
}
