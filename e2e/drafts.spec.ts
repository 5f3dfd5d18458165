import type { BrowserContext, Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { expect, largeTest, test } from './fixtures'
import { PlaygroundPage } from './playground-page'
import { deleteStorage } from './steps'

/** The page in a new tab of the same browser. */
async function reopened(context: BrowserContext): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('')
  return playground
}

test('a reload restores text, policy and undo without asking', async ({ page }) => {
  const playground = await editedIn(page)
  await playground.setWindow(3)
  await playground.setWindow(5)
  await playground.isStored()
  page.on('dialog', () => expect('a question on leaving').toBe('never asked'))
  await page.reload()
  await playground.isCounted()
  await expect(playground.window).toHaveValue('5')
  expect(await savedSession(playground)).toMatchObject({ transcript: { text: EDITED } })
  await playground.undo('the last N turns').click()
  await expect(playground.window).toHaveValue('3')
  await playground.undo('the last N turns').click()
  await expect(playground.window).toHaveValue('8')
  await playground.undo('typing').click()
  await page.getByRole('button', { name: 'Redo typing' }).click()
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
})

test('what is set right before a reload stays, and is what Undo takes back', async ({
  page,
  playground,
}) => {
  await playground.reuse()
  await playground.openText('own.json', OWN, /own\.json.*12 turns/)
  await playground.isStored()
  await playground.setWindow(3)
  await page.reload()
  await playground.isCounted()
  await expect(playground.window).toHaveValue('3')
  await expect(playground.undo('the last N turns')).toBeVisible()
  // Loads the editors.
  for (const at of [1, 2]) await page.mouse.move(at, at)
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+z')
  await expect(playground.window).toHaveValue('8')
  await playground.shows('own.json')
  await playground.isStored()

  const menu = page.getByRole('combobox', { name: 'Mechanism' })
  await menu.click()
  await page.getByRole('option', { name: 'Truncation of long results' }).click()
  await page.reload()
  await playground.isCounted()
  await expect(menu).toContainText('Truncation of long results')
  await playground.undo('the mechanism').click()
  await expect(menu).toContainText('Schema 1 masking')
})

test('code fails: a sentence, and a reload opens the transcript', async ({ page, problems }) => {
  const playground = await editedIn(page)
  await playground.setWindow(3)
  await playground.isStored()
  await page.evaluate(() => {
    Object.defineProperty(Intl.NumberFormat.prototype, 'format', {
      get: () => {
        throw new TypeError('a failure on purpose')
      },
    })
  })
  await playground.window.fill('4')
  await expect(
    page.getByRole('heading', { name: 'The page stopped because of a bug' }),
  ).toBeVisible()
  await expect(page.getByText('a failure on purpose')).toBeVisible()
  await page.getByRole('button', { name: 'Reload' }).click()
  await playground.isCounted()
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
  for (const problem of problems.splice(0)) expect(problem).toContain('a failure on purpose')
})

largeTest('one transcript is removed for good, the others stay', async ({ page, playground }) => {
  await playground.open()
  await editedIn(page)
  await playground.isStored()
  await playground.openText('second.json', '[{"role":"user","content":"two"}]')
  const dialog = await playground.openDialog()
  await dialog.getByRole('button', { name: 'Remove own.json' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog).toContainText('Nothing else is stored yet.')
  await expect(dialog).toContainText('second.json')
})

largeTest('everything is forgotten, in every tab', async ({ page, context, playground }) => {
  await playground.open()
  const one = await editedIn(page)
  await one.isStored()
  await page.getByRole('button', { name: 'Masked', exact: true }).click()
  const two = await reopened(context)
  await two.openBytes('second.json', Buffer.from(OWN))
  await two.isStored()
  await page.bringToFront()
  const dialog = await one.openDialog()
  await expect(dialog).toContainText('Everything here is stored in this browser')
  await dialog.getByRole('button', { name: 'Delete all data…' }).click()
  const question = page.getByRole('dialog', { name: 'Delete all data?' })
  await expect(question).toContainText('your prices and models')
  await question.getByRole('button', { name: 'Delete all data' }).click()
  for (const tab of [one, two]) {
    await expect(tab.notices).toContainText('All data was deleted')
    await expect(tab.button(/coding-session\.json/)).toBeVisible()
  }
  expect(Object.keys(await storedDrafts(page))).toEqual(['epoch'])
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
})

largeTest('a browser without room for drafts is told, and works on', async ({ context }) => {
  const page = await context.newPage()
  await page.addInitScript(() => {
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
    }
  })
  const playground = await editedIn(page)
  await expect(playground.notices).toContainText(/no room to store this transcript \(0\.0\d+ MB\)/)
  await playground.setWindow(2)
  await expect(playground.meters).toContainText('10 of 12')
  await expect(playground.notices.getByRole('alert')).toHaveCount(1)
  const asked = page.waitForEvent('dialog')
  const closing = page.close({ runBeforeUnload: true })
  const question = await asked
  expect(question.type()).toBe('beforeunload')
  await question.dismiss()
  await closing
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
})

test('site data blocked: the page works, and says once what it cannot keep', async ({
  openBrowser,
}) => {
  const page = await (await openBrowser()).newPage()
  await page.addInitScript(() => {
    const refuse = () => {
      throw new DOMException('Access is denied for this document.', 'SecurityError')
    }
    for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
      Object.defineProperty(globalThis, name, { get: refuse })
  })
  const playground = await editedIn(page)
  await playground.setWindow(2)
  await expect(playground.meters).toContainText('10 of 12')
  await expect(playground.notices).toContainText('does not let the page store drafts (It has no')
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
  await page.getByRole('button', { name: 'Masked', exact: true }).click()
  await expect(playground.notices).toContainText('does not let the page store your choices')
  await expect(playground.notices.getByRole('alert')).toHaveCount(2)
})

test('storage gone in the middle, then full, in two tabs: both work, and say it once', async ({
  openBrowser,
}) => {
  const context = await openBrowser()
  const tabs = [await editedIn(await context.newPage()), await editedIn(await context.newPage())]
  for (const tab of tabs) await tab.isStored()
  for (const { page } of tabs.slice(1)) await deleteStorage(page, new URL(page.url()).origin)
  for (const tab of tabs) {
    await tab.page.bringToFront()
    await tab.setWindow(2)
    await expect(tab.meters).toContainText('10 of 12')
    await tab.isStored()
    await tab.page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    })
    for (const window of [3, 4]) await tab.setWindow(window)
    await expect(tab.notices).toContainText('no room to store this transcript')
    expect((await savedSession(tab)).transcript.text).toBe(EDITED)
    await expect(tab.notices.getByRole('alert')).toHaveCount(1)
  }
})

/** Long lines, no line end at its end, and characters of every width. */
const OWN = JSON.stringify(
  Array.from({ length: 12 }, (_, turn) => turnOf(`c${turn}`, `é 😀 ${turn} `.repeat(120))).flat(),
)

interface SavedSession {
  readonly policy: { readonly window_turns: number }
  readonly notes: string
  readonly transcript: { readonly text: string; readonly name: string }
}

async function savedSession(playground: PlaygroundPage): Promise<SavedSession> {
  return JSON.parse((await playground.saveSession()).toString()) as SavedSession
}

/** Opens the user's transcript and edits it, so that only the draft contains it. */
async function editedIn(page: Page): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(page)
  await playground.reuse()
  await playground.openText('own.json', OWN, /own\.json.*12 turns/)
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('  ')
  await playground.isCounted()
  return playground
}

const EDITED = `  ${OWN}`

/** The records of the page's database, by key. */
function storedDrafts(page: Page): Promise<Record<string, unknown>> {
  return page.evaluate(async () => {
    const result = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
      })
    const database = await result(indexedDB.open('masking-playground'))
    const store = database.transaction('drafts').objectStore('drafts')
    const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())])
    database.close()
    return Object.fromEntries(keys.map((key, index) => [String(key), values[index]]))
  })
}
