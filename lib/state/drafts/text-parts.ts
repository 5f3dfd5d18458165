import { TextPieces } from '@/lib/core/text/text-pieces'
import type { WholeText } from './draft-records'

/**
 * A long text of which one part arrives per task. It is not joined: views read the pieces, the worker reads the file, and
 * the engine copies the parts of the string only when the string is read.
 */
export class TextParts {
  readonly #pieces = new TextPieces()
  readonly #blobs: Blob[] = []
  #text = ''
  #isWellFormed = true
  /** The first half of a character that a part ends in. */
  #rest = ''

  add(part: string): void {
    this.#pieces.add(part)
    this.#text += part
    const known = this.#rest + part
    this.#rest = endsInHalf(known) ? known.slice(-1) : ''
    this.#encode(known.slice(0, known.length - this.#rest.length))
  }

  finish(): WholeText {
    this.#encode(this.#rest)
    // UTF-8 has no lone surrogates, so a file would have another text.
    const file = this.#isWellFormed ? new Blob(this.#blobs) : undefined
    return { text: this.#text, pieces: this.#pieces, file }
  }

  #encode(text: string): void {
    this.#isWellFormed &&= text.isWellFormed()
    if (this.#isWellFormed) this.#blobs.push(new Blob([text]))
  }
}

function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last < 0xdc00
}
