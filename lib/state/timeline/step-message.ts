/** Keyboard steps through the messages of a conversation. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { turnOpeners } from './window-edge'

export type MessageStep =
  | 'previous'
  | 'next'
  | 'previous_turn'
  | 'next_turn'
  | 'first'
  | 'last'
  | 'previous_masked'
  | 'next_masked'

export interface StepTarget {
  readonly message: number
  readonly result: number | undefined
}

/** The target of a step; undefined if there is none. Without a start, a step begins at the end it comes from. */
export function stepMessage(
  conversation: Conversation,
  decisions: readonly Decision[] | undefined,
  from: number | undefined,
  step: MessageStep,
): StepTarget | undefined {
  const last = conversation.messages.length - 1
  if (last < 0) return undefined
  const at = from ?? (step.startsWith('previous') ? last + 1 : -1)
  switch (step) {
    case 'previous':
      return target(conversation, Math.max(0, at - 1))
    case 'next':
      return target(conversation, Math.min(last, at + 1))
    case 'first':
      return target(conversation, 0)
    case 'last':
      return target(conversation, last)
    case 'previous_turn':
      return target(
        conversation,
        turnOpeners(conversation).findLast((opener) => opener < at),
      )
    case 'next_turn':
      return target(
        conversation,
        turnOpeners(conversation).find((opener) => opener > at),
      )
    case 'previous_masked':
    case 'next_masked':
      return maskedBeyond(conversation, decisions ?? [], at, step === 'next_masked')
  }
}

function target(conversation: Conversation, message: number | undefined): StepTarget | undefined {
  if (message === undefined) return undefined
  const result = conversation.results.findIndex((candidate) => candidate.message === message)
  return { message, result: result < 0 ? undefined : result }
}

function maskedBeyond(
  { results }: Conversation,
  decisions: readonly Decision[],
  at: number,
  isForward: boolean,
): StepTarget | undefined {
  let best: StepTarget | undefined
  for (const [result, { message }] of results.entries()) {
    if (decisions[result]?.action !== 'mask') continue
    const isBeyond = isForward ? message > at : message < at
    const isNearer =
      best === undefined || (isForward ? message < best.message : message > best.message)
    if (isBeyond && isNearer) best = { message, result }
  }
  return best
}

/** The next or previous result of a list; wraps around at its ends. */
export function stepResult(
  results: readonly number[],
  from: number | undefined,
  isBack = false,
): number | undefined {
  if (isBack) return results.findLast((result) => result < (from ?? 0)) ?? results.at(-1)
  return results.find((result) => result > (from ?? -1)) ?? results[0]
}
