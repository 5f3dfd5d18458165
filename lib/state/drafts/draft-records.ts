/**
 * What is kept of a draft. Texts lie apart from the rest, so that moving a slider never writes a transcript again,
 * and a text that was typed on is kept as its difference from the one before.
 */
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Span } from '@/lib/core/text/span'
import type { DocumentExtras, DocumentOrigin, SourceText } from '../store'

export const DRAFT_VERSION = 1

/** Written once and never changed. */
export type KeptText =
  | { readonly text: string }
  /** The text kept as `base`, with one stretch replaced. */
  | { readonly base: string; readonly span: Span; readonly text: string }

export interface TextRef {
  readonly key: string
  /** The whole text it is a difference from; undefined when it is whole itself. */
  readonly base: string | undefined
  /** What is kept for it, in UTF-16 units. */
  readonly size: number
}

/** What lists show; small, so that listing reads no texts. */
export interface DraftSummary {
  readonly id: string
  readonly name: string
  readonly origin: DocumentOrigin
  /** Undefined until the text was read, or when it cannot be. */
  readonly formatLabel: string | undefined
  readonly turns: number | undefined
  /** Of the text as UTF-8. */
  readonly bytes: number
  /** When it was last kept, in milliseconds since 1970. */
  readonly keptAt: number
}

export interface DraftRecord extends DraftSummary {
  readonly version: number
  /** New with every writing: tells whether another tab wrote meanwhile. */
  readonly revision: string
  /** The thread it was kept as; undefined for what the reader opened or has worked on. */
  readonly thread?: string
  /** Keys of all texts the draft needs. */
  readonly texts: readonly string[]
}

export interface KeptSource {
  readonly text: TextRef
  readonly name: string
  readonly origin: DocumentOrigin
  readonly readAs: SourceText['readAs']
  /** Index in `documents`. */
  readonly document: number
}

export interface KeptStep {
  readonly label: string
  readonly policy: MaskPolicy
  /** Index in `sources`. */
  readonly source: number
}

export interface KeptDocument {
  readonly draft: string
  /** Of that draft, when this was written. */
  readonly revision: string | undefined
  readonly extras: DocumentExtras | undefined
}

export interface DraftBody {
  readonly version: number
  readonly documents: readonly KeptDocument[]
  readonly sources: readonly KeptSource[]
  /** Index in `sources`. */
  readonly source: number
  readonly policy: MaskPolicy
  readonly pinned: MaskPolicy | undefined
  readonly past: readonly KeptStep[]
  readonly future: readonly KeptStep[]
  readonly model: string | undefined
  readonly conversation: number
}

/** A draft with all its texts. */
export interface LoadedDraft {
  readonly record: DraftRecord
  readonly body: DraftBody
  readonly texts: ReadonlyMap<string, KeptText>
}
