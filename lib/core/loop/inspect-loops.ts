/**
 * Where a session ran in circles: the guards of a tool loop replayed over a transcript. A turn is a batch. Times are
 * those of the transcript where every turn has one; else a turn stands for a fixed time, and the report says so.
 */
import type { ReadConversation, ToolCall } from '../conversation/conversation'
import type { ConversationCounts } from '../tokens/count-conversation'
import { findCycles } from './find-cycles'
import type { LoopLimits } from './limits'
import { type MendArguments, signature } from './signature'
import {
  EMPTY_LOOP,
  type LoopState,
  type PendingCall,
  planBatch,
  type Refusal,
  recordExecution,
  refusalOf,
} from './tool-call-manager'

export interface InspectOptions {
  readonly limits: LoopLimits
  /** Without times: a signature is refused when it was run less than so many turns before. */
  readonly signatureTurns: number
  /** How often the same error must come from the same tool to be named. */
  readonly fewestErrors: number
}

/** By which clock the guards were asked. */
export type LoopClockSource = 'timestamps' | 'turn_order'

/** A call that does what an earlier one did; calls and results by their index in the conversation. */
export interface RepeatedCall {
  readonly call: number
  readonly turn: number
  /** The latest call before it with the same signature. */
  readonly earlier: number
  readonly turnsApart: number
  /** In milliseconds; undefined without times. */
  readonly timeApart: number | undefined
  readonly isSameBatch: boolean
  /** Whether both gave the same text; undefined when one has no result. */
  readonly isSameResult: boolean | undefined
  /** Tokens of its own results, which a guard would have spared. */
  readonly tokens: number
}

export interface StoppedCall {
  readonly call: number
  readonly turn: number
  readonly guard: 'batch_limit' | 'duplicate' | Refusal
  readonly tokens: number
}

export interface PingPong {
  /** The calls that take turns, in their order. */
  readonly calls: readonly number[]
  /** Tokens of the results after the first round. */
  readonly tokens: number
}

export interface RepeatedError {
  readonly toolName: string | undefined
  /** At least `fewestErrors`. */
  readonly results: readonly number[]
  /** Tokens of all but the first. */
  readonly tokens: number
}

export interface LoopReport {
  readonly clock: LoopClockSource
  /** Calls looked at: those with an id, in a turn. */
  readonly calls: number
  readonly repeats: readonly RepeatedCall[]
  /** What the guards would not have run, each call once, by the first guard that stops it. */
  readonly stopped: readonly StoppedCall[]
  readonly pingPongs: readonly PingPong[]
  readonly repeatedErrors: readonly RepeatedError[]
}

/** Replays the guards over a conversation; `counts` are its own. Linear in its calls, but for the guards' history. */
export function inspectLoops(
  conversation: ReadConversation,
  counts: ConversationCounts,
  mend: MendArguments,
  options: InspectOptions,
): LoopReport {
  const calls = callsOf(conversation, mend)
  const resultsOf = resultsByCall(conversation, calls)
  const tokensOf = (call: number) =>
    (resultsOf.get(call) ?? []).reduce((sum, at) => sum + (counts.results[at] as number), 0)
  const times = timesOfTurns(conversation)
  const clock = times === undefined ? 'turn_order' : 'timestamps'
  const turnTime = options.limits.signatureWindow / Math.max(1, options.signatureTurns)
  const timeOf = (turn: number) => times?.[turn] ?? turn * turnTime
  const textOf = (call: number) => {
    const results = resultsOf.get(call)
    return results && JSON.stringify(results.map((at) => conversation.resultTexts[at]))
  }
  return {
    clock,
    calls: calls.length,
    repeats: repeatsOf(calls, textOf, tokensOf, times),
    stopped: stoppedOf(calls, timeOf, tokensOf, options.limits),
    pingPongs: findCycles(calls.map(({ pending }) => pending.signature)).map((cycle) => {
      const stretch = calls.slice(cycle.start, cycle.start + cycle.length).map(({ at }) => at)
      return { calls: stretch, tokens: sum(stretch.slice(2).map(tokensOf)) }
    }),
    repeatedErrors: repeatedErrorsOf(conversation, counts, options.fewestErrors),
  }
}

interface TurnCall {
  /** Index in the conversation. */
  readonly at: number
  readonly turn: number
  readonly pending: PendingCall
}

function callsOf(conversation: ReadConversation, mend: MendArguments): TurnCall[] {
  const inMessage = new Map<number, number>()
  return conversation.calls.flatMap(({ id, name, message, turn }: ToolCall, at) => {
    const position = inMessage.get(message) ?? 0
    inMessage.set(message, position + 1)
    if (id === undefined || turn === undefined) return []
    const written = conversation.messageTexts[message]?.calls[position]?.arguments ?? ''
    const own = { id, name: name ?? '', arguments: written }
    return [{ at, turn, pending: { ...own, signature: signature(own, mend) } }]
  })
}

/** Results answer the latest turn that bears their id, as everywhere. */
function resultsByCall(
  { results }: ReadConversation,
  calls: readonly TurnCall[],
): ReadonlyMap<number, readonly number[]> {
  const callOfId = new Map(calls.map(({ at, pending }) => [pending.id, at]))
  const found = new Map<number, number[]>()
  for (const [index, { callId, turn }] of results.entries()) {
    const call = turn === undefined || callId === undefined ? undefined : callOfId.get(callId)
    if (call === undefined) continue
    const own = found.get(call)
    if (own === undefined) found.set(call, [index])
    else own.push(index)
  }
  return found
}

/** One time a turn, never before the last; undefined unless every turn has one. */
function timesOfTurns({ messages }: ReadConversation): readonly number[] | undefined {
  const times = messages.flatMap(({ turn, at }) => (turn === undefined ? [] : [at]))
  let latest = Number.NEGATIVE_INFINITY
  const inOrder: number[] = []
  for (const time of times) {
    if (time === undefined) return undefined
    latest = Math.max(latest, time)
    inOrder.push(latest)
  }
  return inOrder.length === 0 ? undefined : inOrder
}

function repeatsOf(
  calls: readonly TurnCall[],
  textOf: (call: number) => string | undefined,
  tokensOf: (call: number) => number,
  times: readonly number[] | undefined,
): RepeatedCall[] {
  const latest = new Map<string, TurnCall>()
  return calls.flatMap((call) => {
    const earlier = latest.get(call.pending.signature)
    latest.set(call.pending.signature, call)
    if (earlier === undefined) return []
    const [own, other] = [textOf(call.at), textOf(earlier.at)]
    const [now, then] = [times?.[call.turn], times?.[earlier.turn]]
    return [
      {
        call: call.at,
        turn: call.turn,
        earlier: earlier.at,
        turnsApart: call.turn - earlier.turn,
        timeApart: now === undefined || then === undefined ? undefined : now - then,
        isSameBatch: call.turn === earlier.turn,
        isSameResult: own === undefined || other === undefined ? undefined : own === other,
        tokens: tokensOf(call.at),
      },
    ]
  })
}

function stoppedOf(
  calls: readonly TurnCall[],
  timeOf: (turn: number) => number,
  tokensOf: (call: number) => number,
  limits: LoopLimits,
): StoppedCall[] {
  const stopped: StoppedCall[] = []
  let state: LoopState = EMPTY_LOOP
  for (let first = 0; first < calls.length; ) {
    const { turn } = calls[first] as TurnCall
    let end = first
    while (calls[end]?.turn === turn) end++
    const batch = calls.slice(first, end)
    const now = timeOf(turn)
    const plans = planBatch(
      batch.map(({ pending }) => pending),
      limits,
    )
    for (const [index, { call, plan }] of plans.entries()) {
      const { at } = batch[index] as TurnCall
      const refusal =
        plan === 'run' ? refusalOf(state, call, String(turn), now, limits)?.code : undefined
      const guard =
        plan === 'dropped' ? 'batch_limit' : plan === 'duplicate' ? 'duplicate' : refusal
      if (guard !== undefined) stopped.push({ call: at, turn, guard, tokens: tokensOf(at) })
      else {
        const { id: callId, signature: own } = call
        state = recordExecution(
          state,
          { callId, signature: own, batch: String(turn), at: now },
          limits,
        )
      }
    }
    first = end
  }
  return stopped
}

function repeatedErrorsOf(
  { results, resultTexts }: ReadConversation,
  counts: ConversationCounts,
  fewest: number,
): RepeatedError[] {
  const groups = new Map<string, number[]>()
  for (const [index, { errorRules, toolName }] of results.entries()) {
    if (errorRules.length === 0) continue
    const key = JSON.stringify([toolName, resultTexts[index]])
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [index])
    else group.push(index)
  }
  return [...groups.values()]
    .filter((group) => group.length >= Math.max(2, fewest))
    .map((group) => ({
      toolName: results[group[0] as number]?.toolName,
      results: group,
      tokens: sum(group.slice(1).map((at) => counts.results[at] as number)),
    }))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
