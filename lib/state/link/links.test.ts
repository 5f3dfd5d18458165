import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { MECHANISM_FACTS } from '@/lib/core/mechanisms/mechanism-table'
import { packText } from '@/lib/core/share/link/packed-text'
import { LINK_DEFAULTS } from '@/lib/core/share/link/settings-link'
import { inEnglish } from '@/lib/core/words/english'
import type { Words } from '@/lib/core/words/words'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { adviceOf, recommendationOf } from '../costs/session-advice'
import { createPlayground } from '../playground'
import { codes, SAMPLES } from '../testing/draft-tabs'
import { eventually } from '../testing/eventually'
import {
  followLink,
  settingsFragment,
  sharedFragment,
  startPlayground,
  takeBackLink,
} from './settings-url'

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

async function visited(fragment: string, fetch = fetchText, isKnownAddress = false) {
  const playground = createPlayground(spawnInline)
  const startWithoutDrafts = async () => ({ isResumed: false, isKnownAddress })
  await startPlayground(playground, fragment, fetch, startWithoutDrafts)
  const get = playground.store.getState
  const follow = (link: string, isOwn = false) => followLink(playground, link, fetchText, isOwn)
  const address = () => settingsFragment(get())
  const takeBack = () => takeBackLink(playground, fetchText)
  return { ...playground, get, follow, takeBack, address, said: () => codes(playground) }
}

async function started(fragment: string, own?: string) {
  const page = await visited(fragment)
  if (own !== undefined) page.actions.openText(own, 'own.json', { kind: 'file' })
  await eventually(() => expect(page.get().read?.source.id).toBe(page.get().source.id))
  return page
}

describe('a first visit', () => {
  const sample = readFileSync('public/samples/coding-session.json', 'utf8')
  const fetchReal = async (path: string) =>
    path === 'samples/coding-session.json' ? sample : FILES[path]
  const atFirst = (fragment = '') => visited(fragment, fetchReal)

  test('opens the sample with the recommended setting, and its address stays empty', async () => {
    const { get, address } = await atFirst()
    await eventually(() => expect(adviceOf(get())).toBe('best'))
    const state = get()
    const { windowTurns, batchTurns } = state.policy
    const point = { windowTurns, batchTurns }
    expect(recommendationOf(state)).toMatchObject({ state: 'mask', point })
    expect(address()).toBe('')
  })

  test('is nobody’s link when the page is loaded again at the address it wrote', async () => {
    const { actions, address } = await atFirst()
    actions.setView('messages')
    expect(address()).not.toBe('')
    const again = await visited(address(), fetchText, true)
    expect(again.get().policyFrom).toBe('session')
    expect((await visited(address())).get().policyFrom).toBe('link')
    actions.changePolicy({ windowTurns: 3 })
    expect((await visited(address(), fetchText, true)).get().policyFrom).toBe('user')
  })

  test('leaves the default policy to another document, and undo brings both back', async () => {
    const { get, actions } = await atFirst()
    const first = get().policy
    await eventually(() => expect(get().read).toBeDefined())
    actions.openText(OWN, 'own.json', { kind: 'file' })
    // The figures in view are those of the sample until the other document is read.
    expect(get()).toMatchObject({ policy: first, read: { source: { text: sample } } })
    await eventually(() => expect(get().read?.source.text).toBe(OWN))
    expect(get().policy).toEqual(LINK_DEFAULTS)
    actions.undo()
    expect(get()).toMatchObject({ policy: first, source: { text: sample } })
    actions.redo()
    expect(get().policy).toEqual(LINK_DEFAULTS)
  })

  test('leaves the default policy to a document that cannot be read, to one edited while it is read, to another sample and to none', async () => {
    const { get, actions } = await atFirst()
    const first = get().policy
    const settings = () => [get().reading.state, get().policy]
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
    actions.formatSource()
    actions.openText(OWN, 'other.json', { kind: 'sample', id: 'other' })
    await eventually(() => expect(get().read?.source.text).toBe(OWN))
    expect(settings()).toEqual(['read', LINK_DEFAULTS])
    actions.undo()
    await eventually(() => expect(settings()).toEqual(['read', first]))
    actions.clearText()
    expect(settings()).toEqual(['idle', LINK_DEFAULTS])
  })

  test('keeps a policy that the user chooses while another document is read', async () => {
    const { get, actions } = await atFirst()
    actions.openText(OWN, 'own.json', { kind: 'file' })
    actions.changePolicy({ windowTurns: 5 })
    await eventually(() => expect(get().read?.source.text).toBe(OWN))
    expect(get().policy).toMatchObject({ windowTurns: 5, batchTurns: 'auto' })
  })

  test('keeps the policy that a link or the user has chosen', async () => {
    const linked = await atFirst('v=2&b=32')
    expect(linked.address()).toBe('v=2&b=32')
    linked.actions.openText(OWN, 'own.json', { kind: 'file' })
    expect(linked.get().policy.batchTurns).toBe(32)
    const { get, address } = await atFirst('v=2')
    expect(get().policy).toEqual(LINK_DEFAULTS)
    expect(address()).toBe('v=2')
  })
})

const CUT_OFF = packText(SHARED).slice(0, -5)
const ENDLESS = packText('0'.repeat(9_000_000))

describe('a link the page is opened with', () => {
  test.each([
    [
      'v=2&w=3&a=1&a.w=9&s=other&m=openai%2Fgpt-4o&o=diff&zz=1',
      { pinned: { windowTurns: 9 }, model: 'openai/gpt-4o', view: 'diff' },
      { name: 'other.json', origin: { kind: 'sample', id: 'other' } },
    ],
    [
      'v=2&w=3&s=claude-code.session',
      {},
      { name: 'session.jsonl', origin: { kind: 'sample', id: 'claude-code.session' } },
    ],
  ])('sets what it names, and the address repeats it: %s', async (link, named, source) => {
    const { get, address } = await started(link)
    expect(get()).toMatchObject({ policy: { windowTurns: 3 }, ...named, source })
    expect(address()).toBe(link)
  })

  test('may contain a transcript and the conversation to show', async () => {
    const { get, address, said } = await started(`v=2&w=3&c=2&z=${packText(SEVERAL)}`)
    expect(get().source.text).toBe(SEVERAL)
    await eventually(() => expect(get().conversation).toBe(1))
    expect(address()).toBe('v=2&w=3&c=2')
    expect(said()).toEqual([])
  })

  test('names the shown conversation only if the document does not open at it', async () => {
    const first = [{ role: 'user', content: 'go' }]
    const log = [first, [...first, ...conversation('and on').toReversed()]]
      .map((messages) => JSON.stringify({ messages }))
      .join('\n')
    const { get, actions, address } = await started(`v=2&z=${packText(log)}`)
    expect(get().conversation).toBe(1)
    expect(address()).toBe('')
    actions.chooseConversation(0)
    expect(address()).toBe('v=2&c=1')
    const again = await started(`v=2&c=1&z=${packText(log)}`)
    await eventually(() => expect(again.get().conversation).toBe(0))
  })

  test('that names a missing conversation gives a notice', async () => {
    const { get, said } = await started('v=2&c=9')
    await eventually(() => expect(said()).toEqual(['link_conversation']))
    expect(get().conversation).toBe(0)
  })

  test.each([
    ['newer', 'v=99&w=3', 'link_newer'],
    ['damaged', 'v=2&w=3&k=%zz', 'link_value'],
    ['with a cut off transcript', `v=2&w=3&z=${CUT_OFF}`, 'link_transcript_damaged'],
    ['with a transcript that grows without end', `v=2&w=3&z=${ENDLESS}`, 'link_transcript_large'],
  ])('%s: its sentence is said, its settings hold, and the page opens', async (_, link, code) => {
    const { get, said } = await started(link)
    expect(said()).toEqual([code])
    expect(get().policy.windowTurns).toBe(3)
    expect(get().source.text).toContain('the first sample')
  })
})

describe("a link opened over the reader's own transcript", () => {
  test('leaves the transcript, applies the policy, and can be undone', async () => {
    const { get, actions, address, follow, takeBack, said } = await started('', OWN)
    actions.changePolicy({ windowTurns: 5 })
    actions.chooseModel('openai/gpt-4o')
    const before = address()
    await follow('#v=2&w=2&b=4&o=messages&a=1&s=other')
    expect(get()).toMatchObject({
      policy: { windowTurns: 2, batchTurns: 4 },
      view: 'messages',
      source: { text: OWN },
    })
    expect(said()).toEqual(['link_applied', 'link_own_text'])
    await takeBack()
    expect(address()).toBe(before)
    expect(get().source.text).toBe(OWN)
  })

  test('opens its transcript only when the user asks, and undo brings the other back', async () => {
    const { get, actions, follow, said } = await started('', OWN)
    await follow(`#v=2&w=2&z=${packText(SHARED)}`)
    expect(get().source.text).toBe(OWN)
    expect(said()).toEqual(['link_applied', 'link_transcript_waits'])
    actions.openLinkTranscript()
    expect(get().source.text).toBe(SHARED)
    actions.undo()
    expect(get().source.text).toBe(OWN)
  })

  test('has the comparison in a copied link on request only', async () => {
    const { get, actions } = await started('', OWN)
    actions.pin(get().policy)
    actions.changePolicy({ windowTurns: 3 })
    expect(sharedFragment(get())).toBe('v=2&w=3')
    expect(sharedFragment(get(), true)).toMatch(/&a=1$/)
    expect(settingsFragment(get())).toMatch(/&a=1$/)
  })

  test('leaves the shown conversation unless it names one or is a history entry', async () => {
    const { get, actions, follow, said } = await started('', SEVERAL)
    actions.chooseConversation(2)
    await follow('#v=2&w=4', true)
    expect(get()).toMatchObject({ conversation: 0, policy: { windowTurns: 4 } })
    expect(said()).toEqual([])
    actions.chooseConversation(2)
    await follow('#v=2&w=2')
    expect(get().conversation).toBe(2)
    await follow('#v=2&w=2&c=2')
    expect(get().conversation).toBe(1)
  })
})

test('a link says what the settings of its mechanism cannot be', async () => {
  const given = { id: 'swe-agent-last-n', settings: { n: 0, polling: 2, keep: 3 } }
  const page = await started(`v=2&h=${encodeURIComponent(JSON.stringify(given))}`)
  await eventually(() => expect(page.said()).toEqual(['link_value']))
  const [reasons] = page.get().notices.map(({ values }) => values.reasons as readonly Words[])
  expect(reasons?.map(inEnglish)).toEqual([
    'n is 0; expected a whole number from 1 to 1000000000.',
    'SWE-agent last_n_observations has no setting "keep"; known are n, polling.',
  ])
})

test.each([[['']], [['', '']], [['bash', '']]])(
  'names of a mechanism are none of %j',
  async (names) => {
    const given = { id: 'opencode-prune', settings: { PRUNE_PROTECTED_TOOLS: names } }
    const page = await started(`v=2&h=${encodeURIComponent(JSON.stringify(given))}`)
    await eventually(() => expect(page.said()).toEqual(['link_value']))
    const [reasons] = page.get().notices.map(({ values }) => values.reasons as readonly Words[])
    expect(reasons?.map(inEnglish)).toEqual([
      'PRUNE_PROTECTED_TOOLS is a list with an empty item; expected a list of tool names.',
    ])
  },
)

test.each(Object.getOwnPropertyNames(Object.prototype))(
  'a link with a mechanism that is called %s shows the policy',
  async (id) => {
    const page = await started(
      `v=2&h=${encodeURIComponent(JSON.stringify({ id, settings: { a: 1 } }))}`,
    )
    page.actions.openText(OWN, 'own.json', { kind: 'file' })
    await eventually(() => expect(page.get().mechanism).toBeUndefined())
    expect(page.said()).toEqual(['mechanism_unknown'])
  },
)

test('nothing is known of a mechanism that is called as a member of all objects is', () => {
  for (const id of Object.getOwnPropertyNames(Object.prototype))
    expect(MECHANISM_FACTS[id], id).toBeUndefined()
})
