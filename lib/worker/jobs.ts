/**
 * The jobs the worker does for the page: one table of names, inputs and outputs. Types only.
 * Everything in it is plain data, because it passes between threads by structured clone.
 */

import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Unpacked } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
import type { recommendFleet } from '@/lib/core/fleet/recommend-fleet'
import type { FormatId } from '@/lib/core/formats/read-document'
import type { Evidence, Format } from '@/lib/core/formats/reading/format'
import type { HistoryFinding } from '@/lib/core/integrity/check-history'
import type { RepeatedCallsOptions, RepeatedCallsReport } from '@/lib/core/loop/find-repeated-calls'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import type { RepairResult } from '@/lib/core/repair/repair-arguments'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import type { RepairSettings } from '@/lib/core/repair/repair-limits'
import type { Calibration } from '@/lib/core/replay/calibration/calibrate-session'
import type { MaskWindow } from '@/lib/core/replay/masking-plan'
import type { PreparedReplay } from '@/lib/core/replay/prepare-replay'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { TemplateCheck } from '@/lib/core/results/check-template'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import type { LosableUse } from '@/lib/core/uses/lost-uses'
import type { RefetchCosts } from '@/lib/core/uses/refetch-costs'
import type { Words } from '@/lib/core/words/words'
import type { BuiltNextRequest, RequestInput } from './build-request'
import type { FileMeasure, MeasureFileInput, NeedsMore, ParquetFile } from './file-jobs'
import type { OutputPart } from './output-parts'
import type { recogniseDocument, TriedRepair } from './text-jobs'

/** `Failure`: the ways in which a job can fail besides those that all jobs share (see `Outcome`). */
interface Job<Input, Output, Failure = never> {
  readonly input: Input
  readonly output: Output
  readonly failure: Failure
}

/** The worker stores the texts of the last document it read; jobs with a `document` name it by its id. */
export interface Jobs {
  read: Job<ReadInput, DocumentModel, Unreadable | { readonly state: 'needs_text' }>
  /** Counts the tokens of every conversation of the document, first those of the shown one, which are sent at once. */
  count: Job<OnDocument & { readonly shown?: number }, readonly ConversationCounts[]>
  /** Answers questions about the document, in their order; each output is sent as soon as it is there. */
  analyse: Job<OnDocument & { readonly questions: readonly Question[] }, readonly unknown[]>
  /** Counts the tokens of each result's placeholder, by conversation and result in document order. */
  countPlaceholders: Job<OnDocument & { readonly template: string }, readonly (readonly number[])[]>
  /** Checks placeholder templates on every result of a conversation. */
  checkTemplates: Job<
    OnConversation & { readonly templates: readonly string[] },
    readonly TemplateCheck[]
  >
  /** Decides every result of a session; the window, the batch and `enabled` play no part. */
  prepareReplay: Job<SessionInput, PreparedReplayWithoutSession>
  /** Finds where answers use what only tool results had told them. */
  findLaterUses: Job<OnSession, readonly LaterUse[]>
  /** Decides which of the later uses some window loses; the window, the batch and `enabled` play no part. */
  losableUses: Job<SessionInput, readonly LosableUse[]>
  /** Replays a session under one window, which takes too long on the page for a long session. */
  replay: Job<ReplayInput, SessionFigures>
  /** Replays a session over every window and batch. */
  sweep: Job<SessionInput & { readonly terms: CostTerms }, Sweep>
  /** Finds repeated calls in a conversation and what guards would have stopped. */
  findRepeatedCalls: Job<
    OnConversation & { readonly options: RepeatedCallsOptions },
    RepeatedCallsReport
  >
  /** Builds the request after the last turn of a conversation; undefined if it has no turn. */
  buildRequest: Job<RequestInput, BuiltNextRequest | undefined>
  /** Repairs the malformed arguments of the document's calls. */
  repair: Job<OnDocument & { readonly settings: RepairSettings }, DocumentRepair>
  /** Tells whether a text is a whole document; undefined if it is none, or one message alone. */
  recognise: Job<{ readonly text: string }, ReturnType<typeof recogniseDocument>>
  /** Repairs arguments that a user typed. */
  tryRepair: Job<{ readonly text: string; readonly settings: RepairSettings }, TriedRepair>
  /** `used`: the part of the budget that other archives have used up. */
  unpack: Job<
    { readonly name: string; readonly bytes: Uint8Array; readonly used: Unpacked },
    readonly UnpackedFile[]
  >
  /** The number of rows of a Parquet file, of which only the bytes that are needed are read, and at most `limit` names. */
  openParquet: Job<
    ParquetFile & { readonly limit: number },
    { readonly count: number; readonly names: readonly string[] },
    Unreadable
  >
  /** A row as JSON. */
  readParquetRow: Job<ParquetFile & { readonly row: number }, Uint8Array, Unreadable>
  /** Reads, counts and sums a file that is not open on the page. */
  measureFile: Job<MeasureFileInput, FileMeasure, Unreadable | NeedsMore>
  /** Recommends one window and batch for all sessions, and says what it does to each. */
  recommendFleet: Job<
    { readonly sums: readonly string[]; readonly advice: AdviceSettings },
    ReturnType<typeof recommendFleet>
  >
}

export type JobName = keyof Jobs

type QuestionName =
  | 'countPlaceholders'
  | 'prepareReplay'
  | 'findRepeatedCalls'
  | 'findLaterUses'
  | 'losableUses'
  | 'sweep'
  | 'repair'

/** A job that `analyse` does among others. */
export type Question = {
  [Name in QuestionName]: { readonly name: Name; readonly input: Jobs[Name]['input'] }
}[QuestionName]

/** How a job ended. `superseded`: a newer job of the same name, another document or a restart replaced it. */
export type Outcome<Name extends JobName> =
  | { readonly state: 'done'; readonly output: Jobs[Name]['output'] }
  | Jobs[Name]['failure']
  | { readonly state: 'superseded' }
  | { readonly state: 'crashed'; readonly message: Words }

export interface Unreadable {
  readonly state: 'unreadable'
  readonly problem: Problem
  /** Edits after which the text can be read; undefined if none are known. */
  readonly repair?: RepairResult['fixes'] | undefined
}

/** Receives the share done, and the parts of the output that were sent before the rest was done. */
export type OnProgress<Name extends JobName> = (
  done: number,
  output: Partial<Jobs[Name]['output']> | undefined,
) => void

/** Runs a job, in the worker or inline; it resolves even if the job crashes. */
export type RunJob = <Name extends JobName>(
  name: Name,
  input: Jobs[Name]['input'],
  onProgress?: OnProgress<Name>,
) => Promise<Outcome<Name>>

/** A job on its way to the worker. */
export type JobMessage<Name extends JobName = JobName> = {
  [Each in Name]: {
    readonly id: number
    readonly name: Each
    readonly input: Jobs[Each]['input']
  }
}[Name]

/** A port to a worker that helps to count, or to the worker to help. */
export type PortMessage = { readonly helper: MessagePort } | { readonly countFor: MessagePort }

/**
 * A message from the worker: a wish for helpers, the lock it holds while it lives, the share of a job done (0: it began), a part of its output,
 * or its outcome, in which an output sent in parts is left out.
 */
export type WorkerMessage =
  | { readonly wants: 'helpers' }
  | { readonly lock: string }
  | { readonly id: number; readonly part: OutputPart }
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly outcome: Outcome<JobName> }

interface OnDocument {
  readonly document: number
}

interface ReadInput extends OnDocument {
  readonly text: string
  /** The file that has the text: the worker's client sends it in place of the text, so that no copy is in memory. */
  readonly file?: Blob | undefined
  /** The format to read it as; undefined to detect it. */
  readonly format?: FormatId | undefined
}

interface OnConversation extends OnDocument {
  /** Index in the document. */
  readonly conversation: number
}

/** `session` is an index in `createSessions`. */
interface OnSession extends OnDocument {
  readonly session: number
}

export interface SessionInput extends OnSession {
  readonly policy: MaskPolicy
  /** Undefined to replay our own counts. */
  readonly calibration?: Calibration | undefined
}

interface ReplayInput extends SessionInput {
  readonly terms: CostTerms
  readonly window: MaskWindow
  /** Index of the earlier request shown. */
  readonly request: number | undefined
  /** True once the losable uses are known. */
  readonly hasLosses: boolean
}

interface SessionFigures {
  readonly figures: ReplayFigures
  /** Undefined without losses. */
  readonly refetched: RefetchCosts | undefined
}

/** A document as the page knows it: facts and spans, no texts. */
export interface DocumentModel {
  readonly format: FormatId
  readonly formatLabel: string
  readonly evidence: Evidence
  /** Every known format, for the format picker. */
  readonly formats: readonly (Pick<Format<FormatId>, 'id' | 'label' | 'expects'> & {
    /** True if the document can be read as this format. */
    readonly isRecognised: boolean
  })[]
  readonly layout: 'json' | 'jsonl'
  /** True for a JSON document with fewer lines than messages, which is worth formatting. */
  readonly isOnFewLines: boolean
  readonly conversations: readonly Conversation[]
  /** By conversation: what is wrong with its history, apart from arguments of calls. */
  readonly findings: readonly (readonly HistoryFinding[])[]
  readonly problems: readonly Problem[]
}

/** The page adds the session itself, which it already has. */
export type PreparedReplayWithoutSession = Omit<PreparedReplay, 'session'>
