import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { NO_UNKNOWN_KEYS, type SessionFile, writeSessionFile } from '@/lib/core/share/session-file'
import { sentenceThrownBy } from '@/lib/core/testing/spoken'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { recommendationOf } from '../costs/session-advice'
import { createPlayground, type Playground } from '../playground'
import { watchSessionPolicy } from '../policy/session-policy'
import { eventually } from '../testing/eventually'
import {
  changeNotes,
  extrasOf,
  openSession,
  restoreModelOverrides,
  sessionFileName,
  sessionFileOf,
} from './session-files'

const SESSION: SessionFile = {
  name: 'run.jsonl',
  text: '[{"role":"user","content":"hello"}]',
  readAs: 'openai-chat',
  policy: { ...DEFAULT_POLICY, enabled: true, windowTurns: 3 },
  model: 'openai/gpt-4o',
  prices: { 'openai/gpt-4o': { input: 1 } },
  notes: 'why',
  unknown: { ...NO_UNKNOWN_KEYS, top: { later: [1] } },
}

function open(playground: Playground, session: SessionFile = SESSION): void {
  openSession(playground, writeSessionFile(session).join(''), 'run.masking.json')
}

const codes = ({ store }: Playground) => store.getState().notices.map(({ code }) => code)

test('a session that is opened and saved stays the same', () => {
  const playground = createPlayground(spawnInline)
  open(playground)
  expect(sessionFileOf(playground.store.getState())).toEqual(SESSION)
  expect(sessionFileName(playground.store.getState())).toBe('run.masking.json')
  expect(codes(playground)).toEqual(['session_opened'])
})

test('one undo reverts text, policy and model, and notes stay with their document', () => {
  const playground = createPlayground(spawnInline)
  const { store, actions } = playground
  actions.openText('[]', 'before.json', { kind: 'file' })
  actions.changePolicy({ windowTurns: 20 })
  changeNotes(playground, 'of the one before')
  actions.chooseModel('openai/gpt-5')
  open(playground)
  expect(extrasOf(store.getState()).notes).toBe('why')
  actions.undo()
  const before = { source: { name: 'before.json' }, policy: { windowTurns: 20 } }
  expect(store.getState()).toMatchObject({ ...before, model: 'openai/gpt-5' })
  expect(extrasOf(store.getState()).notes).toBe('of the one before')
  actions.redo()
  expect(store.getState().policy.windowTurns).toBe(3)
  expect(store.getState().model).toBe(SESSION.model)
  expect(extrasOf(store.getState()).notes).toBe('why')
  // A step on a setting is not one on the model.
  actions.changePolicy({ windowTurns: 4 })
  actions.chooseModel(undefined)
  actions.undo()
  expect(store.getState()).toMatchObject({ model: undefined, policy: { windowTurns: 3 } })
})

test('its policy stays where another is recommended', async () => {
  const playground = createPlayground(spawnInline)
  const { store } = playground
  watchSessionPolicy(store)
  const text = readFileSync('public/samples/coding-session.json', 'utf8')
  open(playground, { ...SESSION, text, readAs: undefined })
  await eventually(() => expect(recommendationOf(store.getState())?.state).toBe('mask'))
  expect(store.getState().policy).toEqual(SESSION.policy)
})

test('prices replace the user’s with a notice, and can be reverted', () => {
  const playground = createPlayground(spawnInline)
  const { store, actions } = playground
  actions.changeModelOverrides('openai/gpt-4o', { input: 7, output: 9 })
  actions.changeModelOverrides('own/mine', { name: 'mine', input: 2 })
  open(playground)
  const kept = { 'own/mine': { name: 'mine', input: 2 } }
  expect(store.getState().modelOverrides).toEqual({ 'openai/gpt-4o': { input: 1 }, ...kept })
  expect(codes(playground)).toContain('session_prices')
  restoreModelOverrides(playground)
  expect(store.getState().modelOverrides['openai/gpt-4o']).toEqual({ input: 7, output: 9 })
  open(playground, { ...SESSION, prices: { 'openai/gpt-4o': { output: 9, input: 7 } } })
  expect(store.getState().replacedOverrides).toEqual({})
})

test('a damaged session changes nothing', () => {
  const playground = createPlayground(spawnInline)
  playground.actions.openText('[]', 'before.json', { kind: 'file' })
  const text = writeSessionFile(SESSION).join('').slice(0, -20)
  const sentence = sentenceThrownBy(() => openSession(playground, text, 'cut.masking.json'))
  expect(sentence).toMatch('It looks cut off.')
  expect(playground.store.getState().source.name).toBe('before.json')
})
