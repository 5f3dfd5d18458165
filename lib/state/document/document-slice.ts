/** State of the open document: its text, what was read and counted of it, and what is selected in it. */
import type { FormatId } from '@/lib/core/formats/read-document'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import type { RepairFix } from '@/lib/core/repair/parser/parser'
import type { LinkView } from '@/lib/core/share/link/settings-link'
import type { UnknownSessionKeys } from '@/lib/core/share/session-file'
import type { TextSlices } from '@/lib/core/text/span'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { Language } from '@/lib/messages/languages'
import type { DocumentModel } from '@/lib/worker/jobs'

export type DocumentOrigin =
  | { readonly kind: 'sample'; readonly id: string }
  | { readonly kind: 'file' | 'paste' | 'typed' | 'link' | 'none' }

/** A text and its origin. Editors are views of it. */
export interface SourceText {
  /** New for every change of the text. */
  readonly id: number
  /** The same for all texts of one document; new when another is opened. */
  readonly document: number
  readonly text: string
  /**
   * The same text as it was decoded: engines join the parts of `text` once one of its characters is read, which blocks the
   * page for 0.2 s at 50 MB. Undefined for a text that is short or edited.
   */
  readonly pieces?: TextSlices | undefined
  /** The file that the text was read from, which the worker reads again; undefined for a text that is short or edited. */
  readonly file?: Blob | undefined
  readonly name: string
  readonly origin: DocumentOrigin
  /** The format chosen by the user; undefined to detect it. */
  readonly readAs?: FormatId | undefined
  /** A new policy that applies once the text is read, since the document before is shown until then. */
  readonly policyChange?: PolicyChange | undefined
}

export interface PolicyChange {
  readonly before: MaskPolicy
  readonly after: MaskPolicy
}

/** Data saved with a document in its draft and its session file. */
export interface DocumentExtras {
  readonly notes: string
  /** Keys of its session file that this version does not know; they are written back unchanged. */
  readonly unknown: UnknownSessionKeys
}

/** A text that could be read, with its model. */
export interface ReadSource {
  readonly source: SourceText
  readonly model: DocumentModel
}

export type ReadingState =
  | { readonly state: 'idle' }
  | { readonly state: 'reading'; readonly done: number }
  | { readonly state: 'read' }
  | {
      readonly state: 'failed'
      readonly problem: Problem
      /** Edits of the source text after which it can be read; undefined if none are known. */
      readonly repair: readonly RepairFix[] | undefined
      /** Formats to read it as; undefined if it is not JSON. */
      readonly formats?: DocumentModel['formats'] | undefined
    }

/** A selected message of the shown conversation and, if one was meant, a result; by index. */
export interface Selection {
  readonly message: number
  readonly result: number | undefined
  /** The view that selected it. The other views scroll to it. */
  readonly by: 'source' | 'output' | 'timeline' | 'list' | 'results' | 'page'
  /** New for every selection, so that selecting the same message scrolls again. */
  readonly count: number
}

export interface SampleEntry {
  readonly id: string
  readonly file: string
  readonly title: Readonly<Record<Language, string>>
  readonly shows: Readonly<Record<Language, string>>
  readonly turns: number
  readonly results: number
  readonly messages: number
  readonly bytes: number
}

/** A recorded session in one format. */
export interface FormatSampleEntry extends Pick<SampleEntry, 'id' | 'file' | 'bytes'> {
  /** Name of the format. */
  readonly format: string
}

/** A whole document that was pasted into another one, until the user decides. */
export interface PastedDocument {
  readonly text: string
  /** The source before it was pasted. */
  readonly before: SourceText
  /** Id of the source after it was pasted. */
  readonly after: number
}

export interface DocumentSlice {
  readonly source: SourceText
  /** The newest text that could be read; older than `source` while that is being read or is broken. */
  readonly read?: ReadSource | undefined
  readonly reading: ReadingState
  /** Token counts of the source with this id. */
  readonly counted?:
    | { readonly source: number; readonly counts: readonly ConversationCounts[] }
    | undefined
  /** Counts of the conversation that was shown when the counting began, while the others are counted. */
  readonly countedFirst?:
    | {
        readonly source: number
        readonly conversation: number
        readonly counts: ConversationCounts
      }
    | undefined
  /** Share of the tokens counted, from 0 to 1; undefined while nothing is being counted. */
  readonly counting?: number | undefined
  /** Index of the shown conversation. */
  readonly conversation: number
  readonly selection?: Selection | undefined
  /** Chosen on this page or by a link. */
  readonly view?: LinkView | undefined
  /** Chosen last when the page was open before. */
  readonly earlierView?: LinkView | undefined
  /** The view of the costs that was shown last. */
  readonly costView?: LinkView | undefined
  /** The document whose JSON is shown even if it is too large for the editors. */
  readonly jsonDocument?: number | undefined
  readonly pasted?: PastedDocument | undefined
  /** By document. */
  readonly extras: Readonly<Record<number, DocumentExtras>>
  readonly samples: readonly SampleEntry[]
  readonly formatSamples: readonly FormatSampleEntry[]
}

/** The name of a transcript that was pasted: of JSON Lines if its first line is closed and another one opens below it. */
export function pastedName(text: string): string {
  const start = Math.max(0, text.search(/\S/))
  const end = text.indexOf('\n', start)
  if (end === -1) return 'pasted.json'
  const isClosed = /[\]}]\s*$/.test(text.slice(Math.max(start + 1, end - 99), end))
  const isOpened = /^\s*[[{]/.test(text.slice(end))
  return /[[{]/.test(text[start] ?? '') && isClosed && isOpened ? 'pasted.jsonl' : 'pasted.json'
}

/** The name of a transcript from a link; it may be JSON or JSON Lines. */
export const LINKED_NAME = 'from-a-link'

export const INITIAL_DOCUMENT: DocumentSlice = {
  source: { id: 0, document: 0, text: '', name: '', origin: { kind: 'none' } },
  reading: { state: 'idle' },
  conversation: 0,
  extras: {},
  samples: [],
  formatSamples: [],
}
