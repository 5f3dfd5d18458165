/** A page with a transcript of three turns. */
import { turnOf } from '@/lib/core/testing/conversation-of'
import { measureOf, placeholderTokensOf } from '../policy/policy-view'
import { openedOnce } from './eventually'

export const LONG = 'line of output\n'.repeat(40)
export const THREE_TURNS = JSON.stringify([
  ...turnOf('a', LONG),
  ...turnOf('b', LONG),
  ...turnOf('c', LONG),
])
/** Two turns, the first one with a list of parts as its result. */
export const PARTS = JSON.stringify([
  ...turnOf('a', [{ type: 'text', text: LONG }]),
  ...turnOf('b', LONG),
])

/** Opens a text and waits until it is measured. */
export const opened = (text = THREE_TURNS) => openedOnce(measureOf, text, 'three.json')

/** Opens messages and waits until the placeholders are counted; all but the last turn are masked. */
export async function openedMessages(messages: readonly object[]) {
  const playground = await openedOnce(placeholderTokensOf, JSON.stringify(messages))
  playground.actions.changePolicy({ windowTurns: 1 })
  return playground
}
