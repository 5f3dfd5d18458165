import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { expect, largeTest, test } from './fixtures'
import { dragUntilStored, EDITED, editedIn, OWN, savedSession, storedDrafts } from './own-draft'
import { PlaygroundPage } from './playground-page'

/** The page in a new tab of the same browser. */
async function reopened(context: BrowserContext): Promise<PlaygroundPage> {
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('')
  return playground
}

/** Leaves an edited transcript and a window of 3 in the browser, and no page that has them open. */
async function editedAndClosed(page: Page): Promise<void> {
  const playground = await editedIn(page)
  await playground.setWindow(3)
  await playground.isStored()
  await page.close()
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
  await playground.undo('the window').click()
  await expect(playground.window).toHaveValue('3')
  await playground.undo('the window').click()
  await expect(playground.window).toHaveValue('8')
  await playground.undo('typing').click()
  await page.getByRole('button', { name: 'Redo typing' }).click()
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
})

test('a link in a new tab applies to the own transcript, and its settings can be taken back', async ({
  page,
  context,
}) => {
  await editedAndClosed(page)
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('v=2&w=6')
  await expect(playground.window).toHaveValue('6')
  await playground.notices.getByRole('button', { name: 'Restore the previous settings' }).click()
  await expect(playground.window).toHaveValue('3')
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
})

test('a link to a sample offers the way back to the stored transcript', async ({
  page,
  context,
}) => {
  await editedAndClosed(page)
  const playground = new PlaygroundPage(await context.newPage())
  await playground.open('v=2&w=6&s=log-reading')
  await expect(playground.page.getByRole('button', { name: /log-reading\.json/ })).toBeVisible()
  await playground.notices.getByRole('button', { name: 'Open', exact: true }).click()
  await expect(playground.window).toHaveValue('3')
  expect((await savedSession(playground)).transcript.text).toBe(EDITED)
})

test('the code of the page fails: a sentence, and a reload opens the transcript again', async ({
  page,
  problems,
}) => {
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

/** Ways a tab ends without warning. */
const DEATHS: readonly (readonly [string, (page: Page) => Promise<void>])[] = [
  ['is closed', (page) => page.close()],
  [
    'crashes',
    async (page) => {
      const client = await page.context().newCDPSession(page)
      const crashed = page.waitForEvent('crash')
      client.send('Page.crash').catch(() => {})
      await crashed
    },
  ],
]

for (const [how, end] of DEATHS) {
  const run = how === 'is closed' ? test : largeTest
  run(
    `a tab ${how} during a drag: the next tab has text, policy and undo`,
    async ({ page, context }) => {
      const playground = await editedIn(page)
      await dragUntilStored(page)
      expect(Number(await playground.window.inputValue())).toBeLessThan(8)
      await end(page)
      const again = await reopened(context)
      await expect(again.notices).toContainText('Reopened own.json as you left it.')
      const { policy, transcript } = await savedSession(again)
      expect(transcript.text).toBe(EDITED)
      expect(policy.window_turns).toBeLessThan(8)
      await again.undo('the window').click()
      await expect(again.window).toHaveValue('8')
      await again.undo('typing').click()
      expect((await savedSession(again)).transcript.text).toBe(OWN)
    },
  )
}

largeTest(
  'the browser is killed: the draft is there after a restart',
  async ({ playwright, launchOptions, baseURL, watch }) => {
    const folder = mkdtempSync(join(tmpdir(), 'drafts-'))
    const start = async () => {
      const context = await playwright.chromium.launchPersistentContext(folder, {
        ...launchOptions,
        ...(baseURL === undefined ? {} : { baseURL }),
        viewport: { width: 1440, height: 900 },
      })
      await watch(context)
      return context
    }
    try {
      const before = await start()
      const page = before.pages()[0] as Page
      await editedIn(page)
      await dragUntilStored(page)
      const closed = before.waitForEvent('close')
      const client = await before.newCDPSession(page)
      client.send('Browser.crash').catch(() => {})
      await closed
      const after = await start()
      const again = await reopened(after)
      const { policy, transcript } = await savedSession(again)
      expect(transcript.text).toBe(EDITED)
      expect(policy.window_turns).toBeLessThan(8)
      await again.undo('the window').click()
      await expect(again.window).toHaveValue('8')
      await after.close()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
)

largeTest(
  'each of two tabs has its own transcript; both are in the list',
  async ({ page, context, playground }) => {
    await playground.open()
    const one = await editedIn(page)
    await one.isStored()
    const two = await reopened(context)
    await expect(two.page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
    await two.openBytes('second.json', Buffer.from(OWN))
    await two.setWindow(2)
    await two.isStored()
    // A page behind another one is drawn once a second.
    await page.bringToFront()
    await one.setWindow(4)
    await one.isStored()
    await two.page.bringToFront()
    await two.page.reload()
    await two.isCounted()
    await expect(two.window).toHaveValue('2')
    await page.bringToFront()
    await page.reload()
    await one.isCounted()
    await expect(one.window).toHaveValue('4')
    const dialog = await one.openRecent()
    await expect(dialog.getByRole('listitem')).toHaveText(/^second\.json.*open in another tab$/)
    await two.page.close()
    await page.keyboard.press('Escape')
    const list = (await one.openRecent()).getByRole('list', { name: 'Stored transcripts' })
    await expect(list).toContainText(/OpenAI chat · 12 turns · [\d.]+ kB/)
    await list.getByRole('button', { name: /^second\.json/ }).click()
    await expect(
      page.getByRole('button', { name: /^Document details: second\.json.*12 turns/ }),
    ).toBeVisible()
    await expect(one.window).toHaveValue('2')
    await (await one.openRecent()).getByRole('button', { name: /^own\.json/ }).click()
    await expect(one.window).toHaveValue('4')
    expect((await savedSession(one)).transcript.text).toBe(EDITED)
  },
)

largeTest('one transcript is removed for good, the others stay', async ({ page, playground }) => {
  await playground.open()
  await editedIn(page)
  await playground.isStored()
  await playground.openBytes('second.json', Buffer.from('[{"role":"user","content":"two"}]'))
  await expect(page.getByRole('button', { name: /second\.json/ })).toBeVisible()
  const dialog = await playground.openRecent()
  await dialog.getByRole('button', { name: 'Remove own.json' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect(dialog).toContainText('Nothing else is stored yet.')
  await expect(dialog).toContainText('second.json')
})

largeTest(
  'everything is forgotten: in this tab, in another one, and what lies elsewhere in the browser',
  async ({ page, context, playground }) => {
    await playground.open()
    const one = await editedIn(page)
    await one.isStored()
    await page.getByRole('button', { name: 'Hide this note' }).click()
    const two = await reopened(context)
    await two.openBytes('second.json', Buffer.from(OWN))
    await two.isStored()
    await page.bringToFront()
    const dialog = await one.openRecent()
    await expect(dialog).toContainText('Everything here is stored in this browser')
    await dialog.getByRole('button', { name: 'Delete all data…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete all data?' })
    await expect(question).toContainText('your prices and models')
    await question.getByRole('button', { name: 'Delete all data' }).click()
    for (const tab of [one, two]) {
      await expect(tab.notices).toContainText('All data was deleted')
      await expect(tab.page.getByRole('button', { name: /coding-session\.json/ })).toBeVisible()
    }
    expect(Object.keys(await storedDrafts(page))).toEqual(['epoch'])
    expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
  },
)

const REFUSALS: readonly (readonly [string, () => void, RegExp])[] = [
  [
    'no room',
    () => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
      }
    },
    /no room to store this transcript \(0\.0\d+ MB\)/,
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
    /does not let the page store drafts \(The request was denied\)\./,
  ],
]

for (const [name, refuse, sentence] of REFUSALS) {
  const run = name === 'no room' ? test : largeTest
  run(
    `a browser with ${name} for drafts: it is said, and the page works on`,
    async ({ context }) => {
      const page = await context.newPage()
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
      expect((await savedSession(playground)).transcript.text).toBe(EDITED)
    },
  )
}
