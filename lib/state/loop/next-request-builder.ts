/**
 * The request that the worker builds from the form. The worker is asked only while the
 * form is in view.
 */
import { createStore } from 'zustand/vanilla'
import { type CallResult, failureOf, type ResultCode } from '@/lib/core/loop/call-result'
import type { UnansweredCall } from '@/lib/core/loop/next-request'
import type { BuiltNextRequest } from '@/lib/worker/build-request'
import type { Playground } from '../playground'
import { memoize } from '../select'
import type { PlaygroundState } from '../store'
import {
  type CustomResult,
  type CustomResults,
  INITIAL_INPUTS,
  type NextRequestInputs,
  refusalLanguageOf,
  type StyleChoice,
  styleTextOf,
  usualModelOf,
} from './next-request-inputs'

export type { BuiltNextRequest }

export interface NextRequestState {
  readonly inputs: NextRequestInputs
  /** The newest output and its job, which may be older than the form and even on another document. */
  readonly answered:
    | { readonly job: RequestJob; readonly nextRequest: BuiltNextRequest | undefined }
    | undefined
}

const NONE: CustomResults = new Map()

export type NextRequestBuilder = ReturnType<typeof createNextRequestBuilder>

export function createNextRequestBuilder(playground: Playground) {
  const page = playground.store
  const store = createStore<NextRequestState>(() => ({
    inputs: INITIAL_INPUTS,
    answered: undefined,
  }))
  const { getState: get, setState: set } = store
  let watching = 0

  let isBuilding = false
  /** What got no answer, until the text is read again. */
  let failed: { readonly job: RequestJob; readonly read: PlaygroundState['read'] } | undefined

  /** Asks for the request that the form describes; the last one stays in view until it is there. */
  const build = async (): Promise<void> => {
    const { read } = page.getState()
    const job = jobOf(page.getState(), get().inputs)
    if (watching === 0 || isBuilding || job === undefined || get().answered?.job === job) return
    if (failed?.job === job && failed.read === read) return
    isBuilding = true
    const outcome = await playground.run('buildRequest', { ...job.input, now: Date.now() })
    isBuilding = false
    if (outcome.state === 'done') set({ answered: { job, nextRequest: outcome.output } })
    else failed = { job, read }
    void build()
  }

  const change = (part: Partial<NextRequestInputs>) => {
    set(({ inputs }) => ({ inputs: { ...inputs, ...part } }))
    void build()
  }
  const changeResults = (edit: (results: Map<string, CustomResult>) => void) => {
    const { results } = get().inputs
    const key = conversationKey(page.getState())
    const edited = new Map(results.get(key))
    edit(edited)
    change({ results: new Map(results).set(key, edited) })
  }

  return {
    store,
    /** Updates the request until the returned function is called. */
    watch: (): (() => void) => {
      watching++
      const stop = page.subscribe(() => void build())
      void build()
      return () => {
        watching--
        stop()
      }
    },
    /** Undefined brings back the recorded result, or none. */
    setResult: (callId: string, result: CustomResult | undefined) =>
      changeResults((results) => {
        if (result === undefined) results.delete(callId)
        else results.set(callId, result)
      }),
    /** Applies simulated results to the calls of the turn; returns how many matched. */
    applyResults: (given: readonly CallResult[]): number => {
      const ids = new Set(nextRequestOf(page.getState(), get())?.calls.map(({ id }) => id))
      const fitting = given.filter(({ tool_call_id: id }) => ids.has(id))
      changeResults((results) => {
        for (const result of fitting) results.set(result.tool_call_id, customResultOf(result))
      })
      return fitting.length
    },
    setStyle: (style: StyleChoice) => {
      const { customStyle, style: before } = get().inputs
      // The user's text starts as a copy of the message chosen before.
      const isFirst = style === 'custom' && customStyle === '' && before !== 'none'
      change({ style, ...(isFirst && { customStyle: styleTextOf(get().inputs) }) })
    },
    setStyleText: (customStyle: string) => change({ style: 'custom', customStyle }),
    /** Changes fields other than the style and the results. */
    change: (part: Partial<Omit<NextRequestInputs, 'style' | 'customStyle' | 'results'>>) =>
      change(part),
  }
}

/** The user's results for the shown conversation. */
export function customResultsOf(
  state: PlaygroundState,
  { results }: NextRequestInputs,
): CustomResults {
  return results.get(conversationKey(state)) ?? NONE
}

/**
 * The request built for the shown conversation; it may be out of date for a moment. Undefined until the first is
 * built, and if the conversation has no turn.
 */
export function nextRequestOf(
  state: PlaygroundState,
  { answered }: NextRequestState,
): BuiltNextRequest | undefined {
  const isShown = state.read !== undefined && answered?.job.of === conversationKey(state)
  return isShown ? answered.nextRequest : undefined
}

/** The calls that the next request answers; empty if there is no turn, undefined until the worker answers. */
export function turnCallsOf(
  state: PlaygroundState,
  builder: NextRequestState,
): readonly UnansweredCall[] | undefined {
  const built = nextRequestOf(state, builder)
  if (built !== undefined) return built.calls
  return state.read === undefined || isNextRequestCurrent(state, builder) ? NO_CALLS : undefined
}

const NO_CALLS: readonly UnansweredCall[] = []

/** True if the built request matches the form. */
export function isNextRequestCurrent(state: PlaygroundState, builder: NextRequestState): boolean {
  return builder.answered?.job === jobOf(state, builder.inputs)
}

function conversationKey({ read, conversation }: PlaygroundState): string {
  return `${read?.source.document}/${conversation}`
}

type RequestJob = ReturnType<typeof requestJob>

const requestJob = memoize(
  (
    document: number,
    conversation: number,
    policy: PlaygroundState['policy'],
    inputs: NextRequestInputs,
    results: CustomResults,
    usualModel: string,
    of: string,
  ) => {
    const { results: _, customStyle: __, ...fields } = inputs
    const input = {
      document,
      conversation,
      policy,
      results: [...results].map(([id, result]) => callResultOf(id, result)),
      options: {
        ...fields,
        style: styleTextOf(inputs),
        // Without a text there is none.
        isWithoutStyle: styleTextOf(inputs).trim() === '',
        model: inputs.model.trim() || usualModel,
        language: refusalLanguageOf(inputs),
      },
    }
    return { of, input }
  },
)

function jobOf(state: PlaygroundState, inputs: NextRequestInputs) {
  const { read, conversation, policy } = state
  if (read === undefined) return undefined
  const results = customResultsOf(state, inputs)
  const model = usualModelOf(state)
  const of = conversationKey(state)
  return requestJob(read.source.id, conversation, policy, inputs, results, model, of)
}

function callResultOf(id: string, { text, isError, code }: CustomResult): CallResult {
  // The builder fills in the name from the call.
  const call = { id, name: '' }
  if (isError) return failureOf(call, code, text)
  return { tool_call_id: id, name: '', content: text, success: true }
}

function customResultOf({ content, success }: CallResult): CustomResult {
  if (success) return { text: content, isError: false, code: 'TOOL_MANAGER_ERROR' }
  const { error, code } = JSON.parse(content) as { error: string; code: ResultCode }
  return { text: error, isError: true, code }
}
