/** A page with a transcript of three turns. */
import { expect } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { createPlayground } from '../playground'
import { measureOf } from '../policy/policy-view'
import { eventually } from './eventually'

function turn(id: string, content: unknown): object[] {
  const call = { id, type: 'function', function: { name: 'read', arguments: '{}' } }
  return [
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

export const LONG = 'line of output\n'.repeat(40)
export const THREE_TURNS = JSON.stringify([
  ...turn('a', LONG),
  ...turn('b', LONG),
  ...turn('c', LONG),
])
/** Two turns, the first one with a list of parts as its result. */
export const PARTS = JSON.stringify([
  ...turn('a', [{ type: 'text', text: LONG }]),
  ...turn('b', LONG),
])

/** Opens a text and waits until it is measured. */
export async function opened(text = THREE_TURNS) {
  const playground = createPlayground(spawnInline)
  playground.actions.openText(text, 'three.json', { kind: 'file' })
  await eventually(() => expect(measureOf(playground.store.getState())).toBeDefined())
  return playground
}
