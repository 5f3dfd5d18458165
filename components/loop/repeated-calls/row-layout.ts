import type { Ref } from 'react'

/** Position and attributes that the table passes to each row. */
export interface ListedRow {
  readonly ref: Ref<HTMLTableRowElement>
  readonly 'data-index': number
  readonly 'aria-rowindex': number
}

/** A table row on a wide screen; on a narrow one it wraps, indented below the call. */
export const ROW = 'align-baseline max-lg:flex max-lg:flex-wrap max-lg:gap-x-3 max-lg:pr-2.5'

/** Classes by column. Where the guards leave little room, the two that an open row also has are hidden. */
export const CELL = {
  call: 'lg:px-2.5 max-lg:-ml-5 max-lg:min-w-0 max-lg:max-w-[calc(100%+1.25rem)] max-lg:basis-[calc(100%+1.25rem)]',
  turns: 'lg:w-26 xl:w-34 lg:px-2.5',
  times: 'lg:w-12 xl:w-14 lg:px-2.5 lg:text-right',
  result: 'lg:w-31 lg:px-2.5 lg:max-xl:hidden',
  tokens: 'lg:w-18 lg:px-2.5 lg:text-right',
  stopped: 'lg:w-26 lg:px-2.5 lg:max-xl:hidden',
} as const

/** Class of units, which a wide screen shows in the column heading instead. */
export const UNIT = 'text-soft lg:hidden'
