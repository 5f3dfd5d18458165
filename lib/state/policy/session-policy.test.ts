import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isSamePolicy } from '@/lib/core/policy/policy'
import { LINK_DEFAULTS, writeSharedLink } from '@/lib/core/share/link/settings-link'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { applySettings, linkSettingsOf } from '../link/settings-url'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { FIRST_VISIT_POLICY } from './policy-slice'
import { sweepOf } from './policy-view'
import { isSetForSession, sessionPolicyOf, watchSessionPolicy } from './session-policy'

function startedAt(fragment: string) {
  const playground = createPlayground(spawnInline)
  const { store, actions } = playground
  applySettings(playground, fragment)
  watchSessionPolicy(store)
  const open = async (sample: string) => {
    const text = readFileSync(`public/samples/${sample}`, 'utf8')
    actions.openText(text, sample, { kind: 'sample', id: sample })
    await eventually(() => {
      expect(store.getState().read?.source.text).toBe(text)
      expect(sweepOf(store.getState())).toBeDefined()
      expect(sessionPolicyOf(store.getState())).toBeDefined()
    })
    return store.getState()
  }
  return { ...playground, get: store.getState, open }
}

const FIRST = 'coding-session.json'

test('a document opens at its recommendation, each time, until a policy is chosen', async () => {
  const { open, actions, get } = startedAt('')
  const first = await open(FIRST)
  expect(first.policy).toBe(FIRST_VISIT_POLICY)
  expect(isSetForSession(first)).toBe(true)
  const other = await open('log-reading.json')
  expect(isSetForSession(other)).toBe(true)
  expect(isSamePolicy(other.policy, FIRST_VISIT_POLICY)).toBe(false)
  const again = await open(FIRST)
  expect(again.policy).toEqual(FIRST_VISIT_POLICY)
  const steps = again.history.past.map(({ label }) => label)
  expect(steps.slice(-2)).toEqual(['sample', 'sample'])

  actions.changePolicy({ windowTurns: 30 })
  const kept = await open('log-reading.json')
  expect(kept).toMatchObject({ policy: { windowTurns: 30 }, policyFrom: { name: FIRST } })
  actions.undo()
  expect(get()).toMatchObject({ policy: { windowTurns: 30 }, policyFrom: undefined })
})

test.each([
  [
    'a link',
    `#${writeSharedLink({ ...linkSettingsOf(createPlayground(spawnInline).store.getState()), policy: LINK_DEFAULTS })}`,
    'link',
  ],
  ['the user', '', { name: FIRST }],
])('the default that %s chose stays', async (by, fragment, from) => {
  const { open, actions } = startedAt(fragment)
  if (by === 'the user') {
    await open(FIRST)
    actions.resetPolicy()
  }
  const { policy, policyFrom } = await open('log-reading.json')
  expect(policy).toEqual(LINK_DEFAULTS)
  expect(policyFrom).toEqual(from)
})
