import type { Ref } from 'react'

/** What a line is given by the list it is one of. */
export interface ListedRow {
  readonly ref: Ref<HTMLTableRowElement>
  readonly 'data-index': number
  readonly 'aria-rowindex': number
}

/** A line is a row of the table on a wide screen, and wraps on a narrow one. */
export const ROW = 'align-baseline max-lg:flex max-lg:flex-wrap max-lg:gap-x-3 max-lg:px-2.5'

/** By column. */
export const CELL = {
  call: 'lg:px-2.5 max-lg:min-w-0 max-lg:max-w-full max-lg:basis-full',
  turns: 'lg:w-34 lg:px-2.5 max-lg:pl-5',
  times: 'lg:w-14 lg:px-2.5 lg:text-right',
  result: 'lg:w-26 lg:px-2.5',
  tokens: 'lg:w-18 lg:px-2.5 lg:text-right',
  stopped: 'lg:w-26 lg:px-2.5',
} as const

/** A unit that the head of the column says on a wide screen. */
export const UNIT = 'text-soft lg:hidden'
