import { defaultRangeExtractor, type Range, type Virtualizer } from '@tanstack/react-virtual'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ComponentProps, Fragment, type ReactNode } from 'react'

/** A region that scrolls, so it must be reached by keys. */
export function ScrollRegion(props: ComponentProps<'section'>) {
  // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
  return <section tabIndex={0} {...props} />
}

/** The rows that a virtualizer has in the DOM, and the height of the others. */
export function VirtualRows(props: {
  readonly virtualizer: Virtualizer<HTMLDivElement, Element>
  /** Columns that every width shows. */
  readonly columns: number
  /** Height of the heading, if the virtualizer counts it. */
  readonly head?: number
  readonly children: (index: number) => ReactNode
}) {
  const { virtualizer, columns, head = 0, children } = props
  let end = head
  const rows = virtualizer.getVirtualItems().map((item) => {
    const gap = item.start - end
    end = item.end
    return (
      <Fragment key={item.key}>
        <Space height={gap} columns={columns} />
        {children(item.index)}
      </Fragment>
    )
  })
  return (
    <>
      {rows}
      <Space height={virtualizer.getTotalSize() - end} columns={columns} />
    </>
  )
}

function Space({ height, columns }: { height: number; columns: number }) {
  return height <= 0 ? null : (
    <tr aria-hidden className="card:block" style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}

/** The items in view, and the selected one: it stays mounted while scrolled away, so that it keeps the focus. */
export function rangeWith(range: Range, selected: number | undefined): number[] {
  const indexes = defaultRangeExtractor(range)
  const isOutside = selected === undefined || selected < 0 || selected >= range.count
  if (isOutside || indexes.includes(selected)) return indexes
  return [...indexes, selected].sort((first, second) => first - second)
}

/** The heading of a column, with a button that sorts by it, if it can. */
export function SortHeading(props: {
  readonly label: string
  /** Said more quietly beside the label. */
  readonly note?: string
  readonly title: string
  /** Undefined if the column cannot be sorted by. */
  readonly sort: 'ascending' | 'descending' | 'none' | undefined
  readonly onSort: () => void
  readonly className: string
}) {
  const { label, note = '', sort } = props
  const isSorted = sort !== 'none'
  const Arrow = sort === 'ascending' ? ArrowUp : ArrowDown
  return (
    <th scope="col" aria-sort={sort} className={`text-left font-medium ${props.className}`}>
      {sort === undefined ? (
        label
      ) : (
        <button
          type="button"
          title={props.title}
          onClick={props.onSort}
          className={`inline-flex cursor-pointer items-center gap-0.5 rounded-sm hover:text-ink pointer-coarse:min-h-11 ${isSorted ? 'text-ink' : ''}`}
        >
          {label}
          {note !== '' && <span className="ml-0.5 truncate font-normal text-faint">{note}</span>}
          {isSorted && <Arrow aria-hidden className="size-3" />}
        </button>
      )}
    </th>
  )
}
