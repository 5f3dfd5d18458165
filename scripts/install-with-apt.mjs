import { existsSync } from 'node:fs'
import { lastLines, runCommand } from './run-command.mjs'

const limitSeconds = 600

/** Installs a package of the system, if apt-get is here and may; resolves with what was tried and how it ended. */
export async function installWithApt(name, env = process.env) {
  const aptGet = '/usr/bin/apt-get'
  if (!existsSync(aptGet)) return 'apt-get (not here)'
  // sudo clears the environment, hence env(1).
  const prefix = process.getuid?.() === 0 ? ['env'] : ['sudo', '-n', 'env']
  const run = (args) =>
    runCommand(prefix[0], [...prefix.slice(1), 'DEBIAN_FRONTEND=noninteractive', aptGet, ...args], {
      env,
      isQuiet: true,
      timeLimitSeconds: limitSeconds,
    })
  console.log(`Installing ${name} with apt-get.`)
  const update = await run(['update'])
  const install = await run(['install', '-y', '--no-install-recommends', name])
  if (install.status === 0) return `apt-get install ${name} (finished)`
  console.log(lastLines(update.status === 0 ? install.output : update.output, 5))
  return `${prefix[0] === 'sudo' ? 'sudo -n ' : ''}apt-get install ${name} (failed)`
}
