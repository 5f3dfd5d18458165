import { describe, expect, test } from 'vitest'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { eventually, openedOnce } from '../testing/eventually'
import { comparisonOf } from './offered-policies'
import { measureOf, replayOf } from './policy-view'

const LONG = 'line of output\n'.repeat(60)
const SESSION = JSON.stringify([
  { role: 'user', content: 'begin' },
  ...turnOf('a', `Error: ${LONG}`),
  ...turnOf('b', LONG),
  ...turnOf('c', LONG),
  ...turnOf('d', LONG),
  { role: 'assistant', content: 'done' },
])

const opened = () => openedOnce(replayOf, SESSION)

describe('a comparison', () => {
  test('has the same figures for each side as the page has under that policy', async () => {
    const { store, actions } = await opened()
    const settings = [
      { windowTurns: 1, placeholderTemplate: '[gone {tool_call_id}]' },
      { windowTurns: 2, keepErrors: false },
    ] as const
    const alone: object[] = []
    for (const policy of settings) {
      actions.resetPolicy()
      actions.changePolicy(policy)
      await eventually(() => {
        expect(replayOf(store.getState())).toBeDefined()
        expect(measureOf(store.getState())).toBeDefined()
      })
      const state = store.getState()
      alone.push({ tokens: measureOf(state)?.tokens, costs: replayOf(state)?.after.costs })
    }
    actions.resetPolicy()
    actions.changePolicy(settings[0])
    actions.pin(store.getState().policy)
    actions.resetPolicy()
    actions.changePolicy(settings[1])
    await eventually(() => {
      const { a, b } = comparisonOf(store.getState()) ?? {}
      const sides = [a, b].map((side) => {
        return { tokens: side?.measure?.tokens, costs: side?.session?.costs }
      })
      expect(sides).toEqual(alone)
    })
    const fields = comparisonOf(store.getState())?.fields.map(({ key }) => key)
    expect(fields).toEqual(['windowTurns', 'keepErrors', 'placeholderTemplate'])
  })

  test('lists the results that both decide differently', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 1 })
    actions.pin(store.getState().policy)
    expect(comparisonOf(store.getState())).toMatchObject({ fields: [], differing: [] })
    actions.changePolicy({ windowTurns: 2, keepErrors: false })
    expect(comparisonOf(store.getState())?.differing).toEqual([0, 2])
  })

  test('can exchange its sides, as one undo step', async () => {
    const { store, actions } = await opened()
    actions.changePolicy({ windowTurns: 3 })
    actions.pin(store.getState().policy)
    actions.changePolicy({ windowTurns: 1 })
    actions.swapPinned()
    expect(store.getState().policy.windowTurns).toBe(3)
    expect(store.getState().pinned?.windowTurns).toBe(1)
  })
})
