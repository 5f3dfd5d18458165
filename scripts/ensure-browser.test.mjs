import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ensureBrowser, findBrowser } from './ensure-browser.mjs'

const folder = mkdtempSync(join(tmpdir(), 'browser-'))
afterAll(() => rmSync(folder, { recursive: true }))

function fakeBrowser(name, script) {
  const path = join(folder, name)
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  return path
}

const working = fakeBrowser('working', 'echo Chromium 150.0')
const other = fakeBrowser('google-chrome', 'echo Google Chrome 150.0')
const stub = fakeBrowser('stub', 'echo please install the snap >&2; exit 1')
const nothing = { PATH: '' }

test('the environment comes before what is installed', async () => {
  const env = { ...nothing, CHROME_PATH: working }
  expect(await findBrowser({ env, places: [other], own: null })).toEqual({
    path: working,
    source: 'CHROME_PATH',
  })
})

test('the PATH is searched, then the usual places', async () => {
  expect(
    (await findBrowser({ env: { ...nothing, PATH: folder }, places: [working], own: null }))?.path,
  ).toBe(other)
  expect(
    (await findBrowser({ env: nothing, places: ['/nowhere', working], own: null }))?.path,
  ).toBe(working)
})

test("Playwright's own comes last", async () => {
  expect(await findBrowser({ env: nothing, places: [], own: working })).toEqual({
    path: working,
    source: "Playwright's own",
  })
})

test('a file that does not start is passed over and named', async () => {
  const tried = []
  const env = { ...nothing, PLAYWRIGHT_CHROMIUM: '/nowhere/chrome' }
  expect((await findBrowser({ env, places: [stub, working], own: null }, tried))?.path).toBe(
    working,
  )
  expect(tried).toEqual([
    'PLAYWRIGHT_CHROMIUM names /nowhere/chrome, which is not there',
    `${stub} does not start`,
  ])
})

test('without any browser it says what was tried and what to do', async () => {
  const search = { env: nothing, places: [stub], own: null, isInstallAllowed: false }
  await expect(ensureBrowser(search)).rejects.toThrow(
    `No browser to test with. Tried: ${stub} does not start.\nInstall Chromium or Google Chrome, or name one in PLAYWRIGHT_CHROMIUM.`,
  )
})
