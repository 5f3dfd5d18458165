import type { ReadConversation, ToolCall } from '../conversation/conversation'
import { type MendArguments, signature } from './signature'
import type { PendingCall } from './tool-call-manager'

/** A call of a transcript as the guards are shown it. */
export interface TurnCall {
  /** Index in the conversation. */
  readonly at: number
  readonly turn: number
  readonly pending: PendingCall
}

/** The calls guards can be asked about: those with an id, in a turn; in their order. */
export function callsOfTurns(conversation: ReadConversation, mend: MendArguments): TurnCall[] {
  return conversation.calls.flatMap(({ id, name, turn }: ToolCall, at) => {
    if (id === undefined || turn === undefined) return []
    const written = conversation.callArguments[at] ?? ''
    const own = { id, name: name ?? '', arguments: written }
    return [{ at, turn, pending: { ...own, signature: signature(own, mend) } }]
  })
}

/** The calls of each turn that has any. */
export function batchesOf(calls: readonly TurnCall[]): (readonly TurnCall[])[] {
  const batches: TurnCall[][] = []
  for (const call of calls) {
    const last = batches.at(-1)
    if (last?.[0]?.turn === call.turn) last.push(call)
    else batches.push([call])
  }
  return batches
}
