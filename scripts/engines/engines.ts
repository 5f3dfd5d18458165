/**
 * The main task in Firefox and in WebKitGTK. An engine that cannot run here is skipped, with the reason.
 * `--screenshots FOLDER` also writes what each shows.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createStaticServer, listen } from '../serve.mjs'
import { NotHereError } from './engine'
import { startFirefox } from './firefox'
import { mainJob } from './main-job'
import { startWebKit } from './webkit'

const { values: options } = parseArgs({ options: { screenshots: { type: 'string' } } })

const SIZE = { width: 1440, height: 900 }

for (const [name, start] of [
  ['Firefox', startFirefox],
  ['WebKitGTK', startWebKit],
] as const) {
  try {
    await testEngine(start)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof NotHereError) console.log(`${name}: skipped, since ${message}.`)
    else {
      console.error(message)
      process.exitCode = 1
    }
  }
}

async function testEngine(start: typeof startFirefox): Promise<void> {
  const engine = await start(SIZE)
  const server = createStaticServer()
  try {
    const address = `http://127.0.0.1:${await listen(server, 0)}${process.env.BASE_PATH ?? ''}/`
    let steps = 0
    await mainJob(engine, address, async (name, run) => {
      steps++
      try {
        await run()
      } catch (error) {
        throw new Error(`${engine.name}, step "${name}": ${(error as Error).message}`)
      } finally {
        if (options.screenshots !== undefined) {
          mkdirSync(options.screenshots, { recursive: true })
          const file = `${engine.name.split(' ')[0]}-${steps}.png`
          writeFileSync(join(options.screenshots, file), await engine.screenshot())
        }
      }
    })
    const errors = await engine.errors()
    if (errors.length > 0) throw new Error(`${engine.name} reports: ${errors.join('\n')}`)
    console.log(`${engine.name}: ${steps} steps passed.`)
  } finally {
    await engine.close()
    server.close()
    server.closeAllConnections()
  }
}
