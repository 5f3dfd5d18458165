import { partitionPoint } from './partition-point'
import type { Offset } from './span'
import type { TextSlices } from './text-slices'

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
