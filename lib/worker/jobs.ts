/**
 * The jobs the worker does for the page: one table of names, inputs and outputs. Types only.
 * Everything in it is plain data, because it passes between threads by structured clone.
 */

import type { Unpacked } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
import type { recommendFleet } from '@/lib/core/fleet/recommend-fleet'
import type { FormatId } from '@/lib/core/formats/read-document'
import type { RepeatedCallsOptions, RepeatedCallsReport } from '@/lib/core/loop/find-repeated-calls'
import type { MainCurve, PricedHistory } from '@/lib/core/mechanisms/best-settings'
import type { Settings } from '@/lib/core/mechanisms/mechanism'
import type { MeasuredMechanism } from '@/lib/core/mechanisms/mechanism-view'
import type { SentRequest } from '@/lib/core/mechanisms/write-request'
import type { PolicyOfModel } from '@/lib/core/policy/break-even'
import type { Problem } from '@/lib/core/problem'
import type { RepairResult } from '@/lib/core/repair/repair-arguments'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import type { RepairSettings } from '@/lib/core/repair/repair-limits'
import type { Calibration } from '@/lib/core/replay/calibration/calibrate-session'
import type { SessionLimits } from '@/lib/core/replay/limit/session-limit'
import type { MaskWindow, PreparedReplay } from '@/lib/core/replay/prepare-replay'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { moveCosts } from '@/lib/core/replay/replay'
import type { ReplayFigures } from '@/lib/core/replay/replay-figures'
import type { CostTerms } from '@/lib/core/replay/request-terms'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { LaterUse } from '@/lib/core/uses/find-later-uses'
import type { LosableUse, RefetchCosts } from '@/lib/core/uses/lost-uses'
import type { Words } from '@/lib/core/words/words'
import type {
  BuiltNextRequest,
  RequestInput,
  recogniseDocument,
  TriedRepair,
} from './build-request'
import type { DocumentModel } from './document-model'
import type { MeasureFileInput, NeedsMore, ParquetFile } from './file-jobs'
import type { FileMeasure } from './file-sessions'
import type { OutputPart } from './output-parts'

export type { DocumentModel }

/** `Failure`: the ways in which a job can fail besides those that all jobs share (see `Outcome`). */
interface Job<Input, Output, Failure = never> {
  readonly input: Input
  readonly output: Output
  readonly failure: Failure
}

/** The worker stores the texts of the last document it read. */
export interface Jobs {
  /**
   * Reads a text, counts its tokens and answers what the page wants to know of it; every part is sent as soon as it is
   * there. It goes on until another text is open.
   */
  open: Job<OpenInput, never, Unreadable | { readonly state: 'needs_text' }>
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
    Awaited<ReturnType<typeof recommendFleet>>
  >
}

/** What the page can ask of the open document; all but `countPlaceholders` is answered once it is counted. */
export interface Questions {
  /** Counts the tokens of each result's placeholder, by conversation and result in document order. */
  countPlaceholders: Job<OnDocument & { readonly template: string }, readonly (readonly number[])[]>
  /** Decides every result of a session; the window, the batch and `enabled` play no part. */
  prepareReplay: Job<SessionInput, PreparedReplayWithoutSession>
  /** Replays a session under one window, which takes too long on the page for a long session. */
  replay: Job<ReplayInput, { figures: ReplayFigures; refetched: RefetchCosts | undefined }>
  /** Builds the request after the last turn of a conversation; null if it has no turn. */
  buildRequest: Job<OnConversation & RequestInput, BuiltNextRequest | null>
  /** Finds repeated calls in a conversation and what guards would have stopped. */
  findRepeatedCalls: Job<
    OnConversation & { readonly options: RepeatedCallsOptions },
    RepeatedCallsReport
  >
  /** Finds where answers use what only tool results had told them. */
  findLaterUses: Job<OnSession, readonly LaterUse[]>
  /** Decides which of the later uses some window loses; the window, the batch and `enabled` play no part. */
  losableUses: Job<SessionInput, readonly LosableUse[]>
  /** Replays a session over every window and batch. */
  sweep: Job<SessionInput & { readonly terms: CostTerms }, Sweep>
  /** Finds the least that a session can cost with a window, and with `hasMoves` what each move at break-even cost and saved. */
  limit: Job<
    SessionInput & {
      readonly terms: CostTerms
      readonly windowTurns: number
      readonly hasMoves: boolean
    },
    LimitAnswer
  >
  /** Replays a session under another mechanism: with these settings, or by default and at its cheapest settings; null if nobody knows it. */
  mechanism: Job<MechanismInput, MeasuredMechanism | null>
  /** The same at each value of its main setting, with the other settings as given; null without one. */
  mechanismCurve: Job<MechanismInput, MainCurve | null>
  /** Writes the request that a mechanism sends last, or an earlier one; null if none can be seen. */
  sentRequest: Job<SentRequestInput, SentRequest | null>
  /** Repairs the malformed arguments of the document's calls. */
  repair: Job<OnDocument & { readonly settings: RepairSettings }, DocumentRepair>
}

export interface LimitAnswer extends SessionLimits {
  readonly moves: ReturnType<typeof moveCosts>
}

export type QuestionName = keyof Questions

/** A job or a question with its input. */
type Asked<
  Table extends Readonly<Record<Name, Job<unknown, unknown, unknown>>>,
  Name extends keyof Table,
> = {
  [Each in Name]: { readonly id: number; readonly name: Each; readonly input: Table[Each]['input'] }
}[Name]

/** Its id is the same for the same input. */
export type Question = Asked<Questions, QuestionName>

/** What the page wants of a document it opened. */
export interface Wanted {
  /** The conversation that is shown, which is counted first. */
  readonly shown: number
  /** Most urgent first. */
  readonly questions: readonly Question[]
}

/** A part of what is known of an open document. */
export type Part =
  | { readonly name: 'model'; readonly at: number; readonly output: DocumentModel }
  /** The counts of the conversation `at`, before those of all are there. */
  | { readonly name: 'shown'; readonly at: number; readonly output: ConversationCounts }
  | { readonly name: 'counts'; readonly at: number; readonly output: readonly ConversationCounts[] }
  /** The answer to the question with the id `at`. */
  | { readonly name: 'answer'; readonly at: number; readonly output: unknown }

export type JobName = keyof Jobs

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
  /** Formats to read the text as, if it is JSON. */
  readonly formats?: DocumentModel['formats'] | undefined
}

export interface JobListener {
  /** Receives the share done: of the reading, then of the counting. */
  readonly onProgress?: (done: number) => void
  /** Receives the parts of an open document. */
  readonly onPart?: (part: Part) => void
}

/** The page's access to a running job, given by the worker or by a test that runs jobs inline. */
export interface JobContext {
  /** Receives the share done, from 0 to 1. */
  readonly onProgress: (done: number) => void
  /** Receives a part of an open document. */
  readonly onPart?: (part: Part) => void
  /** Resolves after other messages have been handled. */
  readonly pause: () => Promise<void>
}

/** Runs a job, in the worker or inline; it resolves even if the job crashes. */
export type RunJob = <Name extends JobName>(
  name: Name,
  input: Jobs[Name]['input'],
  listener?: JobListener,
) => Promise<Outcome<Name>>

/** A job on its way to the worker. */
export type JobMessage<Name extends JobName = JobName> = Asked<Jobs, Name>

/** A message about no new job: what is now wanted of a document, or a port to a worker that helps to count or is helped. */
export type OtherMessage =
  | { readonly document: number; readonly wanted: Wanted }
  | { readonly helper: MessagePort }
  | { readonly countFor: MessagePort }

/**
 * A message from the worker: a wish for helpers, the lock it holds while it lives, the share of a job done (0: it began),
 * a piece of a part and the part that the pieces before it make, or a job's outcome.
 */
export type WorkerMessage =
  | { readonly wants: 'helpers' }
  | { readonly lock: string }
  | { readonly id: number; readonly done: number }
  | { readonly id: number; readonly piece: OutputPart }
  | { readonly id: number; readonly part: Pick<Part, 'name' | 'at'> }
  | { readonly id: number; readonly outcome: Outcome<JobName> }

interface OnDocument {
  readonly document: number
}

export interface OpenInput extends OnDocument {
  readonly wanted: Wanted
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

export interface OnCountedSession extends OnSession {
  /** Undefined to replay our own counts. */
  readonly calibration?: Calibration | undefined
}

export interface SessionInput extends OnCountedSession {
  readonly policy: PolicyOfModel
}

export interface MechanismInput extends OnCountedSession, Omit<PricedHistory, 'history'> {
  readonly id: string
  /** The share of later uses that is to be kept. */
  readonly keptShare: number
  readonly settings?: Settings
}

export interface SentRequestInput extends OnCountedSession {
  readonly mechanism: Required<Pick<MechanismInput, 'id' | 'settings'>>
  readonly request: number | undefined
}

interface ReplayInput extends SessionInput {
  readonly terms: CostTerms
  readonly window: MaskWindow
  /** Index of the earlier request shown. */
  readonly request: number | undefined
  /** True once the losable uses are known. */
  readonly hasLosses: boolean
}

/** The page adds the session itself, which it already has. */
export type PreparedReplayWithoutSession = Omit<PreparedReplay, 'session'>
