import fc from 'fast-check'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { forAllAsync } from '@/lib/core/testing/test-size'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { deferState, runInTasks } from './deferred-state'
import { LONGEST_AT_ONCE } from './document/large-text'
import { isPassing } from './notices'
import { createPlayground } from './playground'
import { createPlaygroundStore } from './store'
import { eventually } from './testing/eventually'
import { opened, THREE_TURNS } from './testing/three-turns'

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

function spend(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

test('steps run later and in order; a step after a long one has a task of its own', async () => {
  const seen: string[] = []
  const step = (name: string, milliseconds: number) => () => {
    spend(milliseconds)
    seen.push(name)
    queueMicrotask(() => seen.push(`task of ${name}`))
  }
  runInTasks([step('a', 0), step('b', 20), step('c', 20), step('d', 0)])
  expect(seen).toEqual([])
  await eventually(() => expect(seen).toHaveLength(8))
  expect(seen).toEqual(['a', 'b', 'task of a', 'task of b', 'c', 'task of c', 'd', 'task of d'])
})

test('the same error twice is one notice, another error is a second', () => {
  const { store, actions } = createPlayground(spawnInline)
  actions.notify('sample_missing', { sample: 'a' }, 'error')
  actions.notify('sample_missing', { sample: 'b' }, 'error')
  actions.notify('sample_missing', { sample: 'a' }, 'error')
  expect(store.getState().notices.map(({ values }) => values.sample)).toEqual(['b', 'a'])
})

test('a success replaces the last one of its kind, and leaves when another document is opened', async () => {
  const { store, actions } = await opened()
  const codes = () => store.getState().notices.map(({ code }) => code)
  actions.notify('copied_link', { chars: 40 })
  actions.notify('sample_missing', { sample: 'a' }, 'error')
  actions.notify('downloaded', { name: 'report.html' })
  actions.notify('copied_long_figures', { chars: 4000 })
  expect(codes()).toEqual(['sample_missing', 'downloaded', 'copied_long_figures'])
  actions.changePolicy({ windowTurns: 2 })
  actions.editText([{ start: THREE_TURNS.length, end: THREE_TURNS.length, text: ' ' }])
  expect(codes()).toHaveLength(3)
  actions.openText(THREE_TURNS, 'other.json', { kind: 'file' })
  expect(codes()).toEqual(['sample_missing'])
})

test('errors and questions stay, other notices leave by themselves', () => {
  const { store, actions } = createPlayground(spawnInline)
  actions.notify('copied_long_figures', { chars: 4000 })
  actions.notify('new_version')
  actions.notify('copy_failed', {}, 'error')
  const { notices } = store.getState()
  expect(notices.map((notice) => [notice.code, isPassing(notice)])).toEqual([
    ['copied_long_figures', true],
    ['new_version', false],
    ['copy_failed', false],
  ])
})
