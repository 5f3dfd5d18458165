/**
 * Finds repeated calls in a session, and replays the guards of a tool loop over it to show which calls they would
 * have stopped. A turn is a batch. Uses the transcript's times if every turn has one; otherwise every turn lasts a
 * fixed time, and the report says so. Calls, turns and results are indices in the conversation.
 */
import { addToGroup } from '../conversation/add-to-group'
import { looksLikeError, type ReadConversation, type ToolCall } from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'
import { refusedResult } from './call-result'
import { type RepairArgumentsText, signature } from './signature'
import {
  EMPTY_LOOP,
  type GuardSwitches,
  type LoopLimits,
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
  stopOf,
} from './tool-call-manager'

export interface RepeatedCallsOptions {
  readonly limits: LoopLimits
  /** A guard that is off leaves its calls to the other guards. */
  readonly guards: GuardSwitches
  /** Without times: a signature is refused if it was run fewer than this many turns before. */
  readonly signatureTurns: number
  /** Number of identical errors of one tool from which they are reported. */
  readonly fewestErrors: number
}

export type RepeatedCallsReport = Readonly<ReturnType<typeof findRepeatedCalls>>
/** A call with the same signature as an earlier one. */
export type RepeatedCall = RepeatedCallsReport['repeats'][number]
/** A call with the id of an earlier one. Both may differ, but a guard by id treats them as the same. */
export type RepeatedId = RepeatedCallsReport['repeatedIds'][number]

/** Returns the repeated calls of a conversation. Linear in the calls, except for the guards' history. */
export function findRepeatedCalls(
  conversation: ReadConversation,
  counts: ConversationCounts,
  countTokens: (text: string) => number,
  repair: RepairArgumentsText,
  options: RepeatedCallsOptions,
) {
  const { limits, signatureTurns, fewestErrors } = options
  const calls = callsOfTurns(conversation, repair)
  const signatureOf = new Map(calls.map(({ at, pending }) => [at, pending.signature]))
  const results = resultsByCall(conversation, calls)
  const resultsOf = (call: number) => results.get(call) ?? []
  const tokensOfResults = (own: readonly number[]) =>
    own.reduce((sum, at) => sum + (counts.results[at] as number), 0)
  const tokensOf = (call: number) => tokensOfResults(resultsOf(call))
  const { times, timedTurns } = timesOfTurns(conversation)
  const turnTime = limits.signatureWindow / Math.max(1, signatureTurns)
  const timeOf = (turn: number) => times?.[turn] ?? turn * turnTime
  const resultTextOf = (call: number) => {
    const own = results.get(call)
    return own && JSON.stringify(own.map((at) => conversation.resultTexts[at]))
  }
  /** Pairs each call with the latest earlier call of the same key, whose result a guard would have saved. */
  const repeatsBy = (keyOf: (call: PendingCall) => string) => {
    const latest = new Map<string, TurnCall>()
    return calls.flatMap((call) => {
      const key = keyOf(call.pending)
      const earlier = latest.get(key)
      latest.set(key, call)
      if (earlier === undefined) return []
      const [now, then] = [times?.[call.turn], times?.[earlier.turn]]
      const turnsApart = call.turn - earlier.turn
      // In milliseconds.
      const timeApart = now === undefined || then === undefined ? undefined : now - then
      const tokens = tokensOf(call.at)
      return [
        { call: call.at, turn: call.turn, earlier: earlier.at, turnsApart, timeApart, tokens },
      ]
    })
  }
  return {
    clock: times === undefined ? ('turn_order' as const) : ('timestamps' as const),
    /** Number of turns with a time. The guards use the transcript's times only if every turn has one. */
    timedTurns,
    /** Number of calls checked: those that have an id and belong to a turn. */
    calls: calls.length,
    repeats: repeatsBy(({ signature: own }) => own).map((repeat) => {
      const [own, other] = [resultTextOf(repeat.call), resultTextOf(repeat.earlier)]
      return {
        ...repeat,
        isSameBatch: repeat.turnsApart === 0,
        /** Undefined if one has no result. */
        isSameResult: own === undefined || other === undefined ? undefined : own === other,
      }
    }),
    repeatedIds: repeatsBy(({ id }) => id).map((repeat) => ({
      ...repeat,
      isSameCall: signatureOf.get(repeat.call) === signatureOf.get(repeat.earlier),
    })),
    /** Calls over the limit of their batch, with their index in it. */
    overLimit: batchesOf(calls).flatMap((batch) =>
      batch.slice(limits.callsPerBatch).map(({ at: call, turn }, beyond) => {
        return { call, turn, position: limits.callsPerBatch + beyond, tokens: tokensOf(call) }
      }),
    ),
    /** Each stopped call is listed once, with the tokens of the results and those of the refusal sent instead. */
    stopped: replayGuards(calls, timeOf, options).map(({ refusal, ...stopped }) => ({
      ...stopped,
      results: resultsOf(stopped.call),
      tokens: tokensOf(stopped.call),
      refusalTokens: countTokens(refusal),
    })),
    /** Calls that alternate, and the tokens of the results after the first round. */
    pingPongs: findPingPongs(calls.map(({ pending }) => pending.signature)).map((span) => {
      const run = calls.slice(span.start, span.start + span.length).map(({ at }) => at)
      return { calls: run, tokens: run.slice(2).reduce((sum, call) => sum + tokensOf(call), 0) }
    }),
    /** The same errors of a tool, and the tokens of all but the first. */
    repeatedErrors: repeatedErrorsOf(conversation, fewestErrors).map((same) => ({
      toolName: conversation.results[same[0] as number]?.toolName,
      results: same,
      tokens: tokensOfResults(same.slice(1)),
    })),
  }
}

/** Consecutive items in which two values alternate: A, B, A, B. */
interface PingPongRun {
  readonly start: number
  /** At least four. */
  readonly length: number
}

const PERIOD = 2
const FEWEST_ROUNDS = 2

/** Returns each longest run of A, B, A, B … with at least two rounds and A different from B. Linear, no overlap. */
export function findPingPongs(items: readonly string[]): PingPongRun[] {
  const runs: PingPongRun[] = []
  let start = 0
  for (let at = 1; at <= items.length; at++) {
    const alternates =
      at < items.length &&
      items[at] !== items[at - 1] &&
      (at - start < PERIOD || items[at] === items[at - PERIOD])
    if (alternates) continue
    const isPingPong = at - start >= PERIOD * FEWEST_ROUNDS
    if (isPingPong) runs.push({ start, length: at - start })
    // The last two items may start the next run, but an item belongs to one run only.
    start = isPingPong || items[at] === items[at - 1] ? at : at - 1
  }
  return runs
}

/**
 * Maps each call to its results. A result belongs to the latest call with its id before it, so a call that reuses an
 * id has only its own results. Masking assigns the results of both calls to the later turn.
 */
function resultsByCall(
  { results, calls: all }: ReadConversation,
  calls: readonly TurnCall[],
): ReadonlyMap<number, readonly number[]> {
  const callsOfId = new Map<string, number[]>()
  for (const { at, pending } of calls) addToGroup(callsOfId, pending.id, at)
  const found = new Map<number, number[]>()
  for (const [index, { callId, message }] of results.entries()) {
    const known = callsOfId.get(callId as string)
    const isBefore = (call: number) => (all[call] as ToolCall).message <= message
    const call = known?.findLast(isBefore) ?? known?.[0]
    if (call !== undefined) addToGroup(found, call, index)
  }
  return found
}

/** Times of the turns, never decreasing; undefined unless every turn has one. */
function timesOfTurns({ messages }: ReadConversation) {
  const turns = messages.filter(({ turn }) => turn !== undefined)
  const times = turns.flatMap(({ writtenAt }) => writtenAt ?? [])
  const timedTurns = times.length
  if (timedTurns === 0 || timedTurns < turns.length) return { times: undefined, timedTurns }
  for (let turn = 1; turn < timedTurns; turn++)
    times[turn] = Math.max(times[turn] as number, times[turn - 1] as number)
  return { times, timedTurns }
}

/** The results of a tool with the same error, for each error that occurs often enough. */
function repeatedErrorsOf(
  { results, resultTexts }: ReadConversation,
  fewest: number,
): readonly number[][] {
  const groups = new Map<string, number[]>()
  for (const [index, { errorRules, toolName }] of results.entries())
    if (looksLikeError(errorRules))
      addToGroup(groups, JSON.stringify([toolName, resultTexts[index]]), index)
  return [...groups.values()].filter(({ length }) => length >= Math.max(2, fewest))
}

/** Returns the calls the guards would have stopped, and what would have been sent. They do not enter the history. */
export function replayGuards(
  calls: readonly TurnCall[],
  timeOf: (turn: number) => number,
  { limits, guards }: Pick<RepeatedCallsOptions, 'limits' | 'guards'>,
) {
  let state: LoopState = EMPTY_LOOP
  return batchesOf(calls).flatMap((batch) => {
    const { turn } = batch[0] as TurnCall
    const [id, now] = [String(turn), timeOf(turn)]
    // Executions too old for any guard are dropped, so that a long history stays fast.
    const oldest = now - Math.max(limits.idWindow, limits.signatureWindow)
    const first = state.history.findIndex(({ at }) => at > oldest)
    state = { ...state, history: first === -1 ? [] : state.history.slice(first) }
    const pending = batch.map((one) => one.pending)
    return planBatch(pending, limits, guards).flatMap((planned, index) => {
      const { call } = planned
      const stop = stopOf(planned, state, id, now, limits, guards)
      if (stop !== undefined) {
        const refusal = refusedResult(call, stop).content
        return [{ call: (batch[index] as TurnCall).at, turn, guard: stop.guard, refusal }]
      }
      const execution = { callId: call.id, signature: call.signature, batch: id, at: now }
      state = recordExecution(state, execution, limits)
      return []
    })
  })
}

/** A call of a transcript as input for the guards. */
export interface TurnCall {
  /** Index in the conversation. */
  readonly at: number
  readonly turn: number
  readonly pending: PendingCall
}

/** Returns the calls that guards can check, in order: those that have an id and belong to a turn. */
function callsOfTurns(conversation: ReadConversation, repair: RepairArgumentsText): TurnCall[] {
  return conversation.calls.flatMap(({ id, name, turn }: ToolCall, at) => {
    if (id === undefined || turn === undefined) return []
    const text = conversation.callArguments[at] as string
    const call = { id, name: name ?? '', arguments: text }
    return [{ at, turn, pending: { ...call, signature: signature(call, repair) } }]
  })
}

/** Groups calls by turn. Turns without calls are skipped. */
function batchesOf(calls: readonly TurnCall[]): (readonly TurnCall[])[] {
  const batches: TurnCall[][] = []
  for (const call of calls) {
    const last = batches.at(-1)
    if (last?.[0]?.turn === call.turn) last.push(call)
    else batches.push([call])
  }
  return batches
}
