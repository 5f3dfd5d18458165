import type { KeyboardEvent } from 'react'

/** Where a key moves the thumb of a slider: arrows by one, pages by `page`, Home and End to the ends. Undefined for other keys. */
export function stepOfKey(
  { key, ctrlKey, metaKey, altKey }: KeyboardEvent,
  page: number,
  at: number,
  first: number,
  last: number,
): number | undefined {
  if (ctrlKey || metaKey || altKey) return undefined
  const by = {
    ...{ ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 },
    ...{ PageDown: -page, PageUp: page },
  }[key]
  return by === undefined ? { Home: first, End: last }[key] : at + by
}
