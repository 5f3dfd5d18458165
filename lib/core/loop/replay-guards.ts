/** Replays the guards of a tool loop over the calls of a transcript. A turn is a batch. */
import { refusedResult } from './call-result'
import type { GuardSwitches, LoopLimits } from './guards'
import {
  EMPTY_LOOP,
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
  stopOf,
} from './tool-call-manager'

/** Returns the calls the guards would have stopped, and what would have been sent. They do not enter the history. */
export function replayGuards(
  calls: readonly TurnCall[],
  timeOf: (turn: number) => number,
  { limits, guards }: { readonly limits: LoopLimits; readonly guards: GuardSwitches },
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
