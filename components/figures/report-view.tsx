import { type ReactNode, useRef } from 'react'
import type { Chart } from '@/lib/core/report/chart-layout'
import type {
  ReportFigure,
  ReportPage,
  ReportSection,
  ReportTable,
} from '@/lib/core/report/report-page'
import { SessionChart } from '../cost/drawer/session-chart'
import { useWidth } from '../ui/use-width'

const TONES = { good: 'text-good', warn: 'text-warn', plain: 'text-soft' }
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
        <section className="grid gap-x-10 gap-y-5 border-y py-6 sm:grid-cols-3">
          {page.figures.map((figure) => (
            <Figure key={figure.title} figure={figure} />
          ))}
        </section>
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
      <Table table={page.table} />
      <div className="gap-12 sm:columns-2">
        {page.sections.map((section) => (
          <Section key={section.title} section={section} />
        ))}
      </div>
      <footer className="border-t pt-3 pb-6 text-soft text-sm">{page.footer}</footer>
    </main>
  )
}

function Figure({ figure }: { readonly figure: ReportFigure }) {
  const { title, before, after, change, tone, note } = figure
  return (
    <div>
      <h2 className="text-[clamp(0.8125rem,1vw,1.125rem)] text-soft">{title}</h2>
      <p className="flex flex-wrap items-baseline gap-x-2 text-[clamp(1.5rem,2.2vw,2.75rem)] leading-tight">
        <span className="text-[0.6em] text-soft">{before} →</span>
        <strong className="font-semibold tracking-tight">{after}</strong>
        <span className={`font-medium text-[0.6em] ${TONES[tone]}`}>{change}</span>
      </p>
      <p className="text-soft text-sm">{note}</p>
    </div>
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
          request={undefined}
          onRequest={() => undefined}
        />
      )}
    </div>
  )
}

function Table({ table: { title, columns, rows, notes } }: { readonly table: ReportTable }) {
  const numberClass = (at: number) => (columns[at]?.isNumber ? 'text-right whitespace-nowrap' : '')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard must reach what scrolls.
    <section aria-label={title} tabIndex={0} className="overflow-x-auto">
      <table className="stacks w-full border-collapse sm:min-w-2xl [&_td]:py-1.5 [&_td]:pr-4 [&_th]:py-1.5 [&_th]:pr-4 [&_tr]:border-b [&_tr]:align-top">
        <caption className="pb-2 text-left font-semibold">{title}</caption>
        <thead className="text-soft">
          <tr>
            {columns.map(({ label }, at) => (
              <th
                key={label}
                scope="col"
                className={`font-medium ${numberClass(at) || 'text-left'}`}
              >
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" className="text-left font-medium">
                {name}
              </th>
              {cells.map((cell, at) => (
                <td
                  key={columns[at + 1]?.label}
                  data-label={columns[at + 1]?.label}
                  className={numberClass(at + 1)}
                >
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note} className="pt-2 text-soft text-sm">
          {note}
        </p>
      ))}
    </section>
  )
}

function Section({ section }: { readonly section: ReportSection }) {
  return (
    <section className="mb-6 break-inside-avoid-column">
      <h2 className="mb-1 font-semibold">{section.title}</h2>
      {section.kind === 'sentences' ? (
        <ul className="list-disc space-y-1 break-words pl-4 marker:text-ghost">
          {section.items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      ) : (
        <dl>
          {section.items.map(({ name, value, isCode }) => (
            <div key={name} className="flex flex-wrap justify-between gap-x-4 border-b py-0.5">
              <dt className="text-soft">{name}</dt>
              <dd
                className={`ml-auto min-w-0 break-words text-right ${isCode ? 'font-mono text-sm' : ''}`}
              >
                {value}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
