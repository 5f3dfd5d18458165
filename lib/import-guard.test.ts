import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findCycles, findForbiddenImports, findLength, readImports } from './import-guard'

const root = fileURLToPath(new URL('..', import.meta.url))

const sources = ['app', 'components', 'lib', 'e2e'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const path = `${folder}/${name.replaceAll('\\', '/')}`
      return { path, text: readFileSync(join(root, path), 'utf8') }
    }),
)
const files = sources.map(({ path, text }) => ({ path, imports: readImports(text, path) }))

describe('this repository', () => {
  test('is read', () => {
    expect(files.length).toBeGreaterThan(3)
    expect(files.find(({ path }) => path === 'app/layout.tsx')?.imports).toContain('./globals.css')
  })

  test('imports along the arrows only', () => {
    expect(findForbiddenImports(files)).toEqual([])
  })

  test('has no circle of imports', () => {
    expect(findCycles(files)).toEqual([])
  })

  test('has no file past 300 lines without a reason', () => {
    expect(sources.flatMap(({ path, text }) => findLength(path, text))).toEqual([])
  })
})

describe('readImports', () => {
  test('finds every way to import, and none in strings or comments', () => {
    const source = `
      import type { A } from './a'
      import './b.css'
      export * from './c'
      export { d } from './d'
      // import './comment'
      const text = "import './string'"
      const lazy = () => import('./e')
      type F = import('./f').F
      new Worker(new URL('./g', import.meta.url), { type: 'module' })
      const data = new URL('./data.json', import.meta.url)
      const view = <div>{lazy}{text}{data}</div>
    `
    expect(readImports(source, 'x.tsx')).toEqual([
      './a',
      './b.css',
      './c',
      './d',
      './e',
      './f',
      './g',
    ])
  })
})

describe('findForbiddenImports', () => {
  test.each([
    ['app/page.tsx', '@/components/shell'],
    ['app/layout.tsx', './globals.css'],
    ['components/shell.tsx', '@/lib/state/store'],
    ['components/shell.tsx', '@/lib/core/policy/policy'],
    ['components/shell.tsx', '@/lib/messages'],
    ['components/ui/tabs.tsx', '@base-ui/react/tabs'],
    ['components/ui/tabs.tsx', './button'],
    ['components/monaco/editor.tsx', 'monaco-editor/editor'],
    ['lib/state/store.ts', 'zustand/vanilla'],
    ['lib/state/store.ts', '@/lib/worker/client'],
    ['lib/worker/jobs.ts', '@/lib/core'],
    ['lib/worker/jobs.test.ts', 'vitest'],
    ['lib/cli/mask.ts', 'node:fs'],
    ['lib/core/index.ts', './replay/replay'],
    ['lib/core/text/json-tree.ts', '../problem'],
    ['lib/core/tokens/encoding.ts', 'gpt-tokenizer/encoding/o200k_base'],
    ['lib/core/mask/apply.ts', '../tokens/message-tokens'],
    ['lib/core/text/span.test.ts', 'fast-check'],
    ['lib/core/formats/contract.test.ts', '../mask/apply'],
    ['lib/messages/english.ts', '@/lib/core/problem'],
    ['e2e/smoke.spec.ts', '@playwright/test'],
  ])('lets %s import %s', (path, specifier) => {
    expect(findForbiddenImports([{ path, imports: [specifier] }])).toEqual([])
  })

  test.each([
    ['app/page.tsx', '@/lib/worker/client', 'app may import only'],
    ['components/shell.tsx', '@/app/page', 'components may import only'],
    ['components/shell.tsx', '@/lib/worker/client', 'components may import only'],
    ['components/shell.tsx', 'node:fs', 'components may not use'],
    ['components/shell.tsx', '@monaco-editor/react', 'only components/monaco'],
    ['lib/core/text/span.ts', 'monaco-editor', 'only components/monaco'],
    ['components/ui/tabs.tsx', '@/lib/core/policy/policy', 'know nothing of ours'],
    ['components/ui/tabs.tsx', '../shell', 'know nothing of ours'],
    ['lib/state/store.ts', '@/components/shell', 'lib/state may import only'],
    ['lib/state/store.ts', 'react', 'knows no framework'],
    ['lib/worker/jobs.ts', '../state/store', 'lib/worker may import only'],
    ['lib/worker/jobs.ts', 'zustand', 'lib/worker may not use'],
    ['lib/messages/english.ts', '@/lib/state/store', 'lib/messages may import only'],
    ['lib/cli/mask.ts', '@/lib/state/store', 'lib/cli may import only'],
    ['lib/pipeline/index.ts', 'react', 'lib/pipeline may not use'],
    ['lib/core/index.ts', '../worker/client', 'lib/core may import only'],
    ['lib/core/index.ts', 'next/link', 'lib/core may not use'],
    ['lib/core/policy/decide.ts', 'node:fs', 'may not use'],
    ['lib/core/text/span.test.ts', '@/lib/state/store', 'may import only'],
    ['lib/core/text/span.test.ts', 'react', 'may not use'],
    ['lib/core/text/span.ts', '../conversation/conversation', 'built in storeys'],
    ['lib/core/conversation/conversation.ts', '../formats/format', 'built in storeys'],
    ['lib/core/policy/decide.ts', '../mask/apply', 'built in storeys'],
    ['lib/core/policy/decide.ts', '../index', 'built in storeys'],
    ['lib/core/tokens/encoding.ts', '../replay/replay', 'built in storeys'],
    ['e2e/smoke.spec.ts', '@/components/shell', 'e2e may import only'],
    ['lib/elsewhere/thing.ts', './other', 'no rule covers'],
  ])('does not let %s import %s', (path, specifier, reason) => {
    expect(findForbiddenImports([{ path, imports: [specifier] }])).toEqual([
      expect.stringContaining(reason),
    ])
  })
})

describe('findCycles', () => {
  test('names the files of a circle once', () => {
    const circle = [
      { path: 'lib/core/a.ts', imports: ['./b'] },
      { path: 'lib/core/b.ts', imports: ['@/lib/core/c'] },
      { path: 'lib/core/c/index.ts', imports: ['../a', 'react'] },
    ]
    expect(findCycles(circle)).toEqual([
      'These import each other: lib/core/a.ts -> lib/core/b.ts -> lib/core/c/index.ts -> lib/core/a.ts',
    ])
    expect(findCycles(circle.slice(0, 2))).toEqual([])
  })
})

describe('findLength', () => {
  const long = 'line\n'.repeat(301)

  test('asks a long file for its reason', () => {
    expect(findLength('lib/core/a.ts', long)).toEqual([expect.stringContaining('301 lines')])
    expect(findLength('lib/core/a.ts', 'line\n'.repeat(300))).toEqual([])
    expect(findLength('lib/core/a.ts', `// Longer than 300 lines because x\n${long}`)).toEqual([])
    expect(findLength('lib/core/a.test.ts', long)).toEqual([])
  })
})
