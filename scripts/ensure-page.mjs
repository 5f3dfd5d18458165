/** Builds the page if `out/` lacks what the sources now make: `node scripts/ensure-page.mjs`, and before the site is served. */
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findBuildProblem } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { lastLines, repositoryRoot, runCommand } from './run-command.mjs'

/** Standard output may belong to what runs next, which `say` then leaves alone. */
export async function ensurePage(say) {
  await ensurePackages(say)
  const problem = findBuildProblem()
  if (problem === null) return
  say(`Building the page: ${problem}.`)
  const startedAt = Date.now()
  const script = join(repositoryRoot, 'scripts', 'build.mjs')
  const { status, output } = await runCommand(process.execPath, [script], { isQuiet: true })
  if (status !== 0) throw new Error(`The build failed; its last lines are:\n${lastLines(output)}`)
  say(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await ensurePage(console.error).catch((error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}
