import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { SAMPLE_FILES, STREAM_FILES } from '@/lib/core/testing/transcripts'
import { agentsPage } from '@/lib/pipeline/agents/testing/agents-page'

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

test('each row of docs/specification.md names tests, and titles that stand in them', () => {
  const textOf = (file: string) => readFileSync(join(repositoryRoot, file), 'utf8')
  const page = textOf('docs/specification.md')
  const { cases } = JSON.parse(textOf('lib/core/conformance/schema1.json')) as {
    readonly cases: readonly { readonly name: string }[]
  }
  const groups = new Map(
    Array.from(page.matchAll(/\*(\w+)\* is [^*`]*`([^`]+)`/g), ([, name, path]) => [name, path]),
  )
  const rows = page.split('\n').filter((line) => /^\| (?!requirement|---)/.test(line))
  const names = cases.map(({ name }) => name.replaceAll('\\', ''))
  const wrong = rows.filter((row) => {
    const cell = row.split(' | ').at(-1) ?? ''
    const named = Array.from(
      cell.replace(/“[^”]+”/g, '').matchAll(/`([^`]+)`|\*(\w+)\*/g),
      ([, path, group]) => path ?? groups.get(group) ?? '',
    )
    const isTest = (path: string) =>
      /\.(?:test|spec)\.tsx?$/.test(path) && existsSync(join(repositoryRoot, path))
    const titles = [...cell.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title)
    const ofGroup = cell.includes('*conformance*') ? names : []
    const texts = [...ofGroup, ...named.filter(isTest).map(textOf)]
    const isThere = titles.every((title) => texts.some((text) => text.includes(title)))
    return named.length === 0 || !named.every(isTest) || !isThere
  })
  expect(wrong).toEqual([])
  expect(rows).toHaveLength(224)
})

test.each([
  ['policy.md', 'Masking is not the truncation of an MCP gateway'],
  ['policy.md', 'The window is not state-aware'],
  ['policy.md', 'What the default rules do not find'],
  ['operation.md', '## Order of stages'],
  ['operation.md', '## Roll back'],
  ['repair.md', '## Trade-offs'],
  ['repair.md', '## Misconceptions'],
])('docs/%s has %s', (page, words) => {
  const text = readFileSync(join(repositoryRoot, 'docs', page), 'utf8')
  expect(text.toLowerCase()).toContain(words.toLowerCase())
})

test('docs/agents.md is what the tables of agents and libraries say', async () => {
  await expect(agentsPage()).toMatchFileSnapshot(join(repositoryRoot, 'docs/agents.md'))
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

const FOLDER = fileURLToPath(new URL('../public/samples/', import.meta.url))
const read = (file: string) => readFileSync(join(FOLDER, file))
const rowsOf = (file: string): Row[] => JSON.parse(String(read(file)))

interface Row {
  readonly file: string
  readonly bytes: number
  readonly sha256: string
}

const rows = [...rowsOf('index.json'), ...rowsOf('formats/index.json')]

test('every sample is listed', () => {
  const samples = [...SAMPLE_FILES, ...STREAM_FILES].filter(({ isSample }) => isSample)
  expect(rows.map(({ file }) => file).sort()).toEqual(samples.map(({ name }) => name).sort())
})

test.each(rows)('$file is as recorded, and listed with its size and format', (row) => {
  const bytes = read(row.file)
  const [, folder] = row.file.split('/')
  const format = FORMATS.find(({ id }) => id === folder)?.label
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(row).toEqual({ ...row, bytes: bytes.length, sha256, ...(format && { format }) })
})
