/** A position in a text, in UTF-16 code units from its start. */
export type Offset = number

/** A stretch of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: Offset
  readonly end: Offset
}

/** A replacement of one span of a source text; offsets always refer to the original text. */
export interface Edit extends Span {
  readonly text: string
}

/**
 * Returns `source` with every edit carried out; what lies outside the edits' spans is unchanged.
 * Edits come in ascending order and never overlap; a `RangeError` names the first that does.
 */
export function applyEdits(source: string, edits: readonly Edit[]): string {
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
  return pieces.join('')
}
