import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BrowserContext, expect, type Page, test } from '@playwright/test'
import { PlaygroundPage } from './playground-page'

// Most tests here start the page several times.
test.describe.configure({ timeout: 90_000 })

/** Long lines, no line end at its end, and characters of every width. */
const OWN = JSON.stringify(
  Array.from({ length: 12 }, (_, turn) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: `c${turn}`, type: 'function', function: { name: 'read', arguments: '{}' } },
      ],
    },
    { role: 'tool', tool_call_id: `c${turn}`, content: `é 😀 ${turn} `.repeat(120) },
  ]).flat(),
)

interface SavedSession {
  readonly policy: { readonly window_turns: number }
  readonly notes: string
  readonly transcript: { readonly text: string; readonly name: string }
}

async function sessionOf(playground: PlaygroundPage): Promise<SavedSession> {
  return JSON.parse((await playground.saveSession()).toString()) as SavedSession
}

/** A page with an own transcript that was edited, so that no file holds it. */
async function editedIn(page: Page): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(page)
  await playground.open()
  await playground.openBytes('own.json', Buffer.from(OWN))
  await expect(page.getByRole('button', { name: /own\.json.*12 turns/ })).toBeVisible()
  await playground.source.focus()
  await page.keyboard.press('ControlOrMeta+Home')
  await page.keyboard.insertText('  ')
  await playground.isCounted()
  return playground
}

const EDITED = `  ${OWN}`

/** The page in a new tab of the same browser. */
async function reopened(context: BrowserContext): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open()
  return playground
}

/** Drags the window's slider to and fro and stays pressed; resolves while the drag goes on. */
async function dragWindow(page: Page, milliseconds: number): Promise<void> {
  const box = await page.getByRole('slider', { name: 'Window', exact: true }).boundingBox()
  if (box === null) throw new Error('The slider has no place on the page.')
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
  await page.mouse.move(x, y)
  await page.mouse.down()
  const end = Date.now() + milliseconds
  for (let step = 0; Date.now() < end; step++) {
    await page.mouse.move(x - 40 - (step % 20), y)
  }
}

test('a reload brings text, policy and undo back, and asks nothing', async ({ page }) => {
  const playground = await editedIn(page)
  await playground.setWindow(3)
  await playground.setWindow(5)
  await playground.isKept()
  page.on('dialog', () => expect('a question on leaving').toBe('never asked'))
  await page.reload()
  await playground.isCounted()
  await expect(playground.window).toHaveValue('5')
  expect(await sessionOf(playground)).toMatchObject({ transcript: { text: EDITED } })
  await playground.undo('the window').click()
  await expect(playground.window).toHaveValue('3')
  await playground.undo('the window').click()
  await expect(playground.window).toHaveValue('8')
  await playground.undo('typing').click()
  expect((await sessionOf(playground)).transcript.text).toBe(OWN)
  await page.getByRole('button', { name: 'Redo typing' }).click()
  expect((await sessionOf(playground)).transcript.text).toBe(EDITED)
  expect(playground.complaints).toEqual([])
})

const DEATHS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['closed', (page) => page.close()],
  [
    'crashed',
    async (page) => {
      const client = await page.context().newCDPSession(page)
      const crashed = page.waitForEvent('crash')
      client.send('Page.crash').catch(() => {})
      await crashed
    },
  ],
]

for (const [how, die] of DEATHS) {
  test(`a tab ${how} while the slider is dragged: text, policy and undo are in the next one`, async ({
    page,
    context,
  }) => {
    const playground = await editedIn(page)
    await dragWindow(page, 1_500)
    const shown = Number(await playground.window.inputValue())
    expect(shown).toBeLessThan(8)
    await die(page)
    const again = await reopened(context)
    await expect(again.notices).toContainText('own.json is open again, as you left it.')
    const { policy, transcript } = await sessionOf(again)
    expect(transcript.text).toBe(EDITED)
    expect(policy.window_turns).toBeLessThan(8)
    await again.undo('the window').click()
    await expect(again.window).toHaveValue('8')
    await again.undo('typing').click()
    expect((await sessionOf(again)).transcript.text).toBe(OWN)
    expect(again.complaints).toEqual([])
  })
}

test('the whole browser killed: the draft is there when it starts again', async ({
  playwright,
  launchOptions,
  baseURL,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'drafts-'))
  const start = () =>
    playwright.chromium.launchPersistentContext(folder, {
      ...launchOptions,
      ...(baseURL === undefined ? {} : { baseURL }),
      viewport: { width: 1440, height: 900 },
    })
  try {
    const before = await start()
    const page = before.pages()[0] as Page
    await editedIn(page)
    await dragWindow(page, 1_000)
    const closed = before.waitForEvent('close')
    const client = await before.newCDPSession(page)
    client.send('Browser.crash').catch(() => {})
    await closed
    const after = await start()
    const again = await reopened(after)
    const { policy, transcript } = await sessionOf(again)
    expect(transcript.text).toBe(EDITED)
    expect(policy.window_turns).toBeLessThan(8)
    await again.undo('the window').click()
    await expect(again.window).toHaveValue('8')
    await after.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('two tabs keep two transcripts, each its own; both are in the list', async ({
  page,
  context,
}) => {
  const one = await editedIn(page)
  await one.isKept()
  const two = await reopened(context)
  await expect(two.page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await two.openBytes('second.json', Buffer.from(OWN))
  await two.setWindow(2)
  await two.isKept()
  await one.setWindow(4)
  await one.isKept()
  await two.page.reload()
  await two.isCounted()
  await expect(two.window).toHaveValue('2')
  await page.reload()
  await one.isCounted()
  await expect(one.window).toHaveValue('4')
  const dialog = await one.openRecent()
  await expect(dialog.getByRole('listitem')).toHaveText(/^second\.json.*open in another tab$/)
  await two.page.close()
  await page.keyboard.press('Escape')
  const list = (await one.openRecent()).getByRole('list', { name: 'Kept transcripts' })
  await expect(list).toContainText(/OpenAI chat · 12 turns · [\d.]+ kB/)
  await list.getByRole('button', { name: /^second\.json/ }).click()
  await expect(page.getByRole('button', { name: /second\.json.*12 turns/ })).toBeVisible()
  await expect(one.window).toHaveValue('2')
  await (await one.openRecent()).getByRole('button', { name: /^own\.json/ }).click()
  await expect(one.window).toHaveValue('4')
  expect((await sessionOf(one)).transcript.text).toBe(EDITED)
})

test('a link in a new tab applies to the own transcript, and its settings can be taken back', async ({
  page,
  context,
}) => {
  const before = await editedIn(page)
  await before.setWindow(3)
  await before.isKept()
  await page.close()
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('v=2&w=6')
  await expect(playground.window).toHaveValue('6')
  await playground.notices.getByRole('button', { name: 'Go back to the settings before' }).click()
  await expect(playground.window).toHaveValue('3')
  expect((await sessionOf(playground)).transcript.text).toBe(EDITED)
})

test('a link to a sample leaves the own transcript one press away', async ({ page, context }) => {
  const before = await editedIn(page)
  await before.setWindow(3)
  await before.isKept()
  await page.close()
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('v=2&w=6&s=log-reading')
  await expect(playground.page.getByRole('button', { name: /log-reading\.json/ })).toBeVisible()
  await playground.notices.getByRole('button', { name: 'Open it' }).click()
  await expect(playground.window).toHaveValue('3')
  expect((await sessionOf(playground)).transcript.text).toBe(EDITED)
})

test('one transcript is removed for good, the others stay', async ({ page }) => {
  const playground = await editedIn(page)
  await playground.isKept()
  await playground.openBytes('second.json', Buffer.from('[{"role":"user","content":"two"}]'))
  await expect(page.getByRole('button', { name: /second\.json/ })).toBeVisible()
  const dialog = await playground.openRecent()
  await dialog.getByRole('button', { name: 'Remove own.json' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog).toContainText('Nothing else is kept yet.')
  await expect(dialog).toContainText('second.json')
})

test('everything is forgotten: in this tab, in another one, and what lies elsewhere in the browser', async ({
  page,
  context,
}) => {
  const one = await editedIn(page)
  await one.isKept()
  await page.getByRole('button', { name: 'Hide this note' }).click()
  const two = await reopened(context)
  await two.openBytes('second.json', Buffer.from(OWN))
  await two.isKept()
  const dialog = await one.openRecent()
  await expect(dialog).toContainText('All of this stays in this browser')
  await dialog.getByRole('button', { name: 'Forget everything…' }).click()
  const question = page.getByRole('dialog', { name: 'Forget everything?' })
  await expect(question).toContainText('your own prices and models')
  await question.getByRole('button', { name: 'Forget everything' }).click()
  for (const playground of [one, two]) {
    await expect(playground.notices).toContainText('Everything was forgotten')
    await expect(
      playground.page.getByRole('button', { name: /coding-session\.json/ }),
    ).toBeVisible()
  }
  const left = await page.evaluate(async () => {
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open('masking-playground')
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    const store = database.transaction('drafts').objectStore('drafts')
    const keys = await new Promise<IDBValidKey[]>((resolve, reject) => {
      const request = store.getAllKeys()
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
    return { keys, local: Object.keys(localStorage) }
  })
  expect(left).toEqual({ keys: ['epoch'], local: [] })
})

const REFUSALS: readonly (readonly [string, () => void, RegExp])[] = [
  [
    'no room',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    },
    /no room to keep this transcript \(0\.0\d+ MB\)/,
  ],
  [
    'no database',
    () => {
      Object.defineProperty(globalThis, 'indexedDB', {
        get: () => {
          throw new DOMException('The request was denied.', 'SecurityError')
        },
      })
    },
    /does not let the page keep drafts \(The request was denied\)\./,
  ],
]

for (const [name, refuse, sentence] of REFUSALS) {
  test(`a browser with ${name} for drafts: it is said, and the page works on`, async ({ page }) => {
    await page.addInitScript(refuse)
    const playground = await editedIn(page)
    await expect(playground.notices).toContainText(sentence)
    await playground.setWindow(2)
    await expect(playground.meters).toContainText('10 of 12')
    await expect(playground.notices.getByRole('alert')).toHaveCount(1)
    const asked = page.waitForEvent('dialog')
    const closing = page.close({ runBeforeUnload: true })
    const question = await asked
    expect(question.type()).toBe('beforeunload')
    await question.dismiss()
    await closing
    expect((await sessionOf(playground)).transcript.text).toBe(EDITED)
  })
}

test('a session file brings transcript, policy, model and notes into another browser', async ({
  page,
  browser,
}) => {
  const playground = await editedIn(page)
  await playground.setWindow(4)
  const file = await playground.saveSession('Window 4 still answers.')
  await expect(playground.notices).toContainText('Saved own.masking.json.')
  const context = await browser.newContext()
  const other = new PlaygroundPage(await context.newPage())
  await other.open()
  await other.openBytes('own.masking.json', file)
  await expect(other.page.getByRole('button', { name: /own\.json.*12 turns/ })).toBeVisible()
  await expect(other.window).toHaveValue('4')
  expect((await other.saveSession()).equals(file)).toBe(true)
  await other.undo('opening a transcript').click()
  await expect(other.window).toHaveValue('8')
  await expect(other.page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
  await context.close()
})

test('a damaged session file is refused with the place, and what was open stays', async ({
  page,
}) => {
  const playground = await editedIn(page)
  const file = await playground.saveSession()
  await playground.openBytes('cut.masking.json', file.subarray(0, 2_000))
  await expect(playground.notices).toContainText(/Could not open cut\.masking\.json\..*cut off/)
  const { transcript, ...rest } = JSON.parse(file.toString()) as SavedSession
  const newer = { ...rest, version: 2, policy: { window_turns: 'x' }, later: 1, transcript }
  await playground.openBytes('newer.masking.json', Buffer.from(JSON.stringify(newer)))
  await expect(playground.notices).toContainText('saved by a newer version (2)')
  await expect(playground.notices).toContainText('window_turns is "x"')
  expect(JSON.parse((await playground.saveSession()).toString())).toMatchObject({ later: 1 })
})
