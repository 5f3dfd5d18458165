#!/usr/bin/env node
/** The commands: `npm run --silent mask -- FILE` in a clone, `npx observation-masking mask FILE` from the package. */
import { ownMember } from '../core/text/json'
import { type Command, runAsProcess } from './run-command'

/** Each command loads its own modules only. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  bench: async () => (await import('./bench-command')).benchCommand,
  mask: async () => (await import('./mask-command')).maskCommand,
  repair: async () => (await import('./repair-command')).repairCommand,
  uses: async () => (await import('./uses-command')).usesCommand,
}

const USAGE = `Tries and applies the masking of old tool results in transcripts of agents.

npx observation-masking COMMAND FILE [flags]

  mask    prints a document with its old results masked
  bench   measures sessions: tokens, cost, later uses, and the setting that suits them
  uses    lists what answers take from old results
  repair  repairs malformed arguments of tool calls

npx observation-masking COMMAND --help lists the flags of a command, npx observation-masking-proxy --help those of the proxy.`

const [name = '', ...args] = process.argv.slice(2)
const load = ownMember(COMMANDS, name)
if (name === '--help' || name === '-h') console.log(USAGE)
else if (load === undefined) {
  console.error(`There is no command "${name}"; expected ${Object.keys(COMMANDS).join(', ')}.`)
  process.exitCode = 2
} else await runAsProcess(await load(), args)
