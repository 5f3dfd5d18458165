import { expect, test } from 'vitest'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { isPassing } from './notices'
import { createPlayground } from './playground'
import { opened, THREE_TURNS } from './testing/three-turns'

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
