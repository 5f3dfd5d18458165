import type { ReadConversation, ToolCall } from '../conversation/conversation'
import { type GuardStop, refusedResult } from './call-result'
import type { RepeatedCallsOptions, StoppedCall } from './repeated-calls-report'
import { type RepairArgumentsText, signature } from './signature'
import {
  EMPTY_LOOP,
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
  refusalOf,
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
    const pending = batch.map((call) => call.pending)
    for (const [index, { call, plan, repeats }] of planBatch(pending, limits, guards).entries()) {
      const stop = stopOf()
      if (stop === undefined) {
        const { id: callId, signature } = call
        const execution = { callId, signature, batch: String(turn), at: now }
        state = recordExecution(state, execution, limits)
        continue
      }
      const { at } = batch[index] as TurnCall
      const refusalTokens = countTokens(refusedResult(call, stop).content)
      stopped.push({
        call: at,
        turn,
        guard: stop.guard,
        results: resultsOf(at),
        tokens: tokensOf(at),
        refusalTokens,
      })

      function stopOf(): GuardStop | undefined {
        switch (plan) {
          case 'dropped':
            return { guard: 'batch_limit', limit: limits.callsPerBatch }
          case 'duplicate':
            return { guard: 'duplicate', first: (pending[repeats as number] as PendingCall).id }
          case 'run': {
            const refusal = refusalOf(state, call, String(turn), now, limits, guards)
            return refusal && { guard: refusal.code, by: refusal.by, now }
          }
        }
      }
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
