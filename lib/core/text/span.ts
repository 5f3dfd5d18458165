/** A text from which spans are read: a string, or pieces of one. Offsets are in UTF-16 code units. */
export interface TextSlices {
  readonly length: number
  readonly slice: (start: number, end?: number) => string
}

/** A position in a text, in UTF-16 code units from its start. */
export type Offset = number

/** A range of a text, from `start` to `end` (exclusive). */
export interface TextSpan {
  readonly start: Offset
  readonly end: Offset
}

/** A replacement of one span of a source text; offsets always refer to the original text. */
export interface Edit extends TextSpan {
  readonly text: string
}

/**
 * Applies edits to a text; everything outside their spans is unchanged.
 * Edits must be in ascending order and must not overlap; a `RangeError` names the first that is out of order.
 */
export function applyEdits(source: TextSlices, edits: readonly Edit[]): string {
  return piecesAfter(source, edits).join('')
}

/** The text after edits, in pieces; see `applyEdits`. */
export function piecesAfter(source: TextSlices, edits: readonly Edit[]): string[] {
  const pieces: string[] = []
  let position = 0
  for (const [index, edit] of edits.entries()) {
    if (edit.start < position || edit.end < edit.start || edit.end > source.length) {
      throw new RangeError(
        `edits[${index}] covers ${edit.start}-${edit.end}; expected a span from ${position} to ${source.length} in ascending order.`,
      )
    }
    pieces.push(source.slice(position, edit.start), edit.text)
    position = edit.end
  }
  pieces.push(source.slice(position))
  return pieces
}

/**
 * Returns the first index from `low` to `high` for which `isBefore` is false, or `high`. Uses binary search, so every index
 * for which `isBefore` is true must come first.
 */
export function partitionPoint(
  low: number,
  high: number,
  isBefore: (index: number) => boolean,
): number {
  let [start, end] = [low, high]
  while (start < end) {
    const middle = (start + end) >> 1
    if (isBefore(middle)) start = middle + 1
    else end = middle
  }
  return start
}
