import type { ReadConversation, ToolCall } from '../conversation/conversation'
import { refusedResult, stopOf } from './call-result'
import type { RepeatedCallsOptions, StoppedCall } from './repeated-calls-report'
import { type RepairArgumentsText, signature } from './signature'
import {
  EMPTY_LOOP,
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
} from './tool-call-manager'

export interface GuardReplay {
  /** In milliseconds, never decreasing. */
  readonly timeOf: (turn: number) => number
  readonly resultsOf: (call: number) => readonly number[]
  /** Tokens of a call's results. */
  readonly tokensOf: (call: number) => number
  readonly countTokens: (text: string) => number
}

/** Returns the calls the guards would have stopped. A stopped call does not enter the history. */
export function replayGuards(
  calls: readonly TurnCall[],
  { timeOf, resultsOf, tokensOf, countTokens }: GuardReplay,
  { limits, guards }: Pick<RepeatedCallsOptions, 'limits' | 'guards'>,
): StoppedCall[] {
  const stopped: StoppedCall[] = []
  let state: LoopState = EMPTY_LOOP
  for (const batch of batchesOf(calls)) {
    const { turn } = batch[0] as TurnCall
    const now = timeOf(turn)
    state = withoutOlder(state, now - Math.max(limits.idWindow, limits.signatureWindow))
    const asked = { id: String(turn), calls: batch.map(({ pending }) => pending) }
    for (const [index, planned] of planBatch(asked.calls, limits, guards).entries()) {
      const { call } = planned
      const stop = stopOf(planned, state, asked, now, limits, guards)
      if (stop === undefined) {
        const { id: callId, signature } = call
        state = recordExecution(state, { callId, signature, batch: asked.id, at: now }, limits)
        continue
      }
      const { at } = batch[index] as TurnCall
      const refusalTokens = countTokens(refusedResult(call, stop).content)
      const { guard } = stop
      const saved = { results: resultsOf(at), tokens: tokensOf(at), refusalTokens }
      stopped.push({ call: at, turn, guard, ...saved })
    }
  }
  return stopped
}

/** Drops executions too old for any guard, so that a long history stays fast. */
function withoutOlder(state: LoopState, time: number): LoopState {
  const first = state.history.findIndex(({ at }) => at > time)
  return { ...state, history: first === -1 ? [] : state.history.slice(first) }
}

/** A call of a transcript as input for the guards. */
export interface TurnCall {
  /** Index in the conversation. */
  readonly at: number
  readonly turn: number
  readonly pending: PendingCall
}

/** Returns the calls that guards can check, in order: those that have an id and belong to a turn. */
export function callsOfTurns(
  conversation: ReadConversation,
  repair: RepairArgumentsText,
): TurnCall[] {
  return conversation.calls.flatMap(({ id, name, turn }: ToolCall, at) => {
    if (id === undefined || turn === undefined) return []
    const text = conversation.callArguments[at] as string
    const call = { id, name: name ?? '', arguments: text }
    return [{ at, turn, pending: { ...call, signature: signature(call, repair) } }]
  })
}

/** Groups calls by turn. Turns without calls are skipped. */
export function batchesOf(calls: readonly TurnCall[]): (readonly TurnCall[])[] {
  const batches: TurnCall[][] = []
  for (const call of calls) {
    const last = batches.at(-1)
    if (last?.[0]?.turn === call.turn) last.push(call)
    else batches.push([call])
  }
  return batches
}
