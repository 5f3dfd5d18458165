/**
 * Builds the package `observation-masking`: bundles without dependencies, types, licences and a tarball. Each folder of
 * `lib/pipeline` with an `index.ts` is an entry; `proxy/main.ts` and `lib/cli/main.ts` are the commands.
 */
import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { build } from 'esbuild'
import { resultOf } from '../evaluate-at-build.mjs'
import { noticesOf } from '../notices.mjs'
import { repositoryRoot } from '../run-command.mjs'

const pipeline = join(repositoryRoot, 'lib/pipeline')
export const distFolder = join(repositoryRoot, 'dist')
/** Commands and the thread of the proxy, which have no types. */
const COMMANDS = ['main', 'cli', 'thread']
/** These load CommonJS packages, whose `require` a module lacks. */
const NODE_ENTRIES = ['proxy', ...COMMANDS]
const REQUIRE = `import { createRequire as createPackageRequire } from 'node:module'
const require = createPackageRequire(import.meta.url)`

/** The tables of the encodings are large: all bundles load the same files, through the package's own name. */
const TABLES = ['o200k-base', 'cl100k-base']
const sharedTables = {
  name: 'shared-tables',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^\.\/tables\// }, ({ path }) => ({
      path: path.replace('./', 'observation-masking/'),
      external: true,
    })),
}

/** Most bytes that an import loads, without what is loaded later. */
const BUDGETS = { index: 320_000, fetch: 245_000, repair: 200_000, loop: 300_000, proxy: 2_150_000 }
const TARBALL_BUDGET = 2_600_000
/** What the built page adds, which `watch` serves. */
const SITE_BUDGET = 5_000_000

/**
 * Builds into `folder`, which is emptied first, with the built page of the folder `site` if there is one. Returns the
 * tarball's path and sizes by entry.
 */
export async function buildPackage(folder = distFolder, site = undefined) {
  const out = join(folder, 'package')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(out, { recursive: true })
  const entries = {
    index: join(pipeline, 'index.ts'),
    main: join(pipeline, 'proxy/main.ts'),
    cli: join(repositoryRoot, 'lib/cli/main.ts'),
    thread: join(pipeline, 'proxy/serve-thread.ts'),
  }
  for (const name of readdirSync(pipeline)) {
    const entry = join(pipeline, name, 'index.ts')
    if (existsSync(entry)) entries[name] = entry
  }
  const portable = omit(entries, (name) => NODE_ENTRIES.includes(name))
  const forNode = omit(entries, (name) => !NODE_ENTRIES.includes(name))
  const metafiles = await Promise.all([
    bundle(portable, out, { plugins: [sharedTables] }),
    bundle(forNode, join(out, 'node'), { plugins: [sharedTables], banner: { js: REQUIRE } }),
  ])
  mkdirSync(join(out, 'tables'))
  for (const name of TABLES) {
    const table = await resultOf(join(repositoryRoot, `lib/core/tokens/tables/${name}.ts`))
    writeFileSync(join(out, `tables/${name}.js`), table)
  }
  // The package itself, and what only a host of the site needs, stay out.
  const isOfPage = (path) => !/\.tgz$|[/\\](?:\.[^/\\]*|_headers|service-worker\.js)$/.test(path)
  if (site !== undefined) cpSync(site, join(out, 'site'), { recursive: true, filter: isOfPage })
  const areas = Object.keys(entries).filter((name) => !COMMANDS.includes(name))
  writeTypes(
    omit(entries, (name) => COMMANDS.includes(name)),
    join(out, 'types'),
  )
  const sizes = sizesOf(metafiles)
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(areas), null, 2)}\n`)
  const readme = readFileSync(join(repositoryRoot, 'scripts/package/package-readme.md'), 'utf8')
  writeFileSync(join(out, 'README.md'), readme)
  writeFileSync(join(out, 'LICENSE'), readFileSync(join(repositoryRoot, 'LICENSE')))
  const notices = noticesOf(metafiles.flatMap(({ inputs }) => Object.keys(inputs)))
  writeFileSync(join(out, 'THIRD-PARTY-LICENSES.txt'), notices)
  const tarball = pack(out, folder)
  checkBudgets(sizes, tarball, TARBALL_BUDGET + (site === undefined ? 0 : SITE_BUDGET))
  return { tarball: tarball.path, bytes: tarball.bytes, sizes }
}

function omit(object, isOmitted) {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !isOmitted(name)))
}

async function bundle(entryPoints, outdir, options) {
  const { metafile } = await build({
    absWorkingDir: repositoryRoot,
    entryPoints,
    outdir,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    // The CommonJS builds of some packages cannot be bundled.
    mainFields: ['module', 'main'],
    chunkNames: 'chunks/[name]-[hash]',
    legalComments: 'none',
    // In a clone, npm changes the folder and names the caller's; an installed command runs in the caller's.
    define: { 'process.env.INIT_CWD': 'undefined' },
    metafile: true,
    logLevel: 'error',
    ...options,
  })
  return metafile
}

/** Bytes that each entry loads at once: its own and those of its static imports. */
function sizesOf(metafiles) {
  return Object.fromEntries(
    metafiles.flatMap(({ outputs }) =>
      Object.entries(outputs).flatMap(([path, { entryPoint }]) => {
        if (entryPoint === undefined || !entryPoint.startsWith('lib/pipeline/')) return []
        const seen = new Set()
        const visit = (file) => {
          if (seen.has(file) || outputs[file] === undefined) return
          seen.add(file)
          for (const { path: next, kind } of outputs[file].imports) {
            if (kind === 'import-statement') visit(next)
          }
        }
        visit(path)
        const bytes = [...seen].reduce((sum, file) => sum + outputs[file].bytes, 0)
        return [[path.replace(/^.*\/|\.js$/g, ''), bytes]]
      }),
    ),
  )
}

/** The declarations of the entries' modules, with the endings that Node's resolution of types needs. */
function writeTypes(entries, out) {
  const config = join(dirname(out), '..', 'tsconfig.json')
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: true,
    incremental: false,
    plugins: [],
    outDir: out,
    rootDir: join(repositoryRoot, 'lib'),
    types: ['node'],
    typeRoots: [join(repositoryRoot, 'node_modules/@types')],
  }
  const parent = join(repositoryRoot, 'tsconfig.json')
  const files = Object.values(entries)
  writeFileSync(config, JSON.stringify({ extends: parent, compilerOptions, include: [], files }))
  const tsc = join(repositoryRoot, 'node_modules/typescript/bin/tsc')
  const options = { encoding: 'utf8' }
  const { status, stdout, stderr } = spawnSync(process.execPath, [tsc, '-p', config], options)
  if (status !== 0) throw new Error(`${stdout}${stderr}`)
  rmSync(config)
  for (const name of readdirSync(out, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue
    const file = join(out, name)
    const withEnding = (path) => {
      const target = join(dirname(file), path)
      if (existsSync(`${target}.d.ts`)) return `${path}.js`
      if (!path.endsWith('.json')) return `${path}/index.js`
      // JSON is a type as it is written. Declarations cannot import it everywhere, so it becomes one.
      const json = readFileSync(join(repositoryRoot, 'lib', relative(out, target)), 'utf8')
      const type = target.replace(/\.json$/, '-json.d.ts')
      writeFileSync(type, `declare const json: ${json}\nexport default json\n`)
      return path.replace(/\.json$/, '-json.js')
    }
    const pattern = /((?:from|import)\s*\(?\s*(["']))(\.[^"']*)\2/g
    const replaced = (_, before, quote, path) => `${before}${withEnding(path)}${quote}`
    writeFileSync(file, readFileSync(file, 'utf8').replace(pattern, replaced))
  }
}

function manifest(areas) {
  const own = readFileSync(join(repositoryRoot, 'package.json'), 'utf8')
  const { version, license, engines } = JSON.parse(own)
  const entryOf = (name) => ({
    types: `./types/pipeline/${name === 'index' ? '' : `${name}/`}index.d.ts`,
    default: `./${NODE_ENTRIES.includes(name) ? 'node/' : ''}${name}.js`,
  })
  return {
    name: 'observation-masking',
    version,
    description: 'Replaces old tool results in requests to a provider with short placeholders.',
    license,
    type: 'module',
    engines,
    sideEffects: COMMANDS.map((name) => `./node/${name}.js`),
    exports: {
      ...Object.fromEntries(
        areas.map((name) => [name === 'index' ? '.' : `./${name}`, entryOf(name)]),
      ),
      './tables/*': './tables/*.js',
    },
    bin: { 'observation-masking': 'node/cli.js', 'observation-masking-proxy': 'node/main.js' },
  }
}

function pack(out, folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, out]
  const { stdout, stderr, status } = spawnSync('npm', args, { encoding: 'utf8', cwd: folder })
  if (status !== 0) throw new Error(stderr)
  const [{ filename, size }] = JSON.parse(stdout)
  return { path: join(folder, filename), bytes: size }
}

function checkBudgets(sizes, { bytes }, most) {
  const over = Object.entries(BUDGETS).filter(([name, budget]) => !(sizes[name] <= budget))
  if (over.length > 0 || bytes > most) {
    const found = over.map(
      ([name, budget]) => `${name} loads ${sizes[name]} bytes of at most ${budget}`,
    )
    throw new Error([...found, `the tarball has ${bytes} of at most ${most}`].join(', '))
  }
}
