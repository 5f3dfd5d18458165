import fc from 'fast-check'
import { createStore, keys, setMany, type UseStore } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { forAllAsync } from '@/lib/core/testing/test-size'
import { changeNotes, extrasOf } from '../files/session-files'
import type { Playground } from '../playground'
import { measureOf } from '../policy/policy-view'
import { anyStep, takeStep } from '../testing/any-steps'
import {
  type Browser,
  codes,
  newBrowser,
  OWN,
  openTab,
  reloaded,
  savedTab,
  workIn,
} from '../testing/draft-tabs'
import { eventually } from '../testing/eventually'
import { openDraftDatabase } from './draft-database'

let browser: Browser
let stored: UseStore
beforeEach(() => {
  browser = newBrowser()
  stored = createStore('masking-playground', 'drafts')
})

describe('a draft', () => {
  test('restores text, settings, undo and redo after a reload', async () => {
    const anySteps = fc.array(fc.oneof({ weight: 9, arbitrary: anyStep }, fc.constant('flush')), {
      maxLength: 12,
    })
    await forAllAsync(60, [anySteps], async (steps) => {
      browser = newBrowser()
      const tab = await openTab(browser)
      tab.actions.openText(OWN, 'own.json', { kind: 'file' })
      for (const step of steps) {
        if (typeof step === 'string') await tab.drafts.flush()
        else takeStep(tab, step)
      }
      const before = workIn(tab)
      const again = await reloaded(browser, tab)
      expect(workIn(again)).toEqual(before)
    })
  })

  test('is not said to be saved where nothing is', async () => {
    const { drafts } = await openTab(browser)
    await drafts.flush()
    expect(drafts.store.getState().saving).toBe('nothing')
  })

  test('restores the chosen format in every undo and redo step', async () => {
    const messages = [{ role: 'user', content: 'hello' }]
    const text = JSON.stringify({ max_tokens: 9, system: 'be brief', messages })
    const tab = await openTab(browser)
    tab.actions.openText(text, 'own.json', { kind: 'file' })
    const format = ({ store }: Playground) => store.getState().read?.model.format
    await eventually(() => expect(format(tab)).toBe('anthropic-messages'))
    await tab.actions.readAs('openai-chat')
    expect(format(tab)).toBe('openai-chat')
    tab.actions.editText([{ start: 0, end: 0, text: ' ' }])
    const before = workIn(tab)
    const again = await reloaded(browser, tab)
    expect(workIn(again)).toEqual(before)
    await eventually(() => expect(format(again)).toBe('openai-chat'))
    again.actions.undo()
    await eventually(() => expect(again.store.getState().reading.state).toBe('read'))
    expect(format(again)).toBe('openai-chat')
    again.actions.undo()
    await eventually(() => expect(format(again)).toBe('anthropic-messages'))
    again.actions.redo()
    await eventually(() => expect(format(again)).toBe('openai-chat'))
  })

  test('is saved during a drag, and a new tab resumes it after a crash', async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.editText([{ start: 0, end: 0, text: ' ' }])
    const ended = Date.now() + 1_200
    for (let turns = 9; Date.now() < ended; turns++) {
      tab.actions.changePolicy({ windowTurns: turns }, 'windowTurns')
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    tab.kill()
    const again = await openTab(browser)
    expect(codes(again)).toEqual(['draft_resumed'])
    expect(workIn(again).text).toBe(` ${OWN}`)
    expect(workIn(again).policy.windowTurns).toBeGreaterThan(20)
    again.actions.undo()
    expect(workIn(again).policy.windowTurns).toBe(8)
    again.actions.undo()
    expect(workIn(again).text).toBe(OWN)
  })

  test('of many parts is not joined, the worker reads it as a file, and all parts are deleted', async () => {
    const tab = await openTab(browser)
    const content = `${'x '.repeat(499_980)}${'😀'.repeat(50_001)}`
    const long = JSON.stringify([{ role: 'user', content }])
    tab.actions.openText(long, 'long.json', { kind: 'file' })
    await tab.drafts.flush()
    const again = await reloaded(browser, tab)
    await eventually(() => expect(again.store.getState().read?.source.name).toBe('long.json'))
    const { text, pieces, file } = again.store.getState().source
    expect(text === long && pieces?.slice(0) === long).toBe(true)
    expect(file?.size).toBe(new Blob([long]).size)
    await eventually(() => expect(measureOf(again.store.getState())?.chars.before).toBe(1_049_961))
    // A save on its way would bring the draft back.
    await again.drafts.flush()
    again.kill()
    const database = openDraftDatabase()
    for (const { id } of await database.list()) await database.remove(id)
    expect(await keys(stored)).toEqual([])
  })

  test('is held once by an undo step, without its pieces', async () => {
    const tab = await openTab(browser)
    const longOf = (letter: string) =>
      JSON.stringify([{ role: 'user', content: `${letter} `.repeat(510_000) }])
    for (const letter of ['a', 'b', 'c'])
      tab.actions.openText(longOf(letter), `${letter}.json`, { kind: 'file' })
    const again = await reloaded(browser, tab)
    const steps = again.store.getState().history.past.map(({ snapshot }) => snapshot.source)
    const texts = steps.map(({ name, text }) => [name, text === longOf(name.slice(0, 1))])
    expect(texts.slice(-2)).toEqual(['a', 'b'].map((letter) => [`${letter}.json`, true]))
    expect(steps.filter(({ pieces }) => pieces !== undefined)).toEqual([])
  })

  test('stores a text once, and edits as differences', async () => {
    const tab = await openTab(browser)
    const long = JSON.stringify([{ role: 'user', content: 'x'.repeat(500_000) }])
    tab.actions.openText(long, 'long.json', { kind: 'file' })
    await tab.drafts.flush()
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    for (const windowTurns of [3, 4, 5]) {
      tab.actions.changePolicy({ windowTurns })
      await tab.drafts.flush()
    }
    tab.actions.editText([{ start: 30, end: 30, text: 'typed' }])
    await tab.drafts.flush()
    const written = put.mock.calls.map(([value]) => JSON.stringify(value).length)
    vi.restoreAllMocks()
    expect(written.length).toBeGreaterThanOrEqual(9)
    expect(Math.max(...written)).toBeLessThan(10_000)
  })

  test('leaves no unused texts in the database', async () => {
    const tab = await savedTab(browser)
    for (const text of ['a', 'b', 'c', 'd']) {
      tab.actions.editText([{ start: 1, end: 1, text }])
      await tab.drafts.flush()
    }
    const kept = await keys<string>(stored)
    // The sample, the opened text and the newest one; the others belong to the same burst of typing.
    expect(kept.filter((key) => key.startsWith('text/'))).toHaveLength(3)
  })

  test('of the version before opens, and stays as it is in storage', async () => {
    const long = JSON.stringify([{ role: 'user', content: 'x'.repeat(500) }], null, 1)
    const inserted = (at: number, text: string) => ({
      base: 'w',
      span: { start: at, end: at },
      text,
    })
    const source = (key: string, base: string | undefined, document = 0) => ({
      ...{ text: { key, base, size: 9 }, name: 'old.json', origin: { kind: 'typed' }, document },
    })
    const step = (label: string, source: number) => ({ label, policy: { windowTurns: 3 }, source })
    const summary = { version: 1, id: 'old', revision: 'r', name: 'old.json', keptAt: 1, bytes: 9 }
    const body = {
      version: 1,
      documents: [{ draft: 'old', revision: 'r' }, { draft: 'other' }],
      sources: [
        source('d', 'w'),
        source('e', 'w'),
        source('w', undefined),
        source('s', undefined, 1),
      ],
      source: 0,
      policy: { windowTurns: 4 },
      past: [step('open', 3), step('type', 2), step('windowTurns', 1), step('type', 1)],
      future: [],
      conversation: 0,
    }
    await setMany(
      [
        ['draft/old', { ...summary, origin: { kind: 'typed' }, texts: ['d', 'w', 'e', 's'] }],
        ['body/old', body],
        ['text/w', { text: long }],
        ['text/d', inserted(9, 'later')],
        ['text/e', inserted(9, 'late')],
        ['text/s', { text: '[]' }],
      ],
      stored,
    )
    const tab = await openTab(browser)
    const texts = [
      `${long.slice(0, 9)}late${long.slice(9)}`,
      `${long.slice(0, 9)}later${long.slice(9)}`,
    ]
    const work = workIn(tab)
    expect([work.text, ...work.past.map(({ text }) => text)]).toEqual([
      ...[texts[1], texts[0], texts[0], long, '[]'],
    ])
    const last = tab.store.getState().history.past.at(-1)?.snapshot.source.text
    expect(Array.isArray(last)).toBe(true)
    tab.actions.changePolicy({ windowTurns: 9 })
    const put = vi.spyOn(IDBObjectStore.prototype, 'put')
    const again = await reloaded(browser, tab)
    // A tab of another test can still be saving.
    const own = put.mock.calls
      .map(([_, key]) => String(key))
      .filter((key) => /\/(old|[dwes])$/.test(key))
    expect(own).toEqual(['draft/old', 'body/old'])
    vi.restoreAllMocks()
    expect(workIn(again)).toEqual(workIn(tab))
  })

  test('restores notes and the shown conversation', async () => {
    const tab = await openTab(browser)
    const runs = [1, 2, 3].map((run) =>
      JSON.stringify({ messages: [{ role: 'user', content: `run ${run}` }] }),
    )
    tab.actions.openText(runs.join('\n'), 'runs.jsonl', { kind: 'file' })
    await eventually(() => expect(tab.store.getState().read?.model.conversations).toHaveLength(3))
    tab.actions.chooseConversation(2)
    changeNotes(tab, 'look at run 3')
    const again = await reloaded(browser, tab)
    expect(extrasOf(again.store.getState()).notes).toBe('look at run 3')
    await eventually(() => expect(again.store.getState().conversation).toBe(2))
  })

  test('is not saved for an unchanged sample', async () => {
    const tab = await openTab(browser)
    await tab.drafts.flush()
    expect(await openDraftDatabase().list()).toEqual([])
    tab.actions.changePolicy({ windowTurns: 3 })
    await tab.drafts.flush()
    expect(await openDraftDatabase().list()).toMatchObject([{ name: 'coding-session.json' }])
  })
})

describe('a browser that refuses', () => {
  const refuse = (name: string) =>
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('No room.', name)
    })

  test('for lack of space: one notice, nothing is replaced, and saving resumes once there is space', async () => {
    const tab = await openTab(browser)
    refuse('QuotaExceededError')
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    expect(await tab.drafts.flush()).toBe(false)
    tab.actions.changePolicy({ windowTurns: 3 })
    expect(await tab.drafts.flush()).toBe(false)
    expect(codes(tab)).toEqual(['draft_quota'])
    expect(tab.drafts.store.getState().saving).toBe('failed')
    expect(await tab.drafts.open('another')).toBe(false)
    expect(workIn(tab).text).toBe(OWN)
    vi.restoreAllMocks()
    expect(await tab.drafts.flush()).toBe(true)
    expect(codes(tab)).toContain('draft_saved_again')
    tab.kill()
    expect(workIn(await openTab(browser, { memory: tab.memory })).text).toBe(OWN)
  })

  test('a database: the page works, with a notice once something is to be saved', async () => {
    vi.stubGlobal('indexedDB', undefined)
    const tab = await openTab(browser)
    expect(codes(tab)).toEqual([])
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    expect(await tab.drafts.flush()).toBe(false)
    expect(codes(tab)).toEqual(['draft_refused'])
    await eventually(() => expect(tab.store.getState().read?.source.text).toBe(OWN))
  })
})

describe('deleting everything', () => {
  test('deletes all, and other tabs cannot write afterwards', async () => {
    const one = await savedTab(browser, 'one.json')
    const two = await savedTab(browser, 'two.json', '[]')
    browser.forgotten.length = 0
    two.actions.changePolicy({ windowTurns: 3 })
    const late = two.drafts.flush()
    await one.drafts.forgetEverything()
    await late
    two.actions.changePolicy({ windowTurns: 4 })
    await two.drafts.flush()
    expect(await openDraftDatabase().list()).toEqual([])
    expect(browser.removed).toContain('masking-playground.prices')
    expect(one.startOver).toHaveBeenCalledOnce()
    expect(two.startOver).toHaveBeenCalledOnce()
    one.kill()
    two.kill()
    const newTab = await openTab(browser, { memory: one.memory })
    expect(workIn(newTab).origin.kind).toBe('sample')
    expect(codes(newTab)).toEqual(['forgotten'])
  })
})
