/** The parts of a report. On the page `components/figures/report.css` styles them, in a file `REPORT_STYLE`. */
import type { ReportFigure, ReportSection, ReportTable } from '@/lib/core/report/report-page'

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

/** A table that scrolls to the side must be reached by keys. */
export function ReportTableView(props: {
  readonly table: ReportTable
  readonly isScrolling?: boolean
}) {
  const { table, isScrolling = false } = props
  const { title, columns, rows, notes } = table
  const numberClass = (at: number) => (columns[at]?.isNumber ? 'number' : undefined)
  return (
    <section {...(isScrolling && { 'aria-label': title, tabIndex: 0 })}>
      <table>
        <caption>{title}</caption>
        <thead>
          <tr>
            {columns.map(({ label }, at) => (
              <th key={label} scope="col" className={numberClass(at)}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => {
                const label = columns[at + 1]?.label
                return (
                  <td key={label} data-label={label} className={numberClass(at + 1)}>
                    {cell}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {notes.map((note) => (
        <p key={note} className="note">
          {note}
        </p>
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
