/**
 * Runs a TypeScript file of the project: `node scripts/run.mjs lib/cli/main.ts mask FILE`.
 * Installs missing packages first. Standard output belongs to the file that runs, so messages before
 * that go to standard error.
 */
import { join, resolve } from 'node:path'
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
const { register } = await import('tsx/esm/api')
register({ tsconfig: join(repositoryRoot, 'tsconfig.json') })
await import(pathToFileURL(path).href)
