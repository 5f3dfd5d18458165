/** A page with a transcript of three turns. */
import { expect } from 'vitest'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { measureOf, placeholderTokensOf } from '../policy/policy-view'
import { eventually } from './eventually'

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
export async function opened(text = THREE_TURNS) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(text, 'three.json', { kind: 'file' })
  await eventually(() => expect(measureOf(playground.store.getState())).toBeDefined())
  return playground
}

/** Opens messages and waits until the placeholders are counted; all but the last turn are masked. */
export async function openedMessages(messages: readonly object[]) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(JSON.stringify(messages), 'a.json', { kind: 'file' })
  await eventually(() => expect(placeholderTokensOf(playground.store.getState())).toBeDefined())
  playground.actions.changePolicy({ windowTurns: 1 })
  return playground
}
