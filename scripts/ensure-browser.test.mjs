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

test.each([
  ['the environment first', { CHROME_PATH: working }, [other], null, working, 'CHROME_PATH'],
  ['the PATH', { PATH: folder }, [working], null, other],
  ['then the usual places', {}, ['/nowhere', working], null, working],
  ["Playwright's own last", {}, [], working, working, "Playwright's own"],
])('it is looked for in %s', async (_, env, places, own, path, source = expect.any(String)) => {
  expect(await findBrowser({ env: { ...nothing, ...env }, places, own })).toEqual({ path, source })
})

test('a file that does not start is passed over and named', async () => {
  const tried = new Set()
  const env = { ...nothing, PLAYWRIGHT_CHROMIUM: '/nowhere/chrome' }
  expect((await findBrowser({ env, places: [stub, working], own: null }, tried))?.path).toBe(
    working,
  )
  expect([...tried]).toEqual([
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
