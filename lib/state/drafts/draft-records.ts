/**
 * Records of a draft in the database. Texts have records of their own, so that moving a slider does not write the
 * transcript again. An edited text is stored as its difference from an earlier one.
 */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { TextSlices, TextSpan } from '@/lib/core/text/span'
import { TextPieces } from '@/lib/core/text/text-pieces'
import { nextTask } from '@/lib/worker/run-in-steps'
import type { DocumentExtras, DocumentOrigin, SourceText } from '../document/document-slice'

const CHARS_BETWEEN_PAUSES = 1_000_000

/** Bytes of a text in UTF-8, counted in several tasks. A lone surrogate counts as the character that replaces it. */
export async function utf8Length(text: string): Promise<number> {
  let bytes = text.length
  for (let start = 0; start < text.length; start += CHARS_BETWEEN_PAUSES) {
    if (start > 0) await nextTask()
    const end = Math.min(text.length, start + CHARS_BETWEEN_PAUSES)
    for (let at = start; at < end; at++) {
      const code = text.charCodeAt(at)
      if (code < 0x80) continue
      bytes += code < 0x800 ? 1 : 2
      // The two units of a pair are four bytes.
      if (code >= 0xdc00 && code < 0xe000 && isHigh(text.charCodeAt(at - 1))) bytes -= 2
    }
  }
  return bytes
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}

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

export const DRAFT_VERSION = 1

/** Written once and never changed. */
export type StoredText = { readonly text: string } | TextDifference

/** A text before it is stored; a long one is read in parts. */
export type TextToStore = { readonly text: TextSlices } | TextDifference

/** A text as it is loaded: one that was stored in parts is not joined. */
export type WholeText = Pick<SourceText, 'text' | 'pieces' | 'file'>

export type LoadedText = WholeText | TextDifference

/** The text stored under `base`, with one span replaced. */
interface TextDifference {
  readonly base: string
  readonly span: TextSpan
  readonly text: string
}

export interface TextRef {
  readonly key: string
  /** Key of the text it is a difference from; undefined if it is stored in full. */
  readonly base: string | undefined
  /** Stored size, in UTF-16 units. */
  readonly size: number
}

/** Facts for the list of drafts, which reads no texts. */
export interface DraftSummary {
  readonly id: string
  readonly name: string
  readonly origin: DocumentOrigin
  /** Undefined until the text is read, or if it cannot be read. */
  readonly formatLabel: string | undefined
  readonly turns: number | undefined
  /** Size of the text as UTF-8. */
  readonly bytes: number
  /** When it was last saved, in milliseconds since 1970. */
  readonly keptAt: number
}

export interface DraftRecord extends DraftSummary {
  readonly version: number
  /** New with every write; shows whether another tab has written meanwhile. */
  readonly revision: string
  /** Key of a conversation saved without being opened; undefined once the user has worked on it. */
  readonly thread?: string
  /** Keys of all texts of the draft. */
  readonly texts: readonly string[]
}

export interface StoredSource {
  readonly text: TextRef
  readonly name: string
  readonly origin: DocumentOrigin
  readonly readAs: SourceText['readAs']
  /** Index in `documents`. */
  readonly document: number
}

export interface StoredStep {
  readonly label: string
  readonly policy: MaskPolicy
  /** Index in `sources`. */
  readonly source: number
}

export interface StoredDocument {
  readonly draft: string
  /** Revision of that draft at the time of writing. */
  readonly revision: string | undefined
  readonly extras: DocumentExtras | undefined
}

export interface DraftBody {
  readonly version: number
  readonly documents: readonly StoredDocument[]
  readonly sources: readonly StoredSource[]
  /** Index in `sources`. */
  readonly source: number
  readonly policy: MaskPolicy
  readonly pinned: MaskPolicy | undefined
  readonly past: readonly StoredStep[]
  readonly future: readonly StoredStep[]
  readonly model: string | undefined
  readonly conversation: number
}

export interface LoadedDraft {
  readonly record: DraftRecord
  readonly body: DraftBody
  readonly texts: ReadonlyMap<string, LoadedText>
}

/** A random unique key. Unlike `crypto.randomUUID`, it also works on insecure pages. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
