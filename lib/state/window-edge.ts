/** Where the window begins in a conversation, by turn and by message. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { firstKeptTurn } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { partitionPoint } from '@/lib/core/text/partition-point'
import { remembered } from './remembered'

export interface WindowEdge {
  /** The turn the window is set to begin with, from 0; the number of turns when the window is 0. */
  readonly setTurn: number
  /** The turn it begins with: earlier than the one set while the window moves in steps. */
  readonly keptTurn: number
  /** The messages that open these turns; the number of messages when none does. */
  readonly setMessage: number
  readonly keptMessage: number
  /** False when the policy masks nothing whatever the window is. */
  readonly isOn: boolean
}

/** The message that opens each turn. */
export const turnOpeners = remembered(({ messages }: Conversation): readonly number[] => {
  const openers: number[] = []
  for (const [index, { turn }] of messages.entries()) {
    if (turn !== undefined && openers[turn] === undefined) openers[turn] = index
  }
  return openers
})

/** Where the window is set to begin, and where it begins. */
export function windowEdge(
  conversation: Conversation,
  policy: Pick<MaskPolicy, 'enabled' | 'windowTurns' | 'batchTurns'>,
): WindowEdge {
  const { turnCount, messages } = conversation
  const openers = turnOpeners(conversation)
  const setTurn = Math.min(turnCount, Math.max(0, turnCount - Math.max(0, policy.windowTurns)))
  const isOn = policy.enabled && policy.windowTurns > 0
  const keptTurn = isOn ? Math.min(setTurn, firstKeptTurn(turnCount, policy)) : setTurn
  return {
    setTurn,
    keptTurn,
    setMessage: openers[setTurn] ?? messages.length,
    keptMessage: openers[keptTurn] ?? messages.length,
    isOn,
  }
}

/** The window that begins nearest to a place among the messages; 1 at least, since 0 is off. */
export function windowTurnsAt(conversation: Conversation, place: number): number {
  const openers = turnOpeners(conversation)
  const { turnCount } = conversation
  if (turnCount === 0) return 1
  const low = partitionPoint(0, turnCount - 1, (turn) => (openers[turn] ?? 0) < place)
  const isEarlierNearer =
    low > 0 && place - (openers[low - 1] ?? 0) < Math.abs((openers[low] ?? 0) - place)
  return turnCount - (isEarlierNearer ? low - 1 : low)
}
