/** The site without a network after one visit, and its updates, on a server of its own that the test stops. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { turnOf } from '../lib/core/testing/conversation-of'
import { createStaticServer, listen } from '../scripts/serve.mjs'
import { expect, test } from './fixtures'
import { PlaygroundPage } from './playground-page'
import { savedBy } from './steps'

const { step } = test

test.describe.configure({ timeout: 90_000 })

const OWN = JSON.stringify(
  Array.from({ length: 12 }, (_, turn) => turnOf(`c${turn}`, `line ${turn} `.repeat(120))).flat(),
  null,
  2,
)

test('after one visit the page works without its server; a new version waits until it is wanted', async ({
  playwright,
  launchOptions,
  watch,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'offline-'))
  cpSync('out', folder, { recursive: true })
  // The first version has a file that the second lacks.
  const old = '_next/static/chunks/old.js'
  const worker = readFileSync('out/service-worker.js', 'utf8')
  const withOld = worker.replace('{url:', `{url:"${old}",revision:null},{url:`)
  writeFileSync(join(folder, 'service-worker.js'), withOld)
  writeFileSync(join(folder, old), '// old')
  const basePath = process.env.BASE_PATH ?? ''
  let server = createStaticServer(folder, basePath)
  const port = await listen(server, 0)
  const baseURL = `http://127.0.0.1:${port}${basePath}/`
  const stop = () => {
    server.close()
    server.closeAllConnections()
  }
  const browser = await playwright.chromium.launch(launchOptions)
  try {
    const context = await browser.newContext({ baseURL })
    await watch(context, new URL(baseURL).origin)
    const page = await context.newPage()
    const playground = new PlaygroundPage(page)

    await step('a visit, after which the server stops', async () => {
      await page.goto('./')
      await playground.isCounted()
      await isActive(page)
      stop()
      await expect(fetch(baseURL)).rejects.toThrow()
    })

    await step('the page opens again, with a sample and a file, and masks it', async () => {
      // The router writes the address of a page without the slash at its end.
      await playground.goTo('Tools')
      await playground.goTo('Transcript')
      await page.reload()
      // Chromium does not ask the service worker for these files.
      expect(new Set(await sourcesOfScripts(page))).toEqual(new Set(['cache']))
      await playground.chooseSample(/^Log reading/)
      await playground.shows('log-reading.json')
      await playground.openText('own.json', OWN, /own\.json.*12 turns/)
      await playground.setWindow(2)
      await expect(playground.meters).toContainText('10 of 12')
      // The editor shows it.
      await expect(
        page.locator('.monaco-editor').getByText('Observation masquée').first(),
      ).toBeVisible()
      expect((await playground.download()).toString()).toContain('[Observation masquée')
    })

    await step('the policy is exported, and the report saved', async () => {
      const dialog = await playground.useIt()
      await dialog.getByRole('tab', { name: 'LangChain', exact: true }).click()
      await expect(dialog.getByRole('textbox', { name: /^Preview/ })).toHaveValue(
        /ClearToolUsesEdit/,
      )
      await page.keyboard.press('Escape')
      await expect(dialog).toBeHidden()
      await playground.show('Cost')
      const save = page.getByRole('button', { name: 'Save report' })
      await expect(save).toBeEnabled()
      expect((await savedBy(save)).bytes.toString()).toContain('older than the last 2 turns')
    })

    await step('the version leads to what is new, with the licence', async () => {
      const help = await context.newPage()
      const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
      const news = page.getByRole('contentinfo').getByRole('link', { name: version })
      await help.goto((await news.getAttribute('href')) ?? '')
      await expect(help.locator(':target')).toContainText(`This is version ${version}`)
      await help.getByRole('link', { name: 'MIT licence' }).click()
      await expect(help.getByText('Permission is hereby granted')).toBeVisible()
      await help.close()
    })

    const other = await context.newPage()
    const notice = playground.notices.filter({ hasText: 'A new version is ready' })

    await step(
      'a new version is announced; it opens with the transcript, on one page',
      async () => {
        rmSync(join(folder, old))
        writeFileSync(join(folder, 'service-worker.js'), worker)
        server = createStaticServer(folder, basePath)
        await listen(server, port)
        // The browser looks for a new version when it opens a page.
        await other.goto('./#v=2&s=many-runs')
        await expect(notice).toBeVisible()
        // Chromium stops a service worker that a debugger watches even while it answers; the page then waits forever.
        await isQuiet(context)
        const loaded = page.waitForEvent('load')
        await notice.getByRole('button', { name: 'Load it' }).click()
        await loaded
        await playground.shows(/own\.json.*12 turns/)
        await expect(playground.window).toHaveValue('2')
        await expect(notice).toBeHidden()
      },
    )

    await step('the other page keeps its files until it is closed', async () => {
      expect((await fetch(`${baseURL}${old}`)).status).toBe(404)
      expect(await statusOf(other, old)).toBe(200)
      await expect(new PlaygroundPage(other).badge).toHaveAccessibleName(/many-runs/)
      await other.close()
      await expect
        .poll(async () => {
          // Files are deleted when a page opens and no other is open; a closed one can count for a moment.
          await page.goto('about:blank')
          await page.goto('./help')
          return hasStored(page, old)
        })
        .toBe(false)
    })

    await step('a browser that refuses its storage loads the page from the network', async () => {
      const [running] = context.serviceWorkers()
      await running?.evaluate(() => {
        caches.open = () => Promise.reject(new DOMException('Refused.', 'SecurityError'))
      })
      expect(running).toBeDefined()
      expect(await statusOf(page, 'icon.svg')).toBe(200)
    })

    await step('a service worker whose script is gone removes itself', async () => {
      rmSync(join(folder, 'service-worker.js'))
      await page.goto('./help')
      await expect.poll(() => registrations(page)).toBe(0)
    })
  } finally {
    await browser.close()
    stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

/** Waits until the service worker has stored the site and answers for it. */
function isActive(page: Page): Promise<void> {
  return page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready
    while (active?.state !== 'activated')
      await new Promise((done) => active?.addEventListener('statechange', done, { once: true }))
  })
}

/** Waits until no page of the context has asked for a file for two seconds. */
async function isQuiet(context: BrowserContext): Promise<void> {
  let last = Date.now()
  context.on('request', () => {
    last = Date.now()
  })
  await expect.poll(() => Date.now() - last).toBeGreaterThan(2_000)
}

function registrations(page: Page): Promise<number> {
  return page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).length)
}

function statusOf(page: Page, file: string): Promise<number> {
  return page.evaluate(async (path) => (await fetch(path)).status, file)
}

function hasStored(page: Page, file: string): Promise<boolean> {
  return page.evaluate(async (path) => (await caches.match(path)) !== undefined, file)
}

/** Where the browser found the files whose names have a hash. */
function sourcesOfScripts(page: Page): Promise<readonly unknown[]> {
  return page.evaluate(() => {
    const files = performance.getEntriesByType('resource')
    const hashed = files.filter(({ name }) => name.includes('/_next/static/'))
    return hashed.map((file) => 'workerFinalSourceType' in file && file.workerFinalSourceType)
  })
}
