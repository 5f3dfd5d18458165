import type { Column } from '@/lib/state/files/file-list-store'

/** Class of cells that a narrow screen leaves out. */
export const WIDE_ONLY = 'max-lg:hidden'

const ALWAYS: readonly Column[] = [
  'name',
  'before',
  'after',
  'saved',
  'cachedBefore',
  'cachedAfter',
  'cachedSaved',
]

export function isWideOnly(column: Column): boolean {
  return !ALWAYS.includes(column)
}

export function isTextColumn(column: Column): boolean {
  return column === 'name' || column === 'format' || column === 'model'
}
