import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import fc from 'fast-check'
import { createStore, keys } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { anyText } from '@/lib/core/testing/chat-messages'
import { fuzz } from '@/lib/core/testing/test-size'
import { spawnInline } from '@/lib/worker/testing/spawn-inline'
import { type LazySource, sourcesOf } from '../document/remembered-source'
import { changeNotes, extrasOf } from '../files/session-files'
import { startPlayground } from '../link/start-playground'
import { createPlayground, type Playground } from '../playground'
import type { PlaygroundState } from '../store'
import { eventually } from '../testing/eventually'
import { createDrafts, type Drafts } from './create-drafts'
import { openDraftDatabase } from './draft-database'
import { createDraftLocks } from './draft-locks'
import { readTabRecord, writeTabRecord } from './tab-record'

const SAMPLES: Readonly<Record<string, string>> = {
  'samples/index.json': JSON.stringify(
    ['coding-session', 'other'].map((id) => ({ id, file: `${id}.json` })),
  ),
  'samples/coding-session.json': JSON.stringify([{ role: 'user', content: 'the first sample' }]),
  'samples/other.json': JSON.stringify([{ role: 'user', content: 'another sample' }]),
}
const fetchText = async (path: string) => SAMPLES[path]

/** A browser whose tabs share a database, locks and local storage. */
interface Browser {
  readonly open: Map<string, () => void>
  readonly forgotten: (() => void)[]
  readonly removed: string[]
  readonly stored: Map<string, string>
}

interface Tab extends Playground {
  readonly drafts: Drafts
  readonly memory: Map<string, string>
  readonly startOver: ReturnType<typeof vi.fn>
  /** Ends the tab like a crash: it writes nothing more, and its locks are released. */
  readonly kill: () => void
}

/** Simplified browser locks: one holder per name, released when its tab ends. */
function locksOf(browser: Browser, own: Set<string>) {
  const request = async (name: string, _: object, work: () => Promise<void>) => {
    if (browser.open.has(name)) throw Object.assign(new Error('taken'), { name: 'TimeoutError' })
    own.add(name)
    browser.open.set(name, () => {})
    await work()
    browser.open.delete(name)
    own.delete(name)
  }
  const query = async () => ({ held: [...browser.open.keys()].map((name) => ({ name })) })
  return { request, query } as unknown as Pick<LockManager, 'request' | 'query'>
}

async function openTab(
  browser: Browser,
  { fragment = '', memory = new Map<string, string>(), hasLocks = true } = {},
): Promise<Tab> {
  const playground = createPlayground(spawnInline)
  const own = new Set<string>()
  const startOver = vi.fn()
  const storage = () => ({
    getItem: (key: string) => memory.get(key) ?? null,
    setItem: (key: string, value: string) => void memory.set(key, value),
  })
  const locks = locksOf(browser, own)
  const drafts = createDrafts(playground, {
    storage: () => ({
      getItem: (key) => browser.stored.get(key) ?? null,
      setItem: (key, value) => void browser.stored.set(key, value),
    }),
    database: openDraftDatabase(),
    locks: createDraftLocks(() => (hasLocks ? locks : undefined)),
    readTab: () => readTabRecord(storage),
    writeTab: (next) => writeTabRecord(storage, next),
    removeStored: (names) => void browser.removed.push(...names),
    startOver,
    announceForgotten: () => {
      for (const listener of browser.forgotten) listener()
    },
    onForgotten: (listener) => void browser.forgotten.push(listener),
  })
  await startPlayground(playground, fragment, fetchText, drafts.start)
  const kill = () => {
    for (const name of own) browser.open.delete(name)
  }
  return { ...playground, drafts, memory, startOver, kill }
}

function newBrowser(): Browser {
  globalThis.indexedDB = new IDBFactory()
  return { open: new Map(), forgotten: [], removed: [], stored: new Map() }
}

/** The restorable part of a draft: texts, settings and every undo and redo step, without ids. */
function workOf({ source, policy, pinned, model, history }: PlaygroundState) {
  const steps = (side: typeof history.past) => {
    const sources = [...sourcesOf(side, source)].reverse()
    return side.map(({ label, snapshot }, at) => {
      const { makeText, name, origin, readAs } = sources[at] as LazySource
      return { label, policy: snapshot.policy, text: makeText(), name, origin, readAs }
    })
  }
  const { text, name, origin, readAs } = source
  return {
    ...{ text, name, origin, readAs, policy, pinned, model },
    past: steps(history.past),
    future: steps(history.future),
  }
}

const workIn = ({ store }: Playground) => workOf(store.getState())
const codes = ({ store }: Playground) => store.getState().notices.map(({ code }) => code)

const OWN = JSON.stringify([{ role: 'user', content: 'my own transcript' }])

let browser: Browser
beforeEach(() => {
  browser = newBrowser()
})

describe('a draft', () => {
  test('restores text, settings, undo and redo after a reload', async () => {
    const anyStep = fc.oneof(
      fc.record({
        kind: fc.constant('type' as const),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
        text: anyText,
      }),
      fc.record({ kind: fc.constant('open' as const), text: fc.oneof(anyText, fc.constant(OWN)) }),
      fc.record({ kind: fc.constant('window' as const), turns: fc.nat(80) }),
      fc.record({ kind: fc.constant('placeholder' as const), text: anyText }),
      fc.constantFrom(
        { kind: 'undo' as const },
        { kind: 'redo' as const },
        { kind: 'keep' as const },
        { kind: 'end' as const },
      ),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { maxLength: 12 }), async (steps) => {
        browser = newBrowser()
        const tab = await openTab(browser)
        tab.actions.openText(OWN, 'own.json', { kind: 'file' })
        for (const step of steps) {
          switch (step.kind) {
            case 'type': {
              const start = Math.floor(step.at * tab.store.getState().source.text.length)
              tab.actions.editText([{ start, end: start, text: step.text }])
              break
            }
            case 'open':
              tab.actions.openText(step.text, 'other.json', { kind: 'paste' })
              break
            case 'window':
              tab.actions.changePolicy({ windowTurns: step.turns }, 'windowTurns')
              break
            case 'placeholder':
              tab.actions.changePolicy({ placeholderTemplate: step.text })
              break
            case 'keep':
              await tab.drafts.flush()
              break
            case 'end':
              tab.actions.endGesture()
              break
            default:
              tab.actions[step.kind]()
          }
        }
        await tab.drafts.flush()
        const before = workIn(tab)
        tab.kill()
        const again = await openTab(browser, { memory: tab.memory })
        expect(workIn(again)).toEqual(before)
      }),
      fuzz(60),
    )
  })

  test('restores the chosen format in every undo and redo step', async () => {
    const text = JSON.stringify({
      max_tokens: 9,
      system: 'be brief',
      messages: [{ role: 'user', content: 'hello' }],
    })
    const tab = await openTab(browser)
    tab.actions.openText(text, 'own.json', { kind: 'file' })
    const format = ({ store }: Playground) => store.getState().read?.model.format
    await eventually(() => expect(format(tab)).toBe('anthropic-messages'))
    await tab.actions.readAs('openai-chat')
    expect(format(tab)).toBe('openai-chat')
    tab.actions.editText([{ start: 0, end: 0, text: ' ' }])
    await tab.drafts.flush()
    const before = workIn(tab)
    tab.kill()
    const again = await openTab(browser, { memory: tab.memory })
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

  test('stores a text once, and edits as differences', async () => {
    const tab = await openTab(browser)
    const long = JSON.stringify([{ role: 'user', content: 'x'.repeat(500_000) }])
    tab.actions.openText(long, 'long.json', { kind: 'file' })
    await tab.drafts.flush()
    const written: number[] = []
    const put = IDBObjectStore.prototype.put
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (
      this: IDBObjectStore,
      value,
      key,
    ) {
      written.push(JSON.stringify(value).length)
      return put.call(this, value, key)
    })
    for (const windowTurns of [3, 4, 5]) {
      tab.actions.changePolicy({ windowTurns })
      await tab.drafts.flush()
    }
    tab.actions.editText([{ start: 30, end: 30, text: 'typed' }])
    await tab.drafts.flush()
    vi.restoreAllMocks()
    expect(written.length).toBeGreaterThanOrEqual(9)
    expect(Math.max(...written)).toBeLessThan(10_000)
  })

  test('restores a text of many parts, and deletes all of them', async () => {
    const tab = await openTab(browser)
    const content = '😀'.repeat(600_001)
    tab.actions.openText(JSON.stringify([{ role: 'user', content }]), 'a.json', { kind: 'file' })
    await tab.drafts.flush()
    tab.kill()
    const again = await openTab(browser, { memory: tab.memory })
    expect(again.store.getState().source.text === tab.store.getState().source.text).toBe(true)
    // A save on its way would bring the draft back.
    await again.drafts.flush()
    again.kill()
    const database = openDraftDatabase()
    for (const { id } of await database.list()) await database.remove(id)
    expect(await keys(createStore('masking-playground', 'drafts'))).toEqual([])
  })

  test('leaves no unused texts in the database', async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    await tab.drafts.flush()
    for (const text of ['a', 'b', 'c', 'd']) {
      tab.actions.editText([{ start: 1, end: 1, text }])
      await tab.drafts.flush()
    }
    const kept = createStore('masking-playground', 'drafts')
    const textsKept = async () =>
      (await keys<string>(kept)).filter((key) => key.startsWith('text/')).length
    // The sample, the opened text and the newest one; the others belong to the same burst of typing.
    expect(await textsKept()).toBe(3)
    const database = openDraftDatabase()
    for (const { id } of await database.list()) await database.remove(id)
    expect(await keys(kept)).toEqual([])
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
    await tab.drafts.flush()
    tab.kill()
    const again = await openTab(browser, { memory: tab.memory })
    expect(extrasOf(again.store.getState()).notes).toBe('look at run 3')
    await eventually(() => expect(again.store.getState().conversation).toBe(2))
  })

  test('is not saved for an unchanged sample', async () => {
    const tab = await openTab(browser)
    await tab.drafts.flush()
    expect(await openDraftDatabase().list()).toEqual([])
    tab.actions.changePolicy({ windowTurns: 3 })
    await tab.drafts.flush()
    expect((await openDraftDatabase().list()).map(({ name }) => name)).toEqual([
      'coding-session.json',
    ])
  })
})

describe('two tabs', () => {
  test('each restore their own draft', async () => {
    const one = await openTab(browser)
    one.actions.openText(OWN, 'one.json', { kind: 'file' })
    await one.drafts.flush()
    const two = await openTab(browser)
    expect(workIn(two).origin.kind).toBe('sample')
    two.actions.openText('[]', 'two.json', { kind: 'file' })
    await two.drafts.flush()
    one.kill()
    two.kill()
    expect(workIn(await openTab(browser, { memory: one.memory })).name).toBe('one.json')
    expect(workIn(await openTab(browser, { memory: two.memory })).name).toBe('two.json')
  })

  test.each([true, false])(
    'of which one was duplicated part: neither overwrites the other (browser tells of tabs: %s)',
    async (hasLocks) => {
      const one = await openTab(browser, { hasLocks })
      one.actions.openText(OWN, 'one.json', { kind: 'file' })
      await one.drafts.flush()
      const two = await openTab(browser, { hasLocks, memory: new Map(one.memory) })
      expect(workIn(two).text).toBe(OWN)
      two.actions.editText([{ start: 0, end: 0, text: 'two' }])
      await two.drafts.flush()
      one.actions.editText([{ start: 0, end: 0, text: 'one' }])
      await one.drafts.flush()
      two.actions.editText([{ start: 0, end: 0, text: 'again ' }])
      await two.drafts.flush()
      one.kill()
      two.kill()
      expect(workIn(await openTab(browser, { memory: one.memory })).text).toBe(`one${OWN}`)
      expect(workIn(await openTab(browser, { memory: two.memory })).text).toBe(`again two${OWN}`)
    },
  )

  test('save a text that the other one replaced and restored', async () => {
    const one = await openTab(browser)
    one.actions.openText(OWN, 'first.json', { kind: 'file' })
    await one.drafts.flush()
    one.actions.openText('[]', 'second.json', { kind: 'file' })
    await one.drafts.flush()
    const two = await openTab(browser)
    const [first] = (await openDraftDatabase().list()).filter(({ name }) => name === 'first.json')
    expect(await two.drafts.open(first?.id as string)).toBe(true)
    two.actions.editText([{ start: 0, end: 0, text: 'in two' }])
    await two.drafts.flush()
    one.actions.undo()
    one.actions.editText([{ start: 0, end: 0, text: 'in one' }])
    await one.drafts.flush()
    const database = openDraftDatabase()
    const texts = await Promise.all(
      (await database.list()).map(async ({ id }) => {
        const reader = await openTab(browser)
        await reader.drafts.open(id)
        return workIn(reader).text
      }),
    )
    expect(texts.toSorted()).toEqual([`in one${OWN}`, `in two${OWN}`, '[]'].toSorted())
  })
})

describe('a link', () => {
  const kept = async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.changePolicy({ windowTurns: 5 })
    await tab.drafts.flush()
    tab.kill()
    return tab
  }

  test('with settings applies to the draft, and can be undone', async () => {
    await kept()
    const tab = await openTab(browser, { fragment: '#v=2&w=12' })
    expect(workIn(tab)).toMatchObject({ text: OWN, policy: { windowTurns: 12 } })
    expect(codes(tab)).toEqual(['draft_resumed', 'link_applied'])
    tab.actions.undoLink()
    expect(workIn(tab).policy.windowTurns).toBe(5)
  })

  test('to a sample opens it and offers the draft', async () => {
    await kept()
    const tab = await openTab(browser, { fragment: '#v=2&w=12&s=other' })
    expect(workIn(tab)).toMatchObject({ name: 'other.json', policy: { windowTurns: 12 } })
    expect(codes(tab)).toEqual(['draft_offered'])
    await tab.drafts.openNewest()
    expect(workIn(tab)).toMatchObject({ text: OWN, policy: { windowTurns: 5 } })
  })

  // A reload can overtake the last write to the address.
  test.each([
    ['last', { address: 'v=2&w=7' }],
    ['before that', { address: 'v=2&w=5', addressBefore: 'v=2&w=7' }],
  ])('that this tab wrote %s is not followed, because the draft is newer', async (_, written) => {
    const tab = await kept()
    writeTabRecord(
      () => ({ getItem: () => null, setItem: (key, value) => void tab.memory.set(key, value) }),
      {
        ...readTabRecord(() => ({
          getItem: (key) => tab.memory.get(key) ?? null,
          setItem: () => {},
        })),
        ...written,
      },
    )
    const again = await openTab(browser, { memory: tab.memory, fragment: '#v=2&w=7' })
    expect(workIn(again).policy.windowTurns).toBe(5)
    expect(codes(again)).toEqual([])
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
    Object.defineProperty(globalThis, 'indexedDB', {
      value: undefined,
      configurable: true,
      writable: true,
    })
    const tab = await openTab(browser)
    expect(codes(tab)).toEqual([])
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    expect(await tab.drafts.flush()).toBe(false)
    expect(codes(tab)).toEqual(['draft_refused'])
    await eventually(() => expect(tab.store.getState().read?.source.text).toBe(OWN))
  })
})

describe('a conversation made on the page', () => {
  const thread = (key: string, content: string) => ({
    key,
    name: 'follow-up.json',
    text: JSON.stringify([{ role: 'user', content }]),
    turns: 0,
  })
  const listed = async () => {
    const records = await openDraftDatabase().list()
    return records.map(({ name, bytes }) => ({ name, bytes }))
  }

  test('is saved as one draft however often, and leaves no unused texts', async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.changePolicy({ windowTurns: 3 })
    expect(await tab.drafts.saveConversation(thread('one', 'first'))).toBe(true)
    expect(await tab.drafts.saveConversation(thread('one', 'second'))).toBe(true)
    expect(await tab.drafts.saveConversation(thread('two', 'other'))).toBe(true)
    expect(codes(tab)).toEqual(['conversation_saved_again', 'conversation_saved'])
    await tab.drafts.flush()
    expect((await listed()).filter(({ name }) => name === 'follow-up.json')).toHaveLength(2)
    const texts = (await keys(createStore('masking-playground', 'drafts'))).filter((key) =>
      String(key).startsWith('text/'),
    )
    const needed = (await openDraftDatabase().list()).flatMap((record) => record.texts)
    expect(texts.toSorted()).toEqual(needed.map((key) => `text/${key}`).toSorted())
    expect(workIn(tab).text).toBe(OWN)

    await tab.drafts.list()
    const kept = tab.drafts.store.getState().recent ?? []
    const [newest] = kept.filter(({ name }) => name === 'follow-up.json')
    expect(newest?.formatLabel).toBe('OpenAI chat')
    for (const { id } of kept.filter(({ name }) => name === 'follow-up.json')) {
      expect(await tab.drafts.open(id)).toBe(true)
      expect(['second', 'other'].map((text) => thread('', text).text)).toContain(workIn(tab).text)
      expect(workIn(tab).policy.windowTurns).toBe(3)
    }
  })

  test('is not replaced once the user has worked on it', async () => {
    const tab = await openTab(browser)
    await tab.drafts.saveConversation(thread('one', 'first'))
    const [kept] = await openDraftDatabase().list()
    await tab.drafts.open(kept?.id ?? '')
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.undo()
    tab.actions.editText([{ start: 0, end: 0, text: ' ' }])
    await tab.drafts.flush()
    await tab.drafts.saveConversation(thread('one', 'again'))
    const texts = (await openDraftDatabase().list()).map(({ bytes }) => bytes)
    expect(texts).toHaveLength(2)
    await tab.drafts.open(kept?.id ?? '')
    expect(workIn(tab).text).toBe(` ${thread('', 'first').text}`)
  })

  test('is saved as it is made, without a notice, and the oldest over the limit are removed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const tab = await openTab(browser)
    tab.drafts.changeConversationSettings({ most: 2 })
    for (const key of ['one', 'two', 'three']) {
      vi.advanceTimersByTime(1000)
      const made = { ...thread(key, key), name: `${key}.json` }
      expect(await tab.drafts.saveConversation(made, false)).toBe(true)
    }
    expect(codes(tab)).toEqual([])
    await tab.drafts.list()
    const newestFirst = tab.drafts.store.getState().recent?.map(({ name }) => name)
    expect(newestFirst).toEqual(['three.json', 'two.json'])
    tab.drafts.changeConversationSettings({ isAutomatic: false })
    expect(await tab.drafts.saveConversation(thread('four', 'four'), false)).toBe(false)
    const again = await openTab(browser)
    expect(again.drafts.store.getState().conversations).toEqual({ isAutomatic: false, most: 2 })
    vi.useRealTimers()
  })

  test('is not resumed by a new tab', async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    await tab.drafts.flush()
    await tab.drafts.saveConversation(thread('one', 'first'))
    tab.kill()
    expect(workIn(await openTab(browser)).text).toBe(OWN)
  })

  test('that cannot be saved gives a notice', async () => {
    const tab = await openTab(browser)
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    expect(await tab.drafts.saveConversation(thread('one', 'first'))).toBe(false)
    vi.restoreAllMocks()
    expect(codes(tab)).toEqual(['conversation_not_saved'])
    expect(await listed()).toEqual([])
  })
})

describe('deleting everything', () => {
  test('deletes all, and other tabs cannot write afterwards', async () => {
    const one = await openTab(browser)
    one.actions.openText(OWN, 'one.json', { kind: 'file' })
    await one.drafts.flush()
    const two = await openTab(browser)
    two.actions.openText('[]', 'two.json', { kind: 'file' })
    await two.drafts.flush()
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
