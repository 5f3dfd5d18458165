/** Runs Stryker, whose packages are in this folder: they are many, and nothing else needs them. */
import { join } from 'node:path'
import { ensurePackages } from '../ensure-packages.mjs'
import { runCommand } from '../run-command.mjs'

await ensurePackages()
await ensurePackages(console.log, import.meta.dirname)
const stryker = join(import.meta.dirname, 'node_modules/@stryker-mutator/core/bin/stryker.js')
const { status } = await runCommand(process.execPath, [stryker, 'run', ...process.argv.slice(2)])
process.exitCode = status
