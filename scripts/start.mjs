import { ensurePackages } from './ensure-packages.mjs'
import { ensurePage } from './ensure-page.mjs'

const oldestNode = 20

async function start() {
  if (Number(process.versions.node.split('.')[0]) < oldestNode) {
    throw new Error(`Node ${oldestNode} or newer is needed; this is ${process.version}.`)
  }
  await ensurePackages()
  const { readPort, serveUntilStopped } = await import('./serve.mjs')
  const port = readPort(process.argv.slice(2), process.env)
  await ensurePage(console.log)
  await serveUntilStopped(port)
}

start().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
