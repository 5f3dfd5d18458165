/** Reads which module imports which, and names every import that points the wrong way. Biome finds cycles and long files. */
import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

interface Area {
  /** Own folders it may import, besides itself. */
  readonly uses: readonly string[]
  /** Packages it may import; `node:` stands for all of Node's modules. */
  readonly packages: readonly string[] | 'any' | 'any but node:'
}

const CORE_PACKAGES = [
  ...['@cfworker/json-schema', '@pydantic/genai-prices'],
  ...['@secretlint/secretlint-rule-preset-recommend', '@zip.js/zip.js', 'fflate', 'fzstd'],
  ...['gpt-tokenizer', 'hyparquet', 'jsonc-parser', 'jsonrepair', 'smol-toml', 'valibot'],
]

/** Each folder of the core, and the folders it is built on. */
const CORE_FOLDERS: Readonly<Record<string, readonly string[]>> = {
  words: ['problem'],
  steps: [],
  'memoize-for': [],
  problem: ['text', 'words'],
  text: ['problem', 'words'],
  conversation: ['words', 'problem', 'text'],
  files: ['words', 'problem', 'text'],
  formats: ['words', 'problem', 'text', 'conversation'],
  policy: ['words', 'problem', 'text', 'conversation'],
  tokens: ['problem', 'steps', 'text', 'conversation'],
  convert: ['problem', 'text', 'conversation'],
  mask: ['problem', 'text', 'conversation', 'policy', 'tokens'],
  replay: [
    'words',
    'problem',
    'steps',
    'memoize-for',
    'text',
    'conversation',
    'tokens',
    'policy',
    'mask',
  ],
  uses: ['steps', 'conversation', 'policy', 'replay'],
  mechanisms: [
    ...['words', 'memoize-for', 'steps', 'text', 'conversation', 'policy', 'share/tool-names'],
    ...['tokens', 'replay', 'uses'],
  ],
  fleet: ['conversation', 'policy', 'problem', 'replay', 'uses'],
  report: ['conversation', 'tokens', 'policy', 'mask', 'replay', 'mechanisms', 'text', 'words'],
  repair: ['words', 'problem', 'steps', 'text', 'conversation'],
  results: ['steps', 'text', 'conversation', 'tokens', 'policy', 'mask', 'replay', 'report'],
  integrity: ['text', 'conversation', 'policy', 'mask'],
  loop: ['problem', 'text', 'conversation', 'tokens', 'repair', 'integrity'],
  share: [
    ...['words', 'problem', 'text', 'conversation', 'formats', 'policy', 'replay', 'tokens'],
    ...['mask', 'report'],
  ],
}

/** By path; the longest one that contains a file decides. */
const AREAS: Readonly<Record<string, Area>> = {
  app: {
    uses: ['components', 'lib/state', 'lib/messages', 'lib/core'],
    packages: 'any but node:',
  },
  components: { uses: ['lib/state', 'lib/messages', 'lib/core'], packages: 'any but node:' },
  'components/ui': { uses: [], packages: 'any but node:' },
  'lib/state': {
    uses: ['lib/worker', 'lib/messages', 'lib/core'],
    packages: ['zustand', 'idb-keyval', 'valibot'],
  },
  'lib/messages': { uses: ['lib/core'], packages: [] },
  'lib/worker': { uses: ['lib/core'], packages: [] },
  'lib/cli': { uses: ['lib/core', 'lib/pipeline/watch'], packages: ['node:'] },
  'lib/pipeline': { uses: ['lib/core'], packages: [] },
  'lib/pipeline/fetch': {
    uses: [
      'lib/core',
      ...['mask-request', 'mask-memory', 'kept-warnings'].map((file) => `lib/pipeline/${file}`),
    ],
    packages: [],
  },
  'lib/pipeline/repair': { uses: ['lib/core'], packages: [] },
  'lib/pipeline/loop': { uses: ['lib/core'], packages: ['node:'] },
  'lib/pipeline/proxy': {
    uses: ['lib/core', 'lib/pipeline', 'lib/cli'],
    packages: ['node:', '@hono/node-server', 'fzstd', 'hono', 'prom-client', 'undici'],
  },
  'lib/pipeline/watch': {
    uses: ['lib/core', 'lib/cli', 'lib/pipeline/proxy', 'scripts/site-routes.mjs'],
    packages: ['node:', '@hono/node-server', 'hono'],
  },
  'lib/core': { uses: [], packages: CORE_PACKAGES },
  ...Object.fromEntries(
    Object.entries(CORE_FOLDERS).map(([folder, uses]) => [
      `lib/core/${folder}`,
      { uses: uses.map((name) => `lib/core/${name}`), packages: CORE_PACKAGES },
    ]),
  ),
  'lib/import-guard': { uses: ['lib/testing'], packages: ['node:', 'vitest'] },
  'lib/testing': { uses: [], packages: ['node:', 'vitest'] },
  e2e: {
    uses: ['lib/core', 'lib/cli', 'lib/pipeline/proxy', 'scripts/measure', 'scripts/serve.mjs'],
    packages: 'any',
  },
  'e2e/measure': {
    uses: ['e2e', 'lib/core', 'playwright.config', 'scripts/measure'],
    packages: 'any',
  },
}

/** Packages that tests may import besides those of their area: exports and requests run in the packages they are for. */
const TEST_PACKAGES = [
  ...[
    'vitest',
    'node:',
    '@playwright/test',
    'fast-check',
    'fake-indexeddb',
    '@formatjs/icu-messageformat-parser',
  ],
  ...['@langchain/core', '@langchain/langgraph', 'ai', 'hyparquet-writer', 'langchain', 'openai'],
]

const EDITOR_PACKAGES = ['monaco-editor', '@monaco-editor/react']

/** Specifiers of all imports in a source: static, dynamic, type, re-exported, and `new Worker(new URL(x, ...))`. */
export function readImports(source: string, path: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (/^(Import|Export\w+)Declaration$|^ImportExpression$|^TSImportType$/.test(value.type)) {
      if (isNode(value.source)) found.push(...stringsOf(value.source))
    }
    if (isNew(value, /Worker$/)) {
      const [url] = value.arguments as unknown[]
      if (isNew(url, /^URL$/)) found.push(...stringsOf((url.arguments as unknown[])[0]))
    }
    Object.values(value).forEach(visit)
  }
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path))
  return found
}

/** Says why a file may not import a specifier; null if it may. Paths are relative to the repository's root. */
export function findForbiddenImport(path: string, specifier: string): string | null {
  const [area, { uses, packages }] = areaOf(path) ?? ['', { uses: [], packages: [] }]
  if (area === '') return `${path} has no rule: add its folder to lib/testing/import-guard.ts`
  const isTest = /\.test\.tsx?$|\/testing\//.test(path)
  const target = resolveOwn(path, specifier)
  if (target !== null) {
    // A test of the core may import any part of it.
    const allowed = isTest && isBelow(path, 'lib/core') ? ['lib/core'] : [area, ...uses]
    if (allowed.some((folder) => isBelow(target, folder))) return null
    return `${path} imports ${specifier}: ${area} may import only ${allowed.join(', ')}`
  }
  const name = specifier.startsWith('node:')
    ? 'node:'
    : specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
  if (EDITOR_PACKAGES.includes(name) && !isBelow(path, 'components/monaco')) {
    return `${path} imports ${specifier}: only components/monaco may`
  }
  if (packages === 'any' || (isTest && TEST_PACKAGES.includes(name))) return null
  const isAllowed = packages === 'any but node:' ? name !== 'node:' : packages.includes(name)
  return isAllowed ? null : `${path} imports ${specifier}: ${area} may not use this package`
}

function areaOf(path: string): [string, Area] | undefined {
  const areas = Object.entries(AREAS).filter(([area]) => isBelow(path, area))
  return areas.sort(([first], [second]) => second.length - first.length)[0]
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) || path.replace(/(\.test)?\.tsx?$/, '') === folder
}

/** The imported path from the root, without its ending; null for a package. */
function resolveOwn(path: string, specifier: string): string | null {
  if (specifier.startsWith('@/')) return posix.normalize(specifier.slice(2))
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
}

interface SyntaxNode {
  readonly type: string
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value
}

function isNew(value: unknown, name: RegExp): value is SyntaxNode {
  const callee = isNode(value) && value.type === 'NewExpression' ? value.callee : null
  return isNode(callee) && name.test(String(callee.name))
}

/** A literal's string; nothing for a computed path. */
function stringsOf(value: unknown): string[] {
  return isNode(value) && typeof value.value === 'string' ? [value.value] : []
}
