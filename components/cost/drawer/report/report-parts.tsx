/** The parts of a report. A report on the page and one in a file differ in their order and in these class names. */
import type {
  ReportFigure,
  ReportSection,
  ReportTable,
  ReportTone,
} from '@/lib/core/report/report-page'

export interface ReportClasses {
  readonly figures: string
  readonly figureTitle?: string
  readonly value: string
  readonly before: string
  readonly after?: string
  readonly change: string
  readonly tones: Readonly<Record<ReportTone, string>>
  readonly note: string
  /** The section of a table, if it scrolls. */
  readonly scroller?: string
  readonly table?: string
  readonly caption?: string
  readonly head?: string
  readonly header?: string
  readonly number: string
  readonly sections: string
  readonly section?: string
  readonly sectionTitle?: string
  readonly sentences?: string
  readonly fact?: string
  readonly factName?: string
  readonly factValue?: string
  readonly code?: string
}

interface Classed {
  readonly classes: ReportClasses
}

export function ReportFigures({
  figures,
  classes,
}: Classed & { readonly figures: readonly ReportFigure[] }) {
  return (
    <section className={classes.figures}>
      {figures.map(({ title, before, after, change, tone, note }) => (
        <div key={title}>
          <h2 className={classes.figureTitle}>{title}</h2>
          <p className={classes.value}>
            <span className={classes.before}>{before} →</span>{' '}
            <strong className={classes.after}>{after}</strong>{' '}
            <span className={`${classes.change} ${classes.tones[tone]}`}>{change}</span>
          </p>
          <p className={classes.note}>{note}</p>
        </div>
      ))}
    </section>
  )
}

export function ReportTableView({
  table: { title, columns, rows, notes },
  classes,
}: Classed & { readonly table: ReportTable }) {
  const { scroller, number } = classes
  const numberClass = (at: number) => (columns[at]?.isNumber ? number : undefined)
  // A keyboard must reach what scrolls.
  const scrolling = scroller === undefined ? {} : { 'aria-label': title, tabIndex: 0 }
  return (
    <section {...scrolling} className={scroller}>
      <table className={classes.table}>
        <caption className={classes.caption}>{title}</caption>
        <thead className={classes.head}>
          <tr>
            {columns.map(({ label }, at) => (
              <th key={label} scope="col" className={numberClass(at) ?? classes.header}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row" className={classes.header}>
                {name}
              </th>
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
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </section>
  )
}

export function ReportSections({
  sections,
  classes,
}: Classed & { readonly sections: readonly ReportSection[] }) {
  return (
    <div className={classes.sections}>
      {sections.map((section) => (
        <section key={section.title} className={classes.section}>
          <h2 className={classes.sectionTitle}>{section.title}</h2>
          {section.kind === 'sentences' ? (
            <ul className={classes.sentences}>
              {section.items.map((item) => (
                <li key={item}>{item}</li>
              ))}
            </ul>
          ) : (
            <dl>
              {section.items.map(({ name, value, isCode }) => (
                <div key={name} className={classes.fact}>
                  <dt className={classes.factName}>{name}</dt>
                  <dd className={classes.factValue}>
                    {isCode ? <code className={classes.code}>{value}</code> : value}
                  </dd>
                </div>
              ))}
            </dl>
          )}
        </section>
      ))}
    </div>
  )
}
