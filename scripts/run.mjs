/**
 * Runs a TypeScript file of the project: `node scripts/run.mjs lib/cli/main.ts mask FILE`.
 * Installs missing packages first. Standard output belongs to the file that runs, so messages before
 * that go to standard error.
 */
import { readFileSync, rmSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensurePackages } from './ensure-packages.mjs'
import { repositoryRoot } from './run-command.mjs'

const [, , file, ...args] = process.argv

try {
  await ensurePackages(console.error)
} catch (error) {
  console.error(error.message)
  process.exit(1)
}
const path = resolve(repositoryRoot, file)
process.argv = [process.argv[0], path, ...args]
await import(pathToFileURL(await bundled(path)).href)

/** A bundle starts in a third of the time of several hundred modules that are translated one by one. */
async function bundled(entry) {
  const folder = join(repositoryRoot, 'node_modules', '.cache', `run-${process.pid}`)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  try {
    const { build } = await import('esbuild')
    await build({
      entryPoints: [entry],
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What is imported later is loaded later, such as the tables of the tokens.
      splitting: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      target: 'node20',
      sourcemap: 'inline',
      alias: { '@': repositoryRoot },
      plugins: [{ name: 'own paths', setup: keepOwnPaths }],
      logLevel: 'silent',
    })
    process.setSourceMapsEnabled(true)
    return join(folder, `${parse(entry).name}.mjs`)
  } catch {
    // The folder cannot be written, or a module has an error, which is said here.
    const { register } = await import('tsx/esm/api')
    register()
    return entry
  }
}

/** A module finds files beside its source, not beside the bundle. */
function keepOwnPaths({ onLoad }) {
  onLoad({ filter: /\.(ts|mjs)$/, namespace: 'file' }, ({ path: source }) => ({
    contents: readFileSync(source, 'utf8')
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(source).href))
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(source))),
    loader: source.endsWith('.ts') ? 'ts' : 'js',
  }))
}
