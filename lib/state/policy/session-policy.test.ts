import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { applySettings } from '../link/settings-url'
import { createPlayground } from '../playground'
import { eventually } from '../testing/eventually'
import { FIRST_VISIT_POLICY } from './policy-slice'
import { sweepOf } from './policy-view'
import {
  hasSessionSettings,
  isSettling,
  sessionSettingsOf,
  watchSessionPolicy,
} from './session-policy'

function startedAt(fragment: string) {
  const playground = createPlayground(spawnInline)
  const { store, actions } = playground
  applySettings(playground, fragment)
  watchSessionPolicy(store)
  const open = async (sample: string) => {
    const text = readFileSync(`public/samples/${sample}`, 'utf8')
    actions.openText(text, sample, { kind: 'file' })
    await eventually(() => {
      expect(store.getState().read?.source.text).toBe(text)
      expect(sweepOf(store.getState())).toBeDefined()
      expect(sessionSettingsOf(store.getState())).toBeDefined()
    })
    return store.getState()
  }
  return { ...playground, get: store.getState, open }
}

const FIRST = 'coding-session.json'
/** No window pays for it. */
const DEAR = 'data-analysis.json'
const OTHER = 'log-reading.json'

describe('a document', () => {
  test('has no figures of a policy that the recommended one is about to replace', async () => {
    const { store, open } = startedAt('')
    const settled: boolean[] = []
    store.subscribe((state) => {
      if (state.read !== undefined && sweepOf(state) !== undefined) settled.push(!isSettling(state))
      else if (state.read !== undefined) expect(isSettling(state)).toBe(true)
    })
    await open(OTHER)
    expect(settled.at(-1)).toBe(true)
    expect(isSettling(store.getState())).toBe(false)
  })

  test('opens at its recommendation, each time, until the user chooses a policy', async () => {
    const { open, actions, get } = startedAt('')
    expect(get()).toMatchObject({ policy: FIRST_VISIT_POLICY, policyFrom: 'session' })
    const first = await open(FIRST)
    // What a first visit starts with is what is recommended for its sample.
    expect(first.policy).toEqual(FIRST_VISIT_POLICY)
    const other = await open(OTHER)
    expect(hasSessionSettings(other)).toBe(true)
    expect(other.policy).not.toEqual(FIRST_VISIT_POLICY)
    // Another model has another recommendation, which nobody has chosen either.
    actions.chooseModel('anthropic/claude-sonnet-4-5')
    const again = await open(FIRST)
    expect(again.policyFrom).toBe('session')
    expect(hasSessionSettings(again)).toBe(true)

    actions.changePolicy({ windowTurns: 30 })
    expect(get().policyFrom).toBe('user')
    const kept = await open(OTHER)
    expect(kept).toMatchObject({ policy: { windowTurns: 30 }, policyFrom: { name: FIRST } })
    actions.undo()
    expect(get()).toMatchObject({ policy: { windowTurns: 30 }, policyFrom: 'user' })
    actions.undo()
    expect(get()).toMatchObject({ policy: again.policy, policyFrom: 'session' })
  })

  test('of which nothing is masked gets its recommendation once more may be masked; a chosen policy stays', async () => {
    for (const isChosen of [false, true]) {
      const { actions, get } = startedAt('')
      const text = readFileSync('public/samples/text-parts.jsonl', 'utf8')
      actions.openText(text, 'text-parts.jsonl', { kind: 'file' })
      await eventually(() => expect(sweepOf(get())).toBeDefined())
      expect(get()).toMatchObject({ policyFrom: 'default' })
      if (isChosen) actions.changePolicy({ windowTurns: 3 })
      const before = get().policy
      actions.allowMasking({ textParts: true })
      await eventually(() => expect(sessionSettingsOf(get())).toBeDefined())
      expect(get().policyFrom).toBe(isChosen ? 'user' : 'session')
      expect(hasSessionSettings(get())).toBe(!isChosen)
      expect(get().policy).toMatchObject({ textParts: true })
      if (isChosen) expect(get().policy).toEqual({ ...before, textParts: true })
      actions.undo()
      expect(get().policy).toEqual(before)
    }
  })

  test('that masking makes dearer opens without it; moving the window turns it on, a policy that is off stays off', async () => {
    const { open, actions, get } = startedAt('')
    const { policy, policyFrom } = await open(DEAR)
    expect([policy, policyFrom]).toEqual([{ ...LINK_DEFAULTS, enabled: false }, 'session'])
    actions.changePolicy({ ...LINK_DEFAULTS, windowTurns: 4, enabled: false })
    expect(get().policy.enabled).toBe(false)
    actions.undo()
    actions.changePolicy({ windowTurns: 4 })
    expect(get().policy).toMatchObject({ enabled: true, windowTurns: 4 })
  })

  test('keeps the other settings of the user when the recommended ones are applied', async () => {
    const { open, actions, get } = startedAt('')
    await open(FIRST)
    actions.changePolicy({ excludeTools: ['read_file'], windowTurns: 40 })
    await eventually(() => expect(sessionSettingsOf(get())).toBeDefined())
    actions.setForSession()
    expect(get().policy.excludeTools).toEqual(['read_file'])
    expect([hasSessionSettings(get()), get().policyFrom]).toEqual([true, 'session'])
  })
})

test.each([
  ['a link', '#v=2', 'link'],
  ['the user', '', { name: FIRST }],
])('the default that %s chose stays', async (by, fragment, from) => {
  const { open, actions } = startedAt(fragment)
  if (by === 'the user') {
    await open(FIRST)
    actions.resetPolicy()
  }
  const { policy, policyFrom } = await open(OTHER)
  expect(policy).toEqual(LINK_DEFAULTS)
  expect(policyFrom).toEqual(from)
})
