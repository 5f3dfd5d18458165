/** The parts of a report. On the page `components/figures/report.css` styles them, in a file `REPORT_STYLE`. */
import type { ReportFigure, ReportSection } from '@/lib/core/report/report-page'

export function ReportFigures({ figures }: { readonly figures: readonly ReportFigure[] }) {
  return (
    <section className="figures">
      {figures.map(({ title, before, after, change, tone, note }) => (
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
  )
}

export function ReportSections({ sections }: { readonly sections: readonly ReportSection[] }) {
  return (
    <div className="columns">
      {sections.map(({ title, items, facts }) => (
        <section key={title}>
          <h2>{title}</h2>
          {items !== undefined && (
            <ul>
              {items.map((item) => (
                <li key={item}>{item}</li>
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
  )
}
