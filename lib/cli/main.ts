#!/usr/bin/env node
/** The commands: `npm run --silent mask -- FILE` in a clone, `npx observation-masking mask FILE` from the package. */
import { ownMember } from '../core/text/json'
import { type Command, runAsProcess } from './run-command'
import texts from './texts.json' with { type: 'json' }

/** Each command loads its own modules only. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  bench: async () => (await import('./bench-command')).benchCommand,
  mask: async () => (await import('./mask-command')).maskCommand,
  repair: async () => (await import('./repair-command')).repairCommand,
  uses: async () => (await import('./uses-command')).usesCommand,
}

const [name = '', ...args] = process.argv.slice(2)
const load = ownMember(COMMANDS, name)
if (name === '--help' || name === '-h') console.log(texts.usage.join('\n'))
else if (name === 'watch') {
  const { watch } = await import('../pipeline/watch/watch-command')
  process.exit(await watch(args).catch(failed))
} else if (load === undefined) {
  const names = [...Object.keys(COMMANDS), 'watch'].join(', ')
  console.error(`There is no command "${name}"; expected ${names}.`)
  process.exitCode = 2
} else await runAsProcess(await load(), args)

function failed(error: Error): number {
  console.error(error.message)
  return 2
}
