/** Steps through the masked strings of a document, for the comparison of the two texts. */
import type { PlacedSlot } from '@/lib/core/mask/output-layout'
import type { LineColumn } from '@/lib/core/text/lines'
import type { DocumentDecisions } from '../policy/policy-view'
import { memoize } from '../select'

/** Indexes of the slots that a placeholder replaces, in document order. */
export const changedSlots = memoize(
  (slots: readonly PlacedSlot[], decisions: DocumentDecisions): readonly number[] =>
    slots.flatMap(({ conversation, result }, at) =>
      decisions[conversation]?.[result]?.placeholder === undefined ? [] : [at],
    ),
)

/**
 * Returns the index in `changed` of the next change after a position of the source, or of the previous one before it.
 * After the last change comes the first. Undefined if there is none.
 */
export function stepChange(
  slots: readonly PlacedSlot[],
  changed: readonly number[],
  from: LineColumn,
  isBack: boolean,
): number | undefined {
  if (changed.length === 0) return undefined
  const isBeyond = (slot: number) => {
    const order = compare(slots[slot] as PlacedSlot, from)
    return isBack ? order < 0 : order > 0
  }
  const found = isBack ? changed.findLastIndex(isBeyond) : changed.findIndex(isBeyond)
  if (found >= 0) return found
  return isBack ? changed.length - 1 : 0
}

function compare(first: LineColumn, second: LineColumn): number {
  return first.line - second.line || first.column - second.column
}
