/** Drafts of tabs that start, that are open at once, and that a link opens. */
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { takeBackLink } from '../link/settings-url'
import {
  type Browser,
  codes,
  newBrowser,
  OWN,
  openTab,
  savedTab,
  workIn,
} from '../testing/draft-tabs'
import { storageInMemory } from '../testing/storage-in-memory'
import { openDraftDatabase } from './draft-database'
import { createDraftLocks, type Locks, readTabRecord, writeTabRecord } from './draft-locks'

let browser: Browser
beforeEach(() => {
  browser = newBrowser()
})

test('a draft does not replace a text that is opened while it is loaded', async () => {
  const first = await savedTab(browser)
  first.kill()
  const opening = openTab(browser, {
    memory: first.memory,
    onStart: ({ actions }) => actions.openText('[]', 'pasted.json', { kind: 'paste' }),
  })
  expect(workIn(await opening)).toMatchObject({ text: '[]', name: 'pasted.json' })
  expect(codes(await opening)).toEqual([])
})

/** Types at the start of the text, and saves it. */
async function type({ actions, drafts }: Awaited<ReturnType<typeof openTab>>, text: string) {
  actions.editText([{ start: 0, end: 0, text }])
  await drafts.flush()
}

describe('two tabs', () => {
  test('each restore their own draft', async () => {
    const one = await savedTab(browser, 'one.json')
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
      await type(two, 'two')
      await type(one, 'one')
      await type(two, 'again ')
      one.kill()
      two.kill()
      expect(workIn(await openTab(browser, { memory: one.memory })).text).toBe(`one${OWN}`)
      expect(workIn(await openTab(browser, { memory: two.memory })).text).toBe(`again two${OWN}`)
    },
  )

  test('whose clock goes back with every save: the last saved is the newest', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const one = await openTab(browser)
    const two = await openTab(browser)
    const tabs = [one, two, one, two, two, one]
    for (const [at, tab] of tabs.entries()) {
      vi.setSystemTime(new Date(2026, 0, 31 - at))
      const name = tab === one ? 'one.json' : 'two.json'
      if (at < 2) tab.actions.openText(`[${at}]`, name, { kind: 'file' })
      await type(tab, ' ')
      await two.drafts.list()
      expect(two.drafts.store.getState().recent?.[0]?.name).toBe(name)
    }
    one.kill()
    two.kill()
    expect(workIn(await openTab(browser)).name).toBe('one.json')
    vi.useRealTimers()
  })

  test('save a text that the other one replaced and restored', async () => {
    const one = await savedTab(browser, 'first.json')
    one.actions.openText('[]', 'second.json', { kind: 'file' })
    await one.drafts.flush()
    const two = await openTab(browser)
    const [first] = (await openDraftDatabase().list()).filter(({ name }) => name === 'first.json')
    expect(await two.drafts.open(first?.id as string)).toBe(true)
    await type(two, 'in two')
    one.actions.undo()
    await type(one, 'in one')
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
    await takeBackLink(tab, async () => undefined)
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
    const { storage } = storageInMemory(tab.memory)
    writeTabRecord(storage, { ...readTabRecord(storage), ...written })
    const again = await openTab(browser, { memory: tab.memory, fragment: '#v=2&w=7' })
    expect(workIn(again).policy.windowTurns).toBe(5)
    expect(codes(again)).toEqual([])
  })
})

/** Browser locks that are granted only at the given request; `held` are locks of other tabs. */
function slowLocks(given: number, held: readonly string[] = []): Locks {
  let asked = 0
  const request = (
    _: string,
    { signal }: LockOptions,
    use: (lock: Lock | null) => Promise<void>,
  ) => {
    asked++
    if (asked >= given && held.length === 0) return use(null)
    return new Promise((_, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason))
    })
  }
  return {
    request: request as Locks['request'],
    query: async () => ({ held: held.map((name) => ({ name })), pending: [] }),
  }
}

test('a lock that the browser grants late is still acquired', async () => {
  const locks = slowLocks(3)
  expect(await createDraftLocks(() => locks).lock('a')).toBe(true)
})

test('a lock of another tab is not acquired', async () => {
  const locks = slowLocks(1, ['masking-playground.draft/a'])
  expect(await createDraftLocks(() => locks).lock('a')).toBe(false)
})
