import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashInputs } from './ensure-build.mjs'

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
