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

/** The text after edits, in pieces, or the bytes of a text after edits with bytes; see `applyEdits`. */
export function piecesAfter<Piece>(
  source: { readonly length: number; readonly slice: (start: number, end?: number) => Piece },
  edits: readonly (TextSpan & { readonly text: Piece })[],
): Piece[] {
  const pieces: Piece[] = []
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

/** The first `count` code points of a text. */
export function firstCodePoints(text: string, count: number): string {
  let end = 0
  for (let left = count; left > 0 && end < text.length; left--)
    end += (text.codePointAt(end) as number) > 0xffff ? 2 : 1
  return text.slice(0, end)
}

/**
 * Returns the first index from `low` to `high` for which `isBefore` is false, or `high`. Uses binary search, so every index
 * for which `isBefore` is true must come first.
 */
export function partitionPoint(low: number, high: number, isBefore: (index: number) => boolean) {
  let [start, end] = [low, high]
  while (start < end) {
    const middle = (start + end) >> 1
    if (isBefore(middle)) start = middle + 1
    else end = middle
  }
  return start
}

/**
 * A text in pieces, which are never joined. An engine keeps a string with two bytes per character if one of its characters
 * needs them; here only the piece with that character takes twice the memory.
 */
export class TextPieces implements TextSlices {
  readonly #pieces: string[] = []
  readonly #starts: Offset[] = []
  #length = 0

  get length(): number {
    return this.#length
  }

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#starts.push(this.#length)
    this.#length += piece.length
  }

  slice(start: Offset, end: Offset = this.#length): string {
    const starts = this.#starts
    let at = partitionPoint(0, starts.length, (index) => (starts[index] as Offset) <= start) - 1
    let text = ''
    for (; at < starts.length && (starts[at] as Offset) < end; at++) {
      const from = starts[at] as Offset
      text += (this.#pieces[at] as string).slice(Math.max(0, start - from), end - from)
    }
    return text
  }
}

/** Cuts a text into pieces of at most `length` UTF-16 code units (2 or more) without splitting surrogate pairs. */
export function* sliceText(text: TextSlices, length: number): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const piece = text.slice(start, start + length + 1)
    const part = piece.slice(0, isWithinPair(piece, length) ? length - 1 : length)
    yield part
    start += part.length
  }
}

/** True between the two halves of a surrogate pair. */
export function isWithinPair(text: string, at: Offset): boolean {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff
}

/** Engines cut shorter strings by copying. */
const SHORTEST_CUT = 13

/** A copy of a piece. Engines cut a longer string by reference, which would keep the whole text in memory. */
export function copyText(piece: string): string {
  return piece.length < SHORTEST_CUT ? piece : ` ${piece}`.slice(1)
}

/** Engines store Latin-1 text with one byte per character, so that this reads none of it. */
const BEYOND_LATIN_1 = /[^\0-\xff]/g
const SURROGATE_PAIR = /[\ud800-\udbff][\udc00-\udfff]/g

/** Index of the first character that is not in Latin-1, or -1. */
export function findBeyondLatin1(text: string): number {
  BEYOND_LATIN_1.lastIndex = 0
  // Faster than `search`, which sets the index and resets it.
  return BEYOND_LATIN_1.test(text) ? BEYOND_LATIN_1.lastIndex - 1 : -1
}

/** Counts the Unicode code points of a text; a lone surrogate counts as one. Everything before `from` is Latin-1. */
export function countCodePoints(text: string, from = findBeyondLatin1(text)): number {
  if (from === -1) return text.length
  SURROGATE_PAIR.lastIndex = from
  const first = SURROGATE_PAIR.exec(text)
  if (first === null) return text.length
  let count = text.length
  for (let index = first.index; index < text.length - 1; index++) {
    const high = text.charCodeAt(index)
    if (high < 0xd800 || high > 0xdbff) continue
    const low = text.charCodeAt(index + 1)
    if (low >= 0xdc00 && low <= 0xdfff) {
      count--
      index++
    }
  }
  return count
}
