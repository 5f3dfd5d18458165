import type { ReadConversation, ToolCall } from '../conversation/conversation'
import { type RepairArgumentsText, signature } from './signature'
import type { PendingCall } from './tool-call-manager'

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
