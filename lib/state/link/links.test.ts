import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { packText } from '@/lib/core/share/link/packed-text'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { adviceOf, everyTurnCostOf, recommendationOf } from '../costs/session-advice'
import { createPlayground, type Playground } from '../playground'
import { codes, SAMPLES } from '../testing/draft-tabs'
import { eventually } from '../testing/eventually'
import { riskOf } from '../uses/risk'
import { settingsFragment } from './settings-url'
import { followLink, startPlayground } from './start-playground'

const conversation = (text: string) => [
  { role: 'user', content: text },
  { role: 'assistant', content: 'yes' },
]

const OWN = JSON.stringify(conversation('my own words'))
const SHARED = JSON.stringify(conversation('words from a link'))
const SEVERAL = ['one', 'two', 'three']
  .map((text) => JSON.stringify({ messages: conversation(text) }))
  .join('\n')

const FILES: Readonly<Record<string, string>> = {
  ...SAMPLES,
  'samples/formats/index.json': JSON.stringify([
    { id: 'claude-code.session', file: 'formats/claude-code/session.jsonl' },
  ]),
  'samples/formats/claude-code/session.jsonl': JSON.stringify(conversation('one of a format')),
}
const fetchText = async (path: string) => FILES[path]

const startWithoutDrafts = async () => ({ isResumed: false, isKnownAddress: false })

async function started(fragment: string, own?: string): Promise<Playground> {
  const playground = createPlayground(spawnInline)
  await startPlayground(playground, fragment, fetchText, startWithoutDrafts)
  if (own !== undefined) playground.actions.openText(own, 'own.json', { kind: 'file' })
  await eventually(() => {
    const { read, source } = playground.store.getState()
    expect(read?.source.id).toBe(source.id)
  })
  return playground
}

describe('a first visit', () => {
  const sample = readFileSync('public/samples/coding-session.json', 'utf8')
  const fetchReal = async (path: string) =>
    path === 'samples/coding-session.json' ? sample : FILES[path]
  const visited = async (fragment: string) => {
    const playground = createPlayground(spawnInline)
    await startPlayground(playground, fragment, fetchReal, startWithoutDrafts)
    return playground
  }

  test('opens the sample with the recommended setting, and its address stays empty', async () => {
    const { store } = await visited('')
    await eventually(() => expect(adviceOf(store.getState())).toBe('best'))
    const state = store.getState()
    const { windowTurns, batchTurns } = state.policy
    const point = { windowTurns, batchTurns }
    expect(recommendationOf(state)).toMatchObject({ state: 'mask', point })
    expect(everyTurnCostOf(state)).toBeGreaterThan(riskOf(state)?.before as number)
    expect(settingsFragment(state)).toBe('')
  })

  test('leaves the default policy to another document, and undo brings both back', async () => {
    const { store, actions } = await visited('')
    const first = store.getState().policy
    await eventually(() => expect(store.getState().read).toBeDefined())
    actions.openText(OWN, 'own.json', { kind: 'file' })
    // The figures in view are those of the sample until the other document is read.
    expect(store.getState()).toMatchObject({ policy: first, read: { source: { text: sample } } })
    await eventually(() => expect(store.getState().read?.source.text).toBe(OWN))
    expect(store.getState().policy).toEqual(LINK_DEFAULTS)
    actions.undo()
    expect(store.getState()).toMatchObject({ policy: first, source: { text: sample } })
    actions.redo()
    expect(store.getState().policy).toEqual(LINK_DEFAULTS)
  })

  test('leaves the default policy to a document that cannot be read, to one edited while it is read, and to none', async () => {
    const { store, actions } = await visited('')
    const first = store.getState().policy
    const settings = () => [store.getState().reading.state, store.getState().policy]
    actions.openText('{"a": 1}', 'own.json', { kind: 'file' })
    await eventually(() => expect(settings()).toEqual(['failed', LINK_DEFAULTS]))
    actions.undo()
    await eventually(() => expect(settings()).toEqual(['read', first]))
    actions.openText(OWN, 'own.json', { kind: 'file' })
    actions.editText([{ start: 0, end: 0, text: ' ' }])
    await eventually(() => expect(settings()).toEqual(['read', LINK_DEFAULTS]))
    actions.undo()
    actions.undo()
    await eventually(() => expect(settings()).toEqual(['read', first]))
    actions.clearText()
    expect(settings()).toEqual(['idle', LINK_DEFAULTS])
  })

  test('leaves the default policy to another sample', async () => {
    const { store, actions } = await visited('')
    await eventually(() => expect(store.getState().read).toBeDefined())
    actions.formatSource()
    actions.openText(OWN, 'other.json', { kind: 'sample', id: 'other' })
    await eventually(() => expect(store.getState().read?.source.text).toBe(OWN))
    expect(store.getState().policy).toEqual(LINK_DEFAULTS)
  })

  test('keeps a policy that the user chooses while another document is read', async () => {
    const { store, actions } = await visited('')
    actions.openText(OWN, 'own.json', { kind: 'file' })
    actions.changePolicy({ windowTurns: 5 })
    await eventually(() => expect(store.getState().read?.source.text).toBe(OWN))
    expect(store.getState().policy).toMatchObject({ windowTurns: 5, batchTurns: 32 })
  })

  test('keeps the policy that a link or the user has chosen', async () => {
    const linked = await visited('v=2&b=32')
    expect(settingsFragment(linked.store.getState())).toBe('v=2&b=32')
    linked.actions.openText(OWN, 'own.json', { kind: 'file' })
    expect(linked.store.getState().policy.batchTurns).toBe(32)
    const { store } = await visited('v=2')
    expect(store.getState().policy).toEqual(LINK_DEFAULTS)
    expect(settingsFragment(store.getState())).toBe('v=2')
  })
})

const CUT_OFF = packText(SHARED).slice(0, -5)
const ENDLESS = packText('0'.repeat(9_000_000))

describe('a link the page is opened with', () => {
  test('sets policy, pinned policy, model, sample, view and conversation', async () => {
    const link = 'v=2&w=3&a=1&a.w=9&s=other&m=openai%2Fgpt-4o&o=diff&zz=1'
    const { store } = await started(link)
    expect(store.getState()).toMatchObject({
      policy: { windowTurns: 3 },
      pinned: { windowTurns: 9 },
      model: 'openai/gpt-4o',
      view: 'diff',
      source: { origin: { kind: 'sample', id: 'other' } },
    })
    expect(settingsFragment(store.getState())).toBe(link)
  })

  test('may name a sample of a format, and the address then repeats it', async () => {
    const { store } = await started('v=2&w=3&s=claude-code.session')
    expect(store.getState().source).toMatchObject({
      name: 'session.jsonl',
      origin: { kind: 'sample', id: 'claude-code.session' },
    })
    expect(settingsFragment(store.getState())).toBe('v=2&w=3&s=claude-code.session')
  })

  test('may contain a transcript and the conversation to show', async () => {
    const playground = await started(`v=2&w=3&c=2&z=${packText(SEVERAL)}`)
    const { store } = playground
    expect(store.getState().source.text).toBe(SEVERAL)
    await eventually(() => expect(store.getState().conversation).toBe(1))
    expect(settingsFragment(store.getState())).toBe('v=2&w=3&c=2')
    expect(codes(playground)).toEqual([])
  })

  test('names the shown conversation only if the document does not open at it', async () => {
    const first = [{ role: 'user', content: 'go' }]
    const log = [first, [...first, ...conversation('and on').toReversed()]]
      .map((messages) => JSON.stringify({ messages }))
      .join('\n')
    const { store, actions } = await started(`v=2&z=${packText(log)}`)
    expect(store.getState().conversation).toBe(1)
    expect(settingsFragment(store.getState())).toBe('')
    actions.chooseConversation(0)
    expect(settingsFragment(store.getState())).toBe('v=2&c=1')
    const again = await started(`v=2&c=1&z=${packText(log)}`)
    await eventually(() => expect(again.store.getState().conversation).toBe(0))
  })

  test('that names a missing conversation gives a notice', async () => {
    const playground = await started('v=2&c=9')
    await eventually(() => expect(codes(playground)).toEqual(['link_conversation']))
    expect(playground.store.getState().conversation).toBe(0)
  })

  test.each([
    ['newer', 'v=99&w=3', 'link_newer'],
    ['damaged', 'v=2&w=3&k=%zz', 'link_value'],
    ['with a cut off transcript', `v=2&w=3&z=${CUT_OFF}`, 'link_transcript_damaged'],
    ['with a transcript that grows without end', `v=2&w=3&z=${ENDLESS}`, 'link_transcript_large'],
  ])('%s: its sentence is said, its settings hold, and the page opens', async (_, link, code) => {
    const playground = await started(link)
    expect(codes(playground)).toEqual([code])
    expect(playground.store.getState().policy.windowTurns).toBe(3)
    expect(playground.store.getState().source.text).toContain('the first sample')
  })
})

describe("a link opened over the reader's own transcript", () => {
  test('leaves the transcript, applies the policy, and can be undone', async () => {
    const playground = await started('', OWN)
    const { store, actions } = playground
    actions.changePolicy({ windowTurns: 5 })
    actions.chooseModel('openai/gpt-4o')
    const before = settingsFragment(store.getState())
    await followLink(playground, '#v=2&w=2&b=4&o=messages&a=1&s=other', fetchText)
    expect(store.getState()).toMatchObject({
      policy: { windowTurns: 2, batchTurns: 4 },
      view: 'messages',
      source: { text: OWN },
    })
    expect(codes(playground)).toEqual(['link_applied', 'link_own_text'])
    actions.undoLink()
    expect(settingsFragment(store.getState())).toBe(before)
    expect(store.getState().source.text).toBe(OWN)
  })

  test('opens its transcript only when the user asks, and undo brings the other back', async () => {
    const playground = await started('', OWN)
    const { store, actions } = playground
    await followLink(playground, `#v=2&w=2&z=${packText(SHARED)}`, fetchText)
    expect(store.getState().source.text).toBe(OWN)
    expect(codes(playground)).toEqual(['link_applied', 'link_transcript_waits'])
    actions.openLinkTranscript()
    expect(store.getState().source.text).toBe(SHARED)
    actions.undo()
    expect(store.getState().source.text).toBe(OWN)
  })

  test('leaves the shown conversation unless it names one', async () => {
    const playground = await started('', SEVERAL)
    const { store, actions } = playground
    actions.chooseConversation(2)
    await followLink(playground, '#v=2&w=2', fetchText)
    expect(store.getState().conversation).toBe(2)
    await followLink(playground, '#v=2&w=2&c=2', fetchText)
    expect(store.getState().conversation).toBe(1)
  })

  test('gives no notice for a history entry of this page', async () => {
    const playground = await started('', SEVERAL)
    const { store, actions } = playground
    actions.chooseConversation(2)
    const isOwnEntry = true
    await followLink(playground, '#v=2&w=4', fetchText, isOwnEntry)
    expect(store.getState()).toMatchObject({ conversation: 0, policy: { windowTurns: 4 } })
    expect(codes(playground)).toEqual([])
  })
})
