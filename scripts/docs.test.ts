import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'

const repositoryRoot = join(import.meta.dirname, '..')

const pages = [
  'README.md',
  ...['docs', 'lib', 'components', 'e2e', 'scripts'].flatMap((folder) =>
    readdirSync(join(repositoryRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md') && !path.includes('node_modules'))
      .map((path) => `${folder}/${path}`),
  ),
]

/** Source paths in code spans, such as `lib/core/policy/decide.ts`. */
function pathsIn(text: string): string[] {
  return [...text.matchAll(/`([\w@./-]+\/[\w.-]+\.(?:ts|tsx|mjs|json|css))`/g)].map(
    ([, path = '']) => path,
  )
}

function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\(([^)#:]+)\)/g)].map(([, link = '']) => link)
}

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(repositoryRoot, page), 'utf8')
  const folder = join(repositoryRoot, page, '..')

  test('names only files that exist', () => {
    const roots = [repositoryRoot, folder]
    const missing = pathsIn(text).filter(
      (path) => !roots.some((root) => existsSync(join(root, path))),
    )
    expect(missing).toEqual([])
  })

  test('links only to files that exist', () => {
    expect(linksIn(text).filter((link) => !existsSync(join(folder, link)))).toEqual([])
  })
})

test('the README has at most 80 lines', () => {
  const lines = readFileSync(join(repositoryRoot, 'README.md'), 'utf8').split('\n')
  expect(lines.length).toBeLessThan(82)
})

test('docs/README.md lists every page', () => {
  const listed = linksIn(readFileSync(join(repositoryRoot, 'docs/README.md'), 'utf8'))
  const own = readdirSync(join(repositoryRoot, 'docs')).filter((name) => name.endsWith('.md'))
  expect(listed).toEqual(expect.arrayContaining(own.filter((name) => name !== 'README.md')))
})

test('the example of docs/model.md prints what the page says', async () => {
  const page = readFileSync(join(repositoryRoot, 'docs/model.md'), 'utf8')
  const [, code = '', printed = ''] = /```ts\n(.*?)```\n\n```text\n(.*?)```/s.exec(page) ?? []
  // Beside docs, so that the example's paths hold.
  const folder = join(repositoryRoot, 'test-results')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'model-example.ts')
  writeFileSync(file, code)
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(file)
  expect(`${log.mock.calls.flat().join('\n')}\n`).toBe(printed)
})
