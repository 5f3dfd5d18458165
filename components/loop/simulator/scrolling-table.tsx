import type { ReactNode } from 'react'

interface ScrollingTableProps {
  readonly label: string
  /** Name and width of each column; a column without a width takes what is left. */
  readonly columns: readonly (readonly [name: string, width?: string])[]
  readonly children: ReactNode
  /** A sentence below the table about rows that are not shown. */
  readonly note: string | undefined
}

/** A table that scrolls sideways, with its rows as children. */
export function ScrollingTable({ label, columns, children, note }: ScrollingTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
    <section aria-label={label} tabIndex={0} className="mt-1 overflow-x-auto">
      <table className="w-full min-w-150 table-fixed border-collapse text-sm tabular-nums [&_td]:py-1 [&_td]:pr-3 [&_td]:align-top [&_th]:py-1 [&_th]:pr-3 [&_th]:text-left [&_th]:font-medium">
        <thead className="text-soft">
          <tr className="border-line border-b">
            {columns.map(([name, width]) => (
              <th key={name} scope="col" className={width}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note !== undefined && <p className="py-1 text-soft text-sm">{note}</p>}
    </section>
  )
}
