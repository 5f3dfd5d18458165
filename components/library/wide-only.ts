import type { Column } from '@/lib/state/library-store'

/** Of cells a narrow screen has no room for. */
export const WIDE_ONLY = 'max-lg:hidden'

const ALWAYS: readonly Column[] = ['name', 'before', 'after', 'saved']

export function isWideOnly(column: Column): boolean {
  return !ALWAYS.includes(column)
}
