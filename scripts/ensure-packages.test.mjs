import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { ensureBrowser, findBrowser } from './ensure-browser.mjs'
import { findPackagesProblem } from './ensure-packages.mjs'
import { repositoryRoot } from './run-command.mjs'

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'packages-'))
})
afterEach(() => rmSync(root, { recursive: true }))

const wanted = {
  '': { name: 'playground' },
  'node_modules/a': { version: '1.0.0', integrity: 'sha512-a' },
  'node_modules/b-other': { version: '1.0.0', optional: true, os: ['other'] },
}
const { 'node_modules/a': a } = wanted

function write(path, content) {
  mkdirSync(join(root, path, '..'), { recursive: true })
  writeFileSync(join(root, path), JSON.stringify(content))
}

function writeAll(installed) {
  write('package-lock.json', { packages: wanted })
  write('node_modules/.package-lock.json', { packages: installed })
  for (const path of Object.keys(installed)) write(`${path}/package.json`, {})
}

test('packages as the lock file names them are fine', () => {
  writeAll({ 'node_modules/a': a })
  expect(findPackagesProblem(root)).toBeNull()
})

test('a fresh clone has none, and an interrupted install is not taken for one', () => {
  write('package-lock.json', { packages: wanted })
  write('node_modules/a/package.json', {})
  expect(findPackagesProblem(root)).toBe(
    'there are no packages yet, or the last install did not finish',
  )
})

test.each([
  ['a changed version', { 'node_modules/a': { ...a, version: '2.0.0' } }, 'is not what'],
  ['changed contents', { 'node_modules/a': { ...a, integrity: 'sha512-z' } }, 'is not what'],
  ['a missing package', {}, 'node_modules/a is not installed'],
  ['an additional one', { 'node_modules/a': a, 'node_modules/c': { version: '1' } }, 'is not what'],
  [
    'a copy from another system',
    { 'node_modules/a': a, 'node_modules/b-other': wanted['node_modules/b-other'] },
    'is for another system',
  ],
])('%s is noticed', (_, installed, problem) => {
  writeAll(installed)
  expect(findPackagesProblem(root)).toContain(problem)
})

test('a deleted folder is noticed', () => {
  writeAll({ 'node_modules/a': a })
  rmSync(join(root, 'node_modules/a'), { recursive: true })
  expect(findPackagesProblem(root)).toBe('node_modules/a is gone')
})

const lockedIn = (folder) =>
  JSON.parse(readFileSync(join(repositoryRoot, folder, 'package-lock.json'), 'utf8')).packages

test('the lock file names the builds for every system: npm ci refuses one that does not', () => {
  const locked = lockedIn('.')
  const missing = Object.entries(locked).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !locked[`node_modules/${name}`] && !locked[`${path}/node_modules/${name}`],
    ),
  )
  expect(missing).toEqual([])
})

// Without the address npm asks the registry for all versions of every package: a third of an install.
test.each(['.', 'scripts/mutation'])(
  'the lock file of %s has the integrity and the address of every package',
  (folder) => {
    const packages = lockedIn(folder)
    const lacking = Object.keys(packages).filter(
      (path) => path !== '' && !(packages[path].integrity && packages[path].resolved),
    )
    expect(Object.keys(packages).length).toBeGreaterThan(1)
    expect(lacking).toEqual([])
  },
)

/** The files that a script loads when it starts, and the modules of others among them. */
function loadedBy(file, loaded = new Map()) {
  const imported = [
    ...readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^'"(=]*?['"]([^'"]+)['"]/gm),
  ]
  loaded.set(
    file,
    imported.map(([, name]) => name).filter((name) => !name.startsWith('.')),
  )
  for (const [, name] of imported) {
    const path = join(dirname(file), name)
    if (name.startsWith('.') && !loaded.has(path)) loadedBy(path, loaded)
  }
  return loaded
}

test.each(['start', 'test', 'run'])('scripts/%s.mjs starts where nothing is installed', (name) => {
  const loaded = loadedBy(join(repositoryRoot, 'scripts', `${name}.mjs`))
  expect(loaded.size).toBeGreaterThan(1)
  expect([...loaded.values()].flat().filter((module) => !module.startsWith('node:'))).toEqual([])
})

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
