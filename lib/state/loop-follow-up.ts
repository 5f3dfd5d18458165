/**
 * The follow-up request of the conversation shown: what was chosen for it, and what the worker built of it. Asked for
 * only while somebody looks; one question at a time, the newest next.
 */
import { createStore } from 'zustand/vanilla'
import { type CallResult, failureOf, type ResultCode } from '@/lib/core/loop/call-result'
import { FOLLOW_UP_HISTORY, type FollowUpCall } from '@/lib/core/loop/follow-up'
import { STYLE_MESSAGES, type StyleLanguage } from '@/lib/core/loop/style-message'
import type { BuiltFollowUp, FollowUpJob } from '@/lib/worker/protocol'
import { modelNameOf } from './models'
import type { Playground } from './playground'
import { remembered } from './remembered'
import { conversationOf } from './selectors'
import type { PlaygroundState } from './store'

export type StyleChoice = StyleLanguage | 'own' | 'none'

/** A result given for a call in place of what is recorded, if anything is. */
export interface OwnResult {
  /** The result itself; of an error, its sentence. */
  readonly text: string
  readonly isError: boolean
  /** Sent with an error only. */
  readonly code: ResultCode
}

/** By id of the call, as the request has it. */
type OwnResults = ReadonlyMap<string, OwnResult>

export interface FollowUpInputs {
  readonly style: StyleChoice
  /** The text of one's own. */
  readonly ownStyle: string
  readonly historyMessages: number
  /** Undefined for the transcript's own, else the page's. */
  readonly model: string | undefined
  readonly leavesOutTools: boolean
  /** By document and conversation. */
  readonly results: ReadonlyMap<string, OwnResults>
}

export type { BuiltFollowUp }

type Question = Omit<FollowUpJob, 'now'>

export interface FollowUpState {
  readonly inputs: FollowUpInputs
  /** The newest answer; it may answer an older question, of another document even. */
  readonly answered:
    | {
        readonly question: Question
        /** Document and conversation it is of. */
        readonly of: string
        readonly followUp: BuiltFollowUp | undefined
      }
    | undefined
}

export const MOST_HISTORY = 100_000

export const INITIAL_INPUTS: FollowUpInputs = {
  style: 'en',
  ownStyle: '',
  historyMessages: FOLLOW_UP_HISTORY,
  model: undefined,
  leavesOutTools: false,
  results: new Map(),
}

const NONE: OwnResults = new Map()

export type FollowUpTool = ReturnType<typeof createFollowUpTool>

export function createFollowUpTool(playground: Playground) {
  const page = playground.store
  const store = createStore<FollowUpState>(() => ({ inputs: INITIAL_INPUTS, answered: undefined }))
  const { getState: get, setState: set } = store
  let watching = 0
  let isAsking = false

  const ask = async (): Promise<void> => {
    const question = questionOf(page.getState(), get().inputs)
    if (isAsking || watching === 0 || question === undefined) return
    if (get().answered?.question === question) return
    const of = conversationKey(page.getState())
    isAsking = true
    const result = await playground.run({ kind: 'follow_up', ...question, now: Date.now() })
    isAsking = false
    if (result?.kind === 'follow_up') {
      set({ answered: { question, of, followUp: result.followUp } })
    }
    // The same is asked again only once the page has changed: a worker that failed has no document until it reads anew.
    if (questionOf(page.getState(), get().inputs) !== question) await ask()
  }

  const change = (part: Partial<FollowUpInputs>) => {
    set(({ inputs }) => ({ inputs: { ...inputs, ...part } }))
    void ask()
  }
  const changeResults = (edit: (results: Map<string, OwnResult>) => void) => {
    const { results } = get().inputs
    const key = conversationKey(page.getState())
    const own = new Map(results.get(key))
    edit(own)
    change({ results: new Map(results).set(key, own) })
  }

  return {
    store,
    /** Keeps the request up to date for as long as somebody looks; returns the way to stop. */
    watch: (): (() => void) => {
      watching++
      const stop = page.subscribe(() => void ask())
      void ask()
      return () => {
        watching--
        stop()
      }
    },
    /** Undefined goes back to what is recorded, or to a call that was not run. */
    setResult: (callId: string, result: OwnResult | undefined) =>
      changeResults((results) => {
        if (result === undefined) results.delete(callId)
        else results.set(callId, result)
      }),
    /** Takes the results of a run for the calls that are answered; says how many. */
    takeResults: (given: readonly CallResult[]): number => {
      const ids = new Set(followUpOf(page.getState(), get())?.calls.map(({ id }) => id))
      const fitting = given.filter(({ tool_call_id: id }) => ids.has(id))
      changeResults((results) => {
        for (const result of fitting) results.set(result.tool_call_id, ownResultOf(result))
      })
      return fitting.length
    },
    setStyle: (style: StyleChoice) => {
      const { ownStyle, style: before } = get().inputs
      // One's own text begins as the one that was there.
      const isFirst = style === 'own' && ownStyle === '' && before !== 'none'
      change({ style, ...(isFirst && { ownStyle: styleTextOf(get().inputs) }) })
    },
    setStyleText: (ownStyle: string) => change({ style: 'own', ownStyle }),
    setHistory: (historyMessages: number) => change({ historyMessages }),
    setModel: (model: string | undefined) => change({ model }),
    setLeavesOutTools: (leavesOutTools: boolean) => change({ leavesOutTools }),
  }
}

/** The text of the style message; empty where it is left out. */
export function styleTextOf({ style, ownStyle }: FollowUpInputs): string {
  if (style === 'none') return ''
  return style === 'own' ? ownStyle : STYLE_MESSAGES[style]
}

/** The model named in the request. */
export function requestModelOf(state: PlaygroundState, { model }: FollowUpInputs): string {
  if (model !== undefined) return model
  const { name } = modelNameOf(state)
  // Providers know their models without their own name before it.
  return conversationOf(state)?.model ?? name.slice(name.indexOf('/') + 1)
}

/** The results given for the conversation shown. */
export function ownResultsOf(state: PlaygroundState, { results }: FollowUpInputs): OwnResults {
  return results.get(conversationKey(state)) ?? NONE
}

/** What was built for the conversation shown, perhaps a moment behind; undefined until then, and where there is no turn. */
export function followUpOf(
  state: PlaygroundState,
  { answered }: FollowUpState,
): BuiltFollowUp | undefined {
  if (state.read === undefined || answered?.of !== conversationKey(state)) return undefined
  return answered.followUp
}

/** The calls of the turn that is followed up, none where there is no turn; undefined while they are looked for. */
export function turnCallsOf(
  state: PlaygroundState,
  own: FollowUpState,
): readonly FollowUpCall[] | undefined {
  const built = followUpOf(state, own)
  if (built !== undefined) return built.calls
  return state.read === undefined || isFollowUpCurrent(state, own) ? NO_CALLS : undefined
}

const NO_CALLS: readonly FollowUpCall[] = []

/** Whether what was built is of what is chosen now. */
export function isFollowUpCurrent(state: PlaygroundState, own: FollowUpState): boolean {
  return own.answered?.question === questionOf(state, own.inputs)
}

function conversationKey({ read, conversation }: PlaygroundState): string {
  return `${read?.source.document}/${conversation}`
}

const question = remembered(
  (
    document: number,
    conversation: number,
    policy: PlaygroundState['policy'],
    results: OwnResults,
    style: string,
    historyMessages: number,
    model: string,
    leavesOutTools: boolean,
  ): Question => ({
    document,
    conversation,
    policy,
    results: [...results].map(([id, result]) => callResultOf(id, result)),
    options: {
      style,
      historyMessages,
      model: model.trim() === '' ? undefined : model.trim(),
      leavesOutTools,
    },
  }),
)

function questionOf(state: PlaygroundState, inputs: FollowUpInputs): Question | undefined {
  const { read, conversation, policy } = state
  if (read === undefined) return undefined
  return question(
    read.source.id,
    conversation,
    policy,
    ownResultsOf(state, inputs),
    styleTextOf(inputs),
    inputs.historyMessages,
    requestModelOf(state, inputs),
    inputs.leavesOutTools,
  )
}

function callResultOf(id: string, { text, isError, code }: OwnResult): CallResult {
  // The request has the names of its calls.
  const call = { id, name: '' }
  if (isError) return failureOf(call, code, text)
  return { tool_call_id: id, name: '', content: text, success: true }
}

function ownResultOf({ content, success }: CallResult): OwnResult {
  if (success) return { text: content, isError: false, code: 'TOOL_MANAGER_ERROR' }
  const { error, code } = JSON.parse(content) as { error: string; code: ResultCode }
  return { text: error, isError: true, code }
}
