import { type ReactNode, useRef } from 'react'
import type { Chart } from '@/lib/core/report/chart-layout'
import type { ReportPage } from '@/lib/core/report/report-page'
import {
  type ReportClasses,
  ReportFigures,
  ReportSections,
  ReportTableView,
} from '../cost/drawer/report/report-parts'
import { SessionChart } from '../cost/drawer/session-charts'
import { useWidth } from '../ui/use-width'

const CLASSES: ReportClasses = {
  figures: 'grid gap-x-10 gap-y-5 border-y py-6 sm:grid-cols-3',
  figureTitle: 'text-[clamp(0.8125rem,1vw,1.125rem)] text-soft',
  value: 'flex flex-wrap items-baseline gap-x-2 text-[clamp(1.5rem,2.2vw,2.75rem)] leading-tight',
  before: 'text-[0.6em] text-soft',
  after: 'font-semibold tracking-tight',
  change: 'font-medium text-[0.6em]',
  tones: { good: 'text-good', warn: 'text-warn', plain: 'text-soft' },
  note: 'text-soft text-sm [table+&]:pt-2',
  scroller: 'overflow-x-auto',
  table:
    'stacks w-full border-collapse sm:min-w-2xl [&_td]:py-1.5 [&_td]:pr-4 [&_th]:py-1.5 [&_th]:pr-4 [&_tr]:border-b [&_tr]:align-top',
  caption: 'pb-2 text-left font-semibold',
  head: 'text-soft',
  header: 'text-left font-medium',
  number: 'whitespace-nowrap text-right [th&]:font-medium',
  sections: 'gap-12 sm:columns-2',
  section: 'mb-6 break-inside-avoid-column',
  sectionTitle: 'mb-1 font-semibold',
  sentences: 'list-disc space-y-1 break-words pl-4 marker:text-ghost',
  fact: 'flex flex-wrap justify-between gap-x-4 border-b py-0.5',
  factName: 'text-soft',
  factValue: 'ml-auto min-w-0 break-words text-right',
  code: 'font-mono text-sm',
}
const EDGES = { good: 'border-good', warn: 'border-warn', plain: 'border-ghost' }

export interface ReportViewProps {
  readonly page: ReportPage
  /** Shown below the figures. */
  readonly action: ReactNode
  /** Shown below the first screen. */
  readonly children: ReactNode
}

/** A report on the page. What a projector shows comes first and fills the screen: verdict, figures and charts. */
export function ReportView({ page, action, children }: ReportViewProps) {
  return (
    <main className="flex flex-col gap-10">
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
        <ReportFigures figures={page.figures} classes={CLASSES} />
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
      <ReportTableView table={page.table} classes={CLASSES} />
      <ReportSections sections={page.sections} classes={CLASSES} />
      <footer className="border-t pt-3 pb-6 text-soft text-sm">{page.footer}</footer>
    </main>
  )
}

function ChartFigure({ chart }: { readonly chart: Chart }) {
  const box = useRef<HTMLDivElement>(null)
  const width = useWidth(box)
  return (
    <div ref={box} className="min-w-0">
      <h2 className="font-medium">{chart.title}</h2>
      {width > 0 && (
        <SessionChart
          chart={chart}
          width={width}
          height={Math.round(Math.min(320, Math.max(168, width * 0.32)))}
        />
      )}
    </div>
  )
}
