/** The start of the masking window in a conversation, by turn and by message. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import { firstKeptTurn } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { partitionPoint } from '@/lib/core/text/span'
import { memoize } from '../select'

export interface WindowEdge {
  /** First turn of the window that the setting gives, from 0; the number of turns if the window is 0. */
  readonly setTurn: number
  /** First turn actually kept; earlier than `setTurn` if the window moves in batches. */
  readonly keptTurn: number
  /** First messages of these turns; the number of messages if there is no such turn. */
  readonly setMessage: number
  readonly keptMessage: number
  /** False if masking or the window is off. */
  readonly isOn: boolean
}

/** Index of the first message of each turn. */
export const turnOpeners = memoize(({ messages }: Conversation): readonly number[] => {
  const openers: number[] = []
  for (const [index, { turn }] of messages.entries()) {
    if (turn !== undefined && openers[turn] === undefined) openers[turn] = index
  }
  return openers
})

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

/** The window whose start is nearest to a message position; at least 1, because 0 is off. */
export function windowTurnsAt(conversation: Conversation, place: number): number {
  const openers = turnOpeners(conversation)
  const { turnCount } = conversation
  if (turnCount === 0) return 1
  const low = partitionPoint(0, turnCount - 1, (turn) => (openers[turn] ?? 0) < place)
  const isEarlierNearer =
    low > 0 && place - (openers[low - 1] ?? 0) < Math.abs((openers[low] ?? 0) - place)
  return turnCount - (isEarlierNearer ? low - 1 : low)
}
