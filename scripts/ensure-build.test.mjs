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

test.each([
  'app/page.tsx',
  'lib/core/new.ts',
  'public/samples/index.json',
  'package-lock.json',
  'new-folder/file.ts',
])('a change of %s asks for a build', (path) => {
  const before = hashInputs(root)
  write(path, 'changed')
  expect(hashInputs(root)).not.toBe(before)
})

test.each([
  'README.md',
  'dist/package/index.js',
  'e2e/smoke.spec.ts',
  'lib/core/new.test.ts',
  'node_modules/a/index.js',
  'out/index.html',
  'test-results/unit.json',
  '.next/cache/file',
  'tsconfig.tsbuildinfo',
])('a change of %s does not', (path) => {
  const before = hashInputs(root)
  write(path, 'changed')
  expect(hashInputs(root)).toBe(before)
})

test('a renamed file asks for a build', () => {
  write('lib/a.ts', 'text')
  const before = hashInputs(root)
  rmSync(join(root, 'lib/a.ts'))
  write('lib/b.ts', 'text')
  expect(hashInputs(root)).not.toBe(before)
})
