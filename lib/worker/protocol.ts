/** What the page asks of the worker and what it answers. Types only; plain data that structured clone carries. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Loss } from '@/lib/core/convert/loss'
import type { Unpacked } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
import type { Evidence, FormatChoice, FormatId } from '@/lib/core/formats/format'
import type { CallResult } from '@/lib/core/loop/call-result'
import type { Complaint } from '@/lib/core/loop/check-request'
import type { FollowUp, FollowUpOptions } from '@/lib/core/loop/follow-up'
import type { InspectOptions, LoopReport } from '@/lib/core/loop/loop-report'
import type { DocumentTotals } from '@/lib/core/mask/document-totals'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import type { RepairResult } from '@/lib/core/repair/repair-arguments'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import type { RepairBounds } from '@/lib/core/repair/repair-limits'
import type { RepairMetrics } from '@/lib/core/repair/repair-metrics'
import type { MaskFacts } from '@/lib/core/replay/mask-facts'
import type { CostTerms } from '@/lib/core/replay/replay'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { EncodingId } from '@/lib/core/tokens/encoding'

/** A document as the page knows it: facts and places, no texts. */
export interface DocumentModel {
  readonly format: FormatId
  readonly formatLabel: string
  readonly evidence: Evidence
  /** Every format there is, to choose another one. */
  readonly formats: readonly FormatChoice[]
  readonly layout: 'json' | 'jsonl'
  readonly conversations: readonly Conversation[]
  readonly problems: readonly Problem[]
}

/**
 * The worker keeps the texts of the last document it read; later jobs name it by its id.
 * Its encoding is fixed when it is started, by its name: code is loaded before any text is seen, never after.
 */
export type Job =
  | {
      readonly kind: 'read'
      readonly document: number
      readonly text: string
      /** The format to read it as; undefined for the one that recognises it. */
      readonly format?: FormatId | undefined
    }
  | {
      readonly kind: 'unpack'
      readonly name: string
      readonly bytes: Uint8Array
      /** What other archives have left of the budget. */
      readonly taken: Unpacked
    }
  | ({ readonly kind: 'survey' } & SurveyJob)
  | { readonly kind: 'count'; readonly document: number }
  | { readonly kind: 'repair'; readonly document: number; readonly limits: RepairBounds }
  | { readonly kind: 'try_repair'; readonly text: string; readonly limits: RepairBounds }
  | {
      readonly kind: 'loops'
      readonly document: number
      /** Its index in the document. */
      readonly conversation: number
      readonly options: InspectOptions
    }
  | { readonly kind: 'count_placeholders'; readonly document: number; readonly template: string }
  | ({ readonly kind: 'follow_up' } & FollowUpJob)
  | ({ readonly kind: 'mask_facts' } & SessionJob)
  | ({
      readonly kind: 'sweep'
      readonly terms: CostTerms
      readonly batches: readonly number[]
    } & SessionJob)

/** Totals of a whole file that is not the one open; it is remembered by its number until there are too many. */
export interface SurveyJob {
  readonly file: number
  /** Undefined to ask for a file that may be remembered. */
  readonly bytes: Uint8Array | undefined
  /** The model chosen; undefined for the file's own, else the default. */
  readonly model: string | undefined
  readonly policy: MaskPolicy
}

/** Arguments that were typed in, and what became of them. */
export interface TriedRepair {
  readonly text: string
  readonly result: Omit<RepairResult, 'value'>
  readonly metrics: RepairMetrics
}

/** A file that could be read, under a policy. */
export interface FileFacts {
  readonly formatLabel: string
  readonly problems: number
  readonly totals: DocumentTotals
}

/** A job on one session of a counted document; `session` is its index in `sessionsOf`. */
export interface SessionJob {
  readonly document: number
  readonly session: number
  /** Its window, batch and `enabled` are not read. */
  readonly policy: MaskPolicy
}

/** Asks for the request that follows the last turn of a conversation. */
export interface FollowUpJob {
  readonly document: number
  /** Its index in the document. */
  readonly conversation: number
  readonly results: readonly CallResult[]
  readonly options: FollowUpOptions
  readonly policy: MaskPolicy
  /** In milliseconds since 1970: the time of what is written here and now. */
  readonly now: number
}

/** A placeholder that stands in a masked request. */
export interface RequestPlaceholder {
  /** Index of its message in the request. */
  readonly message: number
  readonly callId: string
  readonly name: string
  readonly text: string
  /** It stands in the transcript already. */
  readonly isOld: boolean
}

export interface BuiltFollowUp extends Pick<FollowUp, 'calls' | 'history'> {
  /** What the conversation is not, or not quite, in chat completions. */
  readonly lost: readonly Loss[]
  /** The request as JSON over lines, as it is and as the policy masks it. */
  readonly texts: { readonly whole: string; readonly masked: string }
  readonly tokens: { readonly before: number; readonly after: number }
  /** Turns that are sent, the one that is answered included. */
  readonly turns: number
  readonly placeholders: readonly RequestPlaceholder[]
  readonly complaints: readonly Complaint[]
  /** What is kept of it: its key is the same for all requests that answer the same turn. */
  readonly thread: { readonly key: string; readonly text: string }
}

/** The session itself is known where the answer goes. */
export type SessionlessFacts = Omit<MaskFacts, 'session'>

/** By conversation and result, in the order of the document. */
export type TokensByResult = readonly (readonly number[])[]

export type JobResult =
  | { readonly kind: 'read'; readonly model: DocumentModel }
  | { readonly kind: 'unpacked'; readonly files: readonly UnpackedFile[] }
  | { readonly kind: 'surveyed'; readonly facts: FileFacts }
  /** The file is not remembered: ask again with its bytes. */
  | { readonly kind: 'needs_bytes' }
  /** The file's model is counted otherwise: ask a worker of that encoding. */
  | { readonly kind: 'needs_encoding'; readonly encoding: EncodingId }
  | { readonly kind: 'counted'; readonly counts: readonly ConversationCounts[] }
  | { readonly kind: 'placeholders_counted'; readonly tokens: TokensByResult }
  | { readonly kind: 'facts'; readonly facts: SessionlessFacts }
  | { readonly kind: 'swept'; readonly sweep: Sweep }
  | { readonly kind: 'repaired'; readonly repair: DocumentRepair }
  | { readonly kind: 'loops'; readonly report: LoopReport }
  /** Undefined where the conversation has no turn. */
  | { readonly kind: 'follow_up'; readonly followUp: BuiltFollowUp | undefined }
  | { readonly kind: 'tried'; readonly tried: TriedRepair }
  | { readonly kind: 'unreadable'; readonly problem: Problem }
  /** A newer job of the same kind, or another document, took its place. */
  | { readonly kind: 'superseded' }

export interface JobMessage {
  readonly id: number
  readonly job: Job
}

export type WorkerMessage =
  | { readonly id: number; readonly state: 'progress'; readonly done: number }
  | { readonly id: number; readonly state: 'done'; readonly result: JobResult }
  | { readonly id: number; readonly state: 'crashed'; readonly message: string }
