/**
 * Records of a draft in the database. Texts have records of their own, so that moving a slider does not write the
 * transcript again. An edited text is stored as its difference from an earlier one, a step of the undo history as it is
 * remembered.
 */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Edit, TextSlices, TextSpan } from '@/lib/core/text/span'
import type { DocumentExtras, DocumentOrigin, SourceText } from '../document/document-slice'
import type { PolicyFrom, Snapshot } from '../policy/policy-slice'

/** A browser copies a value of the database in one block of the main thread. */
export const CHARS_OF_PART = 1_000_000

export const DRAFT_VERSION = 1

/** The text stored under `base`, with one span replaced. */
interface TextDifference {
  readonly base: string
  readonly span: TextSpan
  readonly text: string
}

/** Edits of the text of the next step: the neighbour on the side of the present. */
interface TextEdits {
  readonly edits: readonly Edit[]
}

/** A text before it is stored, once and for all; a long one is read in parts. */
export type TextToStore = { readonly text: TextSlices } | TextDifference | TextEdits

/** The texts that a draft can refer to. */
export interface TextsInStore {
  /** Keys of stored texts. */
  readonly stored: ReadonlySet<string>
  /** Texts to store, by key. */
  readonly added: Map<string, TextToStore>
}

/** A text as it is loaded: one that was stored in parts is not joined. */
export type WholeText = Pick<SourceText, 'text' | 'pieces' | 'file'>

export type LoadedText = WholeText | TextDifference | TextEdits

export interface TextRef {
  readonly key: string
  /** Key of the text it is a difference from; undefined if it is stored without one. */
  readonly base?: string | undefined
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
  /** Higher than that of every draft written before, whatever the clock says; older versions wrote none. */
  readonly order?: number
}

export const byNewest = (one: DraftSummary, other: DraftSummary): number =>
  (other.order ?? 0) - (one.order ?? 0) || other.keptAt - one.keptAt

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

/** Older versions wrote less of it. */
export interface StoredStep extends Partial<Pick<Snapshot, 'policyFrom' | 'mechanism' | 'chosen'>> {
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
  readonly policyFrom?: PolicyFrom
  readonly mechanism?: Snapshot['mechanism']
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
