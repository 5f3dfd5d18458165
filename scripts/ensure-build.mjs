import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from './run-command.mjs'

export const outputFolder = join(repositoryRoot, 'out')

const stampFile = join(outputFolder, '.build-inputs')
const ignoredAtTop = new Set([
  'LICENSE',
  'README.md',
  'dist',
  'e2e',
  'next-env.d.ts',
  'out',
  'playwright-report',
  'test-results',
])
const ignoredAnywhere = /^(\..*|node_modules)$|\.(test\.(ts|tsx|mjs)|tsbuildinfo)$/

/** One hash of everything the build reads: sources, settings, lock file, and the base path. */
export function hashInputs(root = repositoryRoot) {
  const hash = createHash('sha256')
  hash.update(`base path ${process.env.BASE_PATH ?? ''}\n`)
  for (const path of listInputs(root, '')) {
    hash.update(`${path}\n`)
    hash.update(
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest(),
    )
  }
  return hash.digest('hex')
}

/** The hash belongs to the state before the build: a source saved while it runs must count as newer. */
export function writeStamp(hash) {
  writeFileSync(stampFile, `${hash}\n`)
}

/** Returns why out/ has to be built; null if it is up to date. */
export function findBuildProblem() {
  if (!existsSync(join(outputFolder, 'index.html'))) return 'there is no build yet'
  if (!existsSync(stampFile)) return 'the last build did not finish'
  return readFileSync(stampFile, 'utf8').trim() === hashInputs()
    ? null
    : 'the sources changed since the last build'
}

/** Excludes only what the build never reads, so that a new folder counts by default. */
function listInputs(root, folder) {
  const paths = []
  const entries = readdirSync(join(root, folder), { withFileTypes: true })
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    const isIgnored = folder === '' && ignoredAtTop.has(entry.name)
    if (isIgnored || ignoredAnywhere.test(entry.name)) continue
    if (entry.isDirectory()) paths.push(...listInputs(root, path))
    else if (entry.isFile()) paths.push(path)
  }
  return paths
}
