/** The start of the masking window in a conversation, by turn and by message. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { WindowStep } from '@/lib/core/policy/break-even'
import type { Decision } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { partitionPoint } from '@/lib/core/text/span'
import { conversationOf } from '../document/selectors'
import { keptTurnNow } from '../policy/policy-facts'
import { limitsOf, windowStepsOf } from '../policy/policy-view'
import { memoizeOf, optional, select } from '../store'

/** Index of the first message of each turn. */
export const turnOpeners = memoizeOf(({ messages }: Conversation): readonly number[] => {
  const openers: number[] = []
  for (const [index, { turn }] of messages.entries()) {
    if (turn !== undefined && openers[turn] === undefined) openers[turn] = index
  }
  return openers
})

export function windowEdge(
  conversation: Conversation,
  policy: Pick<MaskPolicy, 'enabled' | 'windowTurns' | 'batchTurns'>,
  steps?: readonly WindowStep[],
) {
  const { turnCount, messages } = conversation
  const openers = turnOpeners(conversation)
  const setTurn = Math.min(turnCount, Math.max(0, turnCount - Math.max(0, policy.windowTurns)))
  const isOn = policy.enabled && policy.windowTurns > 0
  const keptTurn = isOn ? Math.min(setTurn, keptTurnNow(turnCount, policy, steps)) : setTurn
  return {
    /** First turn of the window that the setting gives, from 0; the number of turns if the window is 0. */
    setTurn,
    /** First turn actually kept; earlier than `setTurn` if the window moves in batches. */
    keptTurn,
    // First messages of these turns; the number of messages if there is no such turn.
    setMessage: openers[setTurn] ?? messages.length,
    keptMessage: openers[keptTurn] ?? messages.length,
    /** False if masking or the window is off. */
    isOn,
  }
}

/** The moves of a window at break-even: the request's end, its turn, what the rule knew, and what it cost; undefined for other windows. */
export const movesOf = select(
  [
    conversationOf,
    windowStepsOf,
    optional((state) => windowStepsOf(state) && limitsOf(state)?.moves),
  ],
  ({ messages }, steps, costs) =>
    steps
      .filter(({ isMove }) => isMove)
      .map((step) => {
        const turn = messages
          .slice(0, step.end)
          .findLast((message) => message.turn !== undefined)?.turn
        const cost = costs?.find(({ end }) => end === step.end)
        return { ...step, turn: turn ?? 0, cost: cost?.cost, saved: cost?.saved }
      }),
)

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

/** Steps go to the next message, that of the next turn, that of the next masked result, or the last message. */
export type StepKind = 'message' | 'turn' | 'masked' | 'end'

/** The target of a step; undefined if there is none. Without a start, a step begins at the end it comes from. */
export function stepMessage(
  conversation: Conversation,
  decisions: readonly Decision[] | undefined,
  from: number | undefined,
  kind: StepKind,
  isBack: boolean,
): { readonly message: number; readonly result: number | undefined } | undefined {
  const { messages, results } = conversation
  const last = messages.length - 1
  if (last < 0) return undefined
  const at = from ?? (isBack ? last + 1 : -1)
  const isBeyond = (message: number) => (isBack ? message < at : message > at)
  if (kind === 'masked') {
    const masked = results.flatMap(({ message }, result) =>
      decisions?.[result]?.action === 'mask' && isBeyond(message) ? { message, result } : [],
    )
    const nearest = Math.min(...masked.map(({ message }) => Math.abs(message - at)))
    return masked.find(({ message }) => Math.abs(message - at) === nearest)
  }
  const openers = turnOpeners(conversation)
  const message = {
    message: Math.min(last, Math.max(0, at + (isBack ? -1 : 1))),
    turn: isBack ? openers.findLast(isBeyond) : openers.find(isBeyond),
    end: isBack ? 0 : last,
  }[kind]
  if (message === undefined) return undefined
  const result = results.findIndex((candidate) => candidate.message === message)
  return { message, result: result < 0 ? undefined : result }
}

/** The next or previous result of a list; wraps around at its ends. */
export function stepResult(results: readonly number[], from: number | undefined, isBack = false) {
  if (isBack) return results.findLast((result) => result < (from ?? 0)) ?? results.at(-1)
  return results.find((result) => result > (from ?? -1)) ?? results[0]
}
