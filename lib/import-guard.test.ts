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
    expect(readImports(source, 'x.tsx').join(' ')).toBe('./a ./b.css ./c ./d ./e ./f ./g')
  })
})

// What is allowed is what this repository imports.
describe('findForbiddenImport', () => {
  test.each([
    ['app/page.tsx', '@/lib/worker/client', 'app may import only'],
    ['components/shell.tsx', 'node:fs', 'components may not use'],
    ['lib/core/text/span.ts', 'monaco-editor', 'only components/monaco'],
    ['components/ui/tabs.tsx', '@/lib/core/policy/policy', 'components/ui may import only'],
    ['lib/pipeline/mask-request.ts', 'node:fs', 'lib/pipeline may not use'],
    ['lib/pipeline/fetch/index.ts', '../proxy/index', 'lib/pipeline/fetch may import only'],
    ['lib/core/text/span.test.ts', '@/lib/state/store', 'may import only'],
    ['lib/core/text/span.test.ts', 'react', 'may not use'],
    ['lib/core/text/span.ts', '../conversation/conversation', 'may import only'],
    ['lib/core/policy/decide.ts', '../index', 'may import only'],
    ['lib/elsewhere/thing.ts', './other', 'has no rule'],
  ])('does not let %s import %s', (path, specifier, reason) => {
    expect(findForbiddenImport(path, specifier)).toContain(reason)
  })
})
