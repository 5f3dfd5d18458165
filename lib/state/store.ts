/** The page's one store: what was given and chosen. Nothing derived is kept here; see `selectors.ts`. */
import { createStore } from 'zustand/vanilla'
import type { FormatId } from '@/lib/core/formats/format'
import { DEFAULT_POLICY, type MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import type { OwnTermsByModel } from '@/lib/core/replay/own-terms'
import type { PriceBook } from '@/lib/core/replay/price-book'
import type { Sweep } from '@/lib/core/replay/sweep'
import type { UnknownSessionKeys } from '@/lib/core/share/session-file'
import { LINK_DEFAULTS, type LinkView } from '@/lib/core/share/settings-link'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import type { DocumentModel, SessionlessFacts, TokensByResult } from '@/lib/worker/protocol'
import type { DraftNoticeCode } from './drafts/draft-notice-code'
import { EMPTY_HISTORY, type History } from './history'
import { INITIAL_LOOP, type LoopState } from './loop-store'
import { REPAIR_AT_FIRST, type RepairState } from './repair-state'
import type { SweepAxis } from './sweep-axis'

export type DocumentOrigin =
  | { readonly kind: 'sample'; readonly id: string }
  | { readonly kind: 'file' | 'paste' | 'typed' | 'link' | 'none' }

/** A text and where it came from. The text is the truth; editors are views of it. */
export interface SourceText {
  /** New for every change of the text. */
  readonly id: number
  /** The same for all states of one document; new when another is opened. */
  readonly document: number
  readonly text: string
  readonly name: string
  readonly origin: DocumentOrigin
  /** The format chosen to read it as; undefined for the one that recognises it. */
  readonly readAs?: FormatId | undefined
}

/** What goes with a document into its draft and its session file. */
export interface DocumentExtras {
  readonly notes: string
  /** Keys of its session file that this version does not know, kept as they were. */
  readonly unknown: UnknownSessionKeys
}

/** A text that could be read, with its model. */
export interface ReadSource {
  readonly source: SourceText
  readonly model: DocumentModel
}

export type Reading =
  | { readonly state: 'idle' }
  | { readonly state: 'reading'; readonly done: number }
  | { readonly state: 'read' }
  | { readonly state: 'failed'; readonly problem: Problem }

export interface Counted {
  /** Id of the source counted. */
  readonly source: number
  readonly counts: readonly ConversationCounts[]
}

export interface PlaceholdersCounted {
  readonly source: number
  readonly template: string
  readonly tokens: TokensByResult
}

/** What the worker answered to a question, known by the question's key. */
export interface Answered<Answer> {
  readonly key: string
  readonly answer: Answer
}

/** A message and, where one was meant, a result of the chosen conversation; by index. */
export interface Selection {
  readonly message: number
  readonly result: number | undefined
  /** Who chose it: the others follow, the chooser does not jump. */
  readonly by: 'source' | 'output' | 'timeline' | 'list' | 'page'
  /** New for every choice, so that choosing the same again jumps again. */
  readonly count: number
}

export type OutputView = LinkView

/** Something said to the user once, until dismissed; texts come from the catalogue. */
export interface Notice {
  readonly id: number
  readonly kind: 'error' | 'info'
  readonly code: NoticeCode
  readonly values: Readonly<Record<string, string | number>>
  /** What is wrong with what was refused; for the codes `problem` and `read_as_refused` only. */
  readonly problem: Problem | undefined
}

export type NoticeCode =
  | 'problem'
  | 'read_as_refused'
  | 'worker_restarted'
  | 'sample_missing'
  | 'link_value'
  | 'link_newer'
  | 'link_version'
  | 'link_own_text'
  | 'link_applied'
  | 'link_conversation'
  | 'link_transcript_waits'
  | 'link_transcript_damaged'
  | 'link_transcript_large'
  | 'copied'
  | 'copied_link'
  | 'copied_full_link'
  | 'copied_export'
  | 'config_taken'
  | 'config_problems'
  | 'config_failed'
  | 'copy_failed'
  | 'downloaded'
  | 'formatted'
  | 'opened'
  | 'body_taken'
  | 'line_ends'
  | 'copied_table'
  | 'run_taken'
  | 'run_not_taken'
  | 'unpacking'
  | DraftNoticeCode

export interface SampleEntry {
  readonly id: string
  readonly file: string
  readonly title: string
  readonly shows: string
  readonly turns: number
  readonly results: number
  readonly messages: number
  readonly bytes: number
}

/** One recorded session in the writing of a format. */
export interface FormatSampleEntry {
  readonly id: string
  readonly file: string
  /** The format's name. */
  readonly format: string
  readonly bytes: number
}

export interface ConfigFile {
  readonly name: string
  readonly text: string
}

export interface Snapshot {
  readonly policy: MaskPolicy
  readonly source: SourceText
}

export type BeforeLink = Pick<
  PlaygroundState,
  'policy' | 'pinned' | 'model' | 'view' | 'conversation' | 'unknownLinkPairs'
>

export interface PlaygroundState extends RepairState {
  readonly source: SourceText
  /** The newest text that could be read; behind `source` while that is being read or is broken. */
  readonly read: ReadSource | undefined
  readonly reading: Reading
  readonly counted: Counted | undefined
  /** Share of the tokens counted, from 0 to 1; undefined when no counting is under way. */
  readonly counting: number | undefined
  readonly placeholders: PlaceholdersCounted | undefined
  readonly policy: MaskPolicy
  readonly history: History<Snapshot>
  /** Index of the conversation shown. */
  readonly conversation: number
  readonly selection: Selection | undefined
  /** Name of the model chosen, such as `openai/gpt-5`; undefined for the transcript's own, else the default. */
  readonly model: string | undefined
  /** Undefined until it is loaded, after the first document is counted. */
  readonly priceBook: PriceBook | undefined
  readonly ownTerms: OwnTermsByModel
  /** The smallest window that is ever recommended. */
  readonly smallestWindow: number
  readonly sweepAxis: SweepAxis
  /** Index of the request looked back at; undefined for the one about to be sent. */
  readonly request: number | undefined
  readonly facts: Answered<SessionlessFacts> | undefined
  /** The grid of all windows, and the row of a batch that is not in it. */
  readonly sweeps: {
    readonly grid?: Answered<Sweep>
    readonly own?: Answered<Sweep>
  }
  readonly loop: LoopState
  readonly view: OutputView
  readonly notices: readonly Notice[]
  readonly samples: readonly SampleEntry[]
  readonly formatSamples: readonly FormatSampleEntry[]
  /** A config whose policy was taken, to be written back into. */
  readonly config: ConfigFile | undefined
  /** The policy compared with, A; undefined when none is pinned. */
  readonly pinned: MaskPolicy | undefined
  /** What the worker answered for A where it is not the answer for the policy set. */
  readonly pinnedAnswers: {
    readonly placeholders?: PlaceholdersCounted
    readonly facts?: Answered<SessionlessFacts>
  }
  /** Link pairs this version does not know, kept as they were. */
  readonly unknownLinkPairs: readonly (readonly [string, string])[]
  /** Index of the conversation a link asks for, until its document is read. */
  readonly linkConversation: number | undefined
  /** A link's transcript that waits for the reader's word, because it would take another's place. */
  readonly linkTranscript: string | undefined
  /** What a link opened over the running page changed, as it was before. */
  readonly beforeLink: BeforeLink | undefined
  /** By document. */
  readonly extras: Readonly<Record<number, DocumentExtras>>
  /** Own prices that those of a session file took the place of. */
  readonly replacedTerms: OwnTermsByModel
}

/** The name of a transcript that came without one. */
export const PASTED_NAME = 'pasted.json'

/** The name of a transcript that came in a link; whether it is JSON or lines of it is seen when it is read. */
export const LINKED_NAME = 'from-a-link'

export const EMPTY_SOURCE: SourceText = {
  id: 0,
  document: 0,
  text: '',
  name: '',
  origin: { kind: 'none' },
}

export const INITIAL_STATE: PlaygroundState = {
  source: EMPTY_SOURCE,
  read: undefined,
  reading: { state: 'idle' },
  counted: undefined,
  counting: undefined,
  placeholders: undefined,
  policy: LINK_DEFAULTS,
  history: EMPTY_HISTORY,
  conversation: 0,
  selection: undefined,
  model: undefined,
  priceBook: undefined,
  ownTerms: {},
  smallestWindow: DEFAULT_POLICY.windowTurns,
  sweepAxis: 'cached',
  request: undefined,
  facts: undefined,
  sweeps: {},
  ...REPAIR_AT_FIRST,
  loop: INITIAL_LOOP,
  view: 'masked',
  notices: [],
  samples: [],
  formatSamples: [],
  config: undefined,
  pinned: undefined,
  pinnedAnswers: {},
  unknownLinkPairs: [],
  linkConversation: undefined,
  linkTranscript: undefined,
  beforeLink: undefined,
  extras: {},
  replacedTerms: {},
}

export function createPlaygroundStore() {
  return createStore<PlaygroundState>(() => INITIAL_STATE)
}

export type PlaygroundStore = ReturnType<typeof createPlaygroundStore>
