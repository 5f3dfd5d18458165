import { posix } from 'node:path'
import { parseAst } from 'vitest/node'

/** What the files below one path may import. The longest matching path decides. */
interface Area {
  readonly at: string
  /** Our own code it may use, besides its own. */
  readonly uses: readonly string[]
  /** Packages it may use; 'browser' stands for any that is not Node's own. */
  readonly packages: readonly string[] | 'browser' | 'any'
  readonly reason: string
}

const corePackages = [
  '@pydantic/genai-prices',
  '@secretlint/core',
  '@secretlint/secretlint-rule-preset-recommend',
  '@zip.js/zip.js',
  'fflate',
  'fzstd',
  'gpt-tokenizer',
  'jsonc-parser',
  'jsonrepair',
  '@cfworker/json-schema',
  'smol-toml',
  'valibot',
]

/** Inside the core: each folder, and the ones it stands on. */
const coreFolders: Readonly<Record<string, readonly string[]>> = {
  problem: ['text'],
  text: ['problem'],
  conversation: ['problem', 'text'],
  files: ['problem', 'text'],
  formats: ['problem', 'text', 'conversation'],
  policy: ['problem', 'text', 'conversation'],
  tokens: ['problem', 'text', 'conversation'],
  convert: ['problem', 'text', 'conversation'],
  mask: ['problem', 'text', 'conversation', 'policy', 'tokens'],
  replay: ['problem', 'text', 'conversation', 'tokens', 'policy', 'mask'],
  report: ['conversation', 'tokens', 'policy', 'mask', 'replay'],
  repair: ['problem', 'text', 'conversation'],
  loop: ['problem', 'text', 'conversation', 'tokens', 'repair'],
  share: ['problem', 'text', 'conversation', 'formats', 'policy', 'replay', 'tokens', 'mask'],
}

const areas: readonly Area[] = [
  {
    at: 'app',
    uses: ['components', 'lib/state', 'lib/messages', 'lib/core'],
    packages: 'browser',
    reason: 'the shell arranges views and reads state',
  },
  {
    at: 'components',
    uses: ['lib/state', 'lib/messages', 'lib/core'],
    packages: 'browser',
    reason: 'views read state and call actions; nothing points back up',
  },
  {
    at: 'components/ui',
    uses: [],
    packages: 'browser',
    reason: 'buttons, fields and tabs know nothing of ours',
  },
  {
    at: 'lib/state',
    uses: ['lib/worker', 'lib/messages', 'lib/core'],
    packages: ['zustand', 'idb-keyval', 'valibot'],
    reason: 'the store knows no framework and no view',
  },
  { at: 'lib/messages', uses: ['lib/core'], packages: [], reason: 'texts stand on the core only' },
  { at: 'lib/worker', uses: ['lib/core'], packages: [], reason: 'the worker only runs the core' },
  ...['lib/cli', 'lib/pipeline'].map((at) => ({
    at,
    uses: ['lib/core'],
    packages: ['node:', 'citty', 'smol-toml', 'mitata'],
    reason: 'Node entry points are thin ones on the core',
  })),
  {
    at: 'lib/core',
    uses: [],
    packages: corePackages,
    reason: 'the core runs in Node, worker and page and knows none of them',
  },
  ...Object.entries(coreFolders).map(([folder, uses]) => ({
    at: `lib/core/${folder}`,
    uses: uses.map((name) => `lib/core/${name}`),
    packages: corePackages,
    reason: 'the core is built in storeys',
  })),
  { at: 'lib/import-guard', uses: [], packages: ['node:', 'vitest'], reason: 'it only reads' },
  { at: 'e2e', uses: ['lib/core'], packages: 'any', reason: 'browser tests see the page only' },
]

/** Exports of a policy are run in the packages they are written for. */
const exportPackages = ['@langchain/core', '@langchain/langgraph', 'ai', 'langchain']
/** Follow-up requests are sent by the client they are built for. */
const clientPackages = ['openai']
const testPackages = [
  'vitest',
  'fast-check',
  'fake-indexeddb',
  'node:',
  ...exportPackages,
  ...clientPackages,
]
const editorPackages = ['monaco-editor', '@monaco-editor/react']
const longestFile = 300

/** A file's own path from the root, and what it imports, as written. */
export interface FileImports {
  readonly path: string
  readonly imports: readonly string[]
}

/** Every static, dynamic, type and re-exported import, and every `new Worker(new URL(x, ...))`. */
export function readImports(source: string, path: string): string[] {
  const found: string[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(visit)
    if (!isNode(value)) return
    if (/^(Import|Export\w+)Declaration$|^ImportExpression$|^TSImportType$/.test(value.type)) {
      // A test may load a file it has written; its path is no import of ours.
      const source = isNode(value.source) ? value.source.value : undefined
      if (typeof source === 'string') found.push(source)
    }
    if (isNew(value, /Worker$/)) {
      const url = (value.arguments as unknown[])[0]
      const target = isNew(url, /^URL$/) ? (url.arguments as unknown[])[0] : undefined
      if (isNode(target) && typeof target.value === 'string') found.push(target.value)
    }
    Object.values(value).forEach(visit)
  }
  visit(parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path))
  return found
}

/** One sentence for each import the house does not allow. */
export function findForbiddenImports(files: readonly FileImports[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports.flatMap((specifier) => {
      const reason = reasonAgainst(path, specifier)
      return reason === null ? [] : [`${path} imports ${specifier}: ${reason}`]
    }),
  )
}

/** One sentence for each circle of files, type imports included. */
export function findCycles(files: readonly FileImports[]): string[] {
  const known = new Map(files.map((file) => [file.path, file]))
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      cycles.push(
        `These import each other: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`,
      )
      return
    }
    if (done.has(path)) return
    for (const specifier of known.get(path)?.imports ?? []) {
      const target = ownPath(path, specifier)
      const endings = ['', '.ts', '.tsx', '/index.ts', '/index.tsx']
      const file = endings.map((ending) => target + ending).find((name) => known.has(name))
      if (target !== null && file !== undefined) visit(file, [...trail, path])
    }
    done.add(path)
  }
  for (const { path } of files) visit(path, [])
  return cycles
}

/** One sentence for a file past 300 lines that does not say at its top why; tests may be long. */
export function findLength(path: string, source: string): string[] {
  const lines = source.trimEnd().split('\n').length
  const isExcused = source.slice(0, 500).includes('Longer than 300 lines because ')
  if (lines <= longestFile || isExcused || /\.(test|spec)\.tsx?$/.test(path)) return []
  return [
    `${path} has ${lines} lines: split it, or begin it with "Longer than 300 lines because ..."`,
  ]
}

function reasonAgainst(path: string, specifier: string): string | null {
  const area = areaOf(path)
  if (area === undefined) return 'no rule covers this folder; add it to lib/import-guard.ts'
  const isTest = /\.test\.tsx?$|\/testing\//.test(path)
  const target = ownPath(path, specifier)
  if (target === null) {
    const name = packageName(specifier)
    if (editorPackages.includes(name) && !isBelow(path, 'components/monaco')) {
      return 'only components/monaco knows the editor'
    }
    if (isTest && testPackages.includes(name)) return null
    const isAllowed =
      area.packages === 'any' ||
      (area.packages === 'browser' ? name !== 'node:' : area.packages.includes(name))
    return isAllowed ? null : `${area.at} may not use this package; ${area.reason}`
  }
  // A core test may look at the whole core: it has no place in the storeys.
  const uses = isTest && isBelow(path, 'lib/core') ? ['lib/core'] : [area.at, ...area.uses]
  if (uses.some((use) => isBelow(target, use))) return null
  return `${area.at} may import only ${uses.join(', ')}; ${area.reason}`
}

function areaOf(path: string): Area | undefined {
  const matching = areas.filter((area) => isBelow(path, area.at))
  return matching.sort((first, second) => second.at.length - first.at.length)[0]
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`) || path.replace(/(\.test)?\.tsx?$/, '') === folder
}

/** The path from the root of what an import names, without its ending; null for a package. */
function ownPath(path: string, specifier: string): string | null {
  if (specifier.startsWith('@/')) return posix.normalize(specifier.slice(2))
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : null
}

function packageName(specifier: string): string {
  if (specifier.startsWith('node:')) return 'node:'
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
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
