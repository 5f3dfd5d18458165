import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { forAllAsync } from '@/lib/core/testing/test-size'
import { deferState } from './deferred-state'
import { LONGEST_AT_ONCE } from './document/large-text'
import { createPlaygroundStore } from './store'
import { eventually } from './testing/eventually'

const policyOf = (windowTurns: number) => ({ policy: { ...DEFAULT_POLICY, windowTurns } })

test('changes of the settings arrive later, as one', async () => {
  const store = createPlaygroundStore()
  const deferred = deferState(store)
  const seen: number[] = []
  deferred.subscribe(({ policy }) => seen.push(policy.windowTurns))
  for (const window of [3, 4, 5]) store.setState(policyOf(window))
  expect(seen).toEqual([])
  await eventually(() => expect(seen).toEqual([5]))
})

test('any other change arrives at once, with the settings', async () => {
  const store = createPlaygroundStore()
  const deferred = deferState(store)
  store.setState(policyOf(3))
  store.setState({ view: 'diff' })
  expect(deferred.getState()).toBe(store.getState())
  const source = { ...store.getState().source, id: 7, text: 'text' }
  store.setState({ ...policyOf(4), source })
  expect(deferred.getState()).toBe(store.getState())
})

test('every change of a large document arrives later', async () => {
  const store = createPlaygroundStore()
  const deferred = deferState(store)
  const source = { ...store.getState().source, id: 7, text: ' '.repeat(LONGEST_AT_ONCE + 1) }
  store.setState({ source })
  store.setState({ view: 'diff' })
  expect(deferred.getState().source.id).toBe(0)
  await eventually(() => expect(deferred.getState()).toBe(store.getState()))
})

test('after any changes of small and large documents, the last state arrives', async () => {
  const large = ' '.repeat(LONGEST_AT_ONCE + 1)
  const change = fc.oneof(
    fc.integer({ min: 1, max: 9 }).map(policyOf),
    fc.constantFrom({ view: 'diff' as const }, { view: 'messages' as const }),
    fc.constantFrom('text', large),
    fc.constant('wait' as const),
  )
  await forAllAsync(20, [fc.array(change, { maxLength: 12 })], async (changes) => {
    const store = createPlaygroundStore()
    const deferred = deferState(store)
    let id = 1
    for (const one of changes) {
      if (one === 'wait') await new Promise((resolve) => setTimeout(resolve))
      else if (typeof one !== 'string') store.setState(one)
      else store.setState(({ source }) => ({ source: { ...source, id: id++, text: one } }))
    }
    await eventually(() => expect(deferred.getState()).toBe(store.getState()))
  })
})
