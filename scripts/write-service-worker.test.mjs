import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashInputs } from './ensure-build.mjs'
import { writeServiceWorker } from './write-service-worker.mjs'

test('the service worker keeps what pages ask for, with a revision where the name has no hash', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'site-'))
  const names = [
    ...['index.html', 'index.txt', 'help.html', 'help/__next._tree.txt', '404.html', 'notices.txt'],
    ...['tools.txt', '_not-found.html'],
    ...['_headers', '.build-inputs', 'samples/a b.json', 'samples/c.txt'],
    ...['_next/static/chunks/a-hash.js', '_next/static/chunks/a-hash.js.map'],
    ...['observation-masking.tgz', 'service-worker.js'],
  ]
  for (const name of names) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), name)
  }
  const files = await writeServiceWorker(folder)
  expect(files).toEqual([
    { url: '_next/static/chunks/a-hash.js', revision: null },
    { url: 'help.html', revision: expect.any(String) },
    { url: 'index.html', revision: expect.any(String) },
    { url: 'index.txt', revision: expect.any(String) },
    { url: 'notices.txt', revision: expect.stringMatching(/^[0-9a-f]{16}$/) },
    { url: 'samples/a%20b.json', revision: expect.any(String) },
    { url: 'samples/c.txt', revision: expect.any(String) },
    { url: 'tools.txt', revision: expect.any(String) },
  ])
  const revisions = files.flatMap(({ revision }) => revision ?? [])
  expect(new Set(revisions).size).toBe(revisions.length)

  const worker = await readFile(join(folder, 'service-worker.js'), 'utf8')
  for (const { url } of files) expect(worker).toContain(`"${url}"`)
  expect(worker).not.toMatch(/importScripts|process\.env/)
  await rm(folder, { recursive: true })
})

let root = ''
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'build-'))
  write('app/page.tsx', 'page')
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const INPUTS =
  'app/page.tsx lib/core/new.ts public/samples/index.json package-lock.json new-folder/file.ts'
const OTHERS =
  'README.md dist/package/index.js e2e/smoke.spec.ts lib/core/new.test.ts node_modules/a/index.js scripts/mutation/node_modules/a/index.js out/index.html test-results/unit.json .next/cache/file tsconfig.tsbuildinfo'

test.each([
  ...INPUTS.split(' ').map((path) => [path, 'asks for', true]),
  ...OTHERS.split(' ').map((path) => [path, 'does not ask for', false]),
])('a change of %s %s a build', (path, _, isInput) => {
  const before = hashInputs(root)
  write(path, 'changed')
  expect(hashInputs(root) !== before).toBe(isInput)
})

test('a renamed file asks for a build', () => {
  write('lib/a.ts', 'text')
  const before = hashInputs(root)
  rmSync(join(root, 'lib/a.ts'))
  write('lib/b.ts', 'text')
  expect(hashInputs(root)).not.toBe(before)
})
