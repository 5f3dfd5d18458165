import { createStore, keys } from 'idb-keyval'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import {
  type Browser,
  codes,
  newBrowser,
  OWN,
  openTab,
  savedTab,
  workIn,
} from '../testing/draft-tabs'
import { openDraftDatabase } from './draft-database'

let browser: Browser
beforeEach(() => {
  browser = newBrowser()
})

describe('a conversation made on the page', () => {
  const name = 'follow-up.json'
  const thread = (key: string, content: string) => {
    return { key, name, text: JSON.stringify([{ role: 'user', content }]), turns: 0 }
  }
  const listed = () => openDraftDatabase().list()

  test('is saved as one draft however often, and leaves no unused texts', async () => {
    const tab = await openTab(browser)
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.changePolicy({ windowTurns: 3 })
    expect(await tab.drafts.saveConversation(thread('one', 'first'))).toBe(true)
    expect(await tab.drafts.saveConversation(thread('one', 'second'))).toBe(true)
    expect(await tab.drafts.saveConversation(thread('two', 'other'))).toBe(true)
    expect(codes(tab)).toEqual(['conversation_saved_again', 'conversation_saved'])
    await tab.drafts.flush()
    const records = await listed()
    expect(records.filter((one) => one.name === name)).toHaveLength(2)
    const kept = await keys<string>(createStore('masking-playground', 'drafts'))
    const needed = records.flatMap(({ texts }) => texts.map((key) => `text/${key}`))
    expect(kept.filter((key) => key.startsWith('text/')).toSorted()).toEqual(needed.toSorted())
    expect(workIn(tab).text).toBe(OWN)

    await tab.drafts.list()
    const saved = tab.drafts.store.getState().recent?.filter((one) => one.name === name) ?? []
    expect(saved[0]?.formatLabel).toBe('OpenAI chat')
    for (const { id } of saved) {
      expect(await tab.drafts.open(id)).toBe(true)
      expect(['second', 'other'].map((text) => thread('', text).text)).toContain(workIn(tab).text)
      expect(workIn(tab).policy.windowTurns).toBe(3)
    }
  })

  test('is not replaced once the user has worked on it', async () => {
    const tab = await openTab(browser)
    await tab.drafts.saveConversation(thread('one', 'first'))
    const [kept] = await listed()
    await tab.drafts.open(kept?.id ?? '')
    tab.actions.openText(OWN, 'own.json', { kind: 'file' })
    tab.actions.undo()
    tab.actions.editText([{ start: 0, end: 0, text: ' ' }])
    await tab.drafts.flush()
    await tab.drafts.saveConversation(thread('one', 'again'))
    expect(await listed()).toHaveLength(2)
    await tab.drafts.open(kept?.id ?? '')
    expect(workIn(tab).text).toBe(` ${thread('', 'first').text}`)
  })

  test('is saved as it is made, without a notice, and the oldest over the limit are removed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const tab = await openTab(browser)
    const keys = Array.from({ length: 22 }, (_, at) => `${at}`)
    for (const key of keys) {
      vi.advanceTimersByTime(1000)
      const made = { ...thread(key, key), name: `${key}.json` }
      expect(await tab.drafts.saveConversation(made, false)).toBe(true)
    }
    expect(codes(tab)).toEqual([])
    await tab.drafts.list()
    const newestFirst = tab.drafts.store.getState().recent?.map(({ name }) => name)
    expect(newestFirst).toEqual(
      keys
        .slice(2)
        .reverse()
        .map((key) => `${key}.json`),
    )
    vi.useRealTimers()
  })

  test('is not resumed by a new tab', async () => {
    const tab = await savedTab(browser)
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
