import { join } from 'node:path'
import { findBuildProblem } from './ensure-build.mjs'
import { ensurePackages } from './ensure-packages.mjs'
import { lastLines, repositoryRoot, runCommand } from './run-command.mjs'

const oldestNode = 20

async function start() {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    throw new Error(`Node ${oldestNode} or newer is needed; this is ${process.version}.`)
  }
  await ensurePackages()
  const { readPort, serveUntilStopped } = await import('./serve.mjs')
  const port = readPort(process.argv.slice(2), process.env)
  const problem = findBuildProblem()
  if (problem !== null) await build(problem)
  await serveUntilStopped(port)
}

async function build(problem) {
  console.log(`Building the page: ${problem}.`)
  const startedAt = Date.now()
  const script = join(repositoryRoot, 'scripts', 'build.mjs')
  const { status, output } = await runCommand(process.execPath, [script], { isQuiet: true })
  if (status !== 0) throw new Error(`The build failed; its last lines are:\n${lastLines(output)}`)
  console.log(`Built in ${Math.round((Date.now() - startedAt) / 1000)} s.`)
}

start().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
