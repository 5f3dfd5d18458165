import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { findForbiddenImport, readImports } from './testing/import-guard'

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
  test('is found', () => {
    expect(files.length).toBeGreaterThan(3)
    expect(files.find(({ path }) => path === 'app/layout.tsx')?.imports).toContain('./globals.css')
  })

  test('imports only in the allowed directions', () => {
    const forbidden = files.flatMap(({ path, imports }) =>
      imports.flatMap((specifier) => findForbiddenImport(path, specifier) ?? []),
    )
    expect(forbidden).toEqual([])
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

describe('findForbiddenImport', () => {
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
    ['lib/core/mask/apply.ts', '../tokens/count-conversation'],
    ['lib/core/text/span.test.ts', 'fast-check'],
    ['lib/core/formats/contract.test.ts', '../mask/apply'],
    ['lib/messages/english.ts', '@/lib/core/problem'],
    ['e2e/smoke.spec.ts', '@playwright/test'],
  ])('lets %s import %s', (path, specifier) => {
    expect(findForbiddenImport(path, specifier)).toBeNull()
  })

  test.each([
    ['app/page.tsx', '@/lib/worker/client', 'app may import only'],
    ['components/shell.tsx', '@/app/page', 'components may import only'],
    ['components/shell.tsx', '@/lib/worker/client', 'components may import only'],
    ['components/shell.tsx', 'node:fs', 'components may not use'],
    ['components/shell.tsx', '@monaco-editor/react', 'only components/monaco may'],
    ['lib/core/text/span.ts', 'monaco-editor', 'only components/monaco'],
    ['components/ui/tabs.tsx', '@/lib/core/policy/policy', 'components/ui may import only'],
    ['components/ui/tabs.tsx', '../shell', 'components/ui may import only'],
    ['lib/state/store.ts', '@/components/shell', 'lib/state may import only'],
    ['lib/state/store.ts', 'react', 'lib/state may not use'],
    ['lib/worker/jobs.ts', '../state/store', 'lib/worker may import only'],
    ['lib/worker/jobs.ts', 'zustand', 'lib/worker may not use'],
    ['lib/messages/english.ts', '@/lib/state/store', 'lib/messages may import only'],
    ['lib/cli/mask.ts', '@/lib/state/store', 'lib/cli may import only'],
    ['lib/pipeline/mask-request.ts', 'node:fs', 'lib/pipeline may not use'],
    ['lib/pipeline/fetch/index.ts', '../proxy/index', 'lib/pipeline/fetch may import only'],
    ['lib/core/index.ts', '../worker/client', 'lib/core may import only'],
    ['lib/core/index.ts', 'next/link', 'lib/core may not use'],
    ['lib/core/policy/decide.ts', 'node:fs', 'may not use'],
    ['lib/core/text/span.test.ts', '@/lib/state/store', 'may import only'],
    ['lib/core/text/span.test.ts', 'react', 'may not use'],
    ['lib/core/text/span.ts', '../conversation/conversation', 'may import only'],
    ['lib/core/conversation/conversation.ts', '../formats/format', 'may import only'],
    ['lib/core/policy/decide.ts', '../mask/apply', 'may import only'],
    ['lib/core/policy/decide.ts', '../index', 'may import only'],
    ['lib/core/tokens/encoding.ts', '../replay/replay', 'may import only'],
    ['e2e/smoke.spec.ts', '@/components/shell', 'e2e may import only'],
    ['lib/elsewhere/thing.ts', './other', 'has no rule'],
  ])('does not let %s import %s', (path, specifier, reason) => {
    expect(findForbiddenImport(path, specifier)).toContain(reason)
  })
})
