import { expect } from '@playwright/test'
import { benchCommand } from '../lib/cli/bench-command'
import { maskCommand } from '../lib/cli/mask-command'
import { outcomeOf } from '../lib/cli/run-command'

const COMMANDS = { mask: maskCommand, bench: benchCommand }

/** The output of a command, run in this process; `lib/cli/commands.test.ts` runs them as processes. */
export async function outputOf(
  name: keyof typeof COMMANDS,
  args: readonly string[],
): Promise<Buffer> {
  const { status, output, errors } = await outcomeOf(COMMANDS[name], args, {
    folder: '/',
    readStandardInput: async () => new Uint8Array(),
  })
  expect(status, errors.join('\n')).toBe(0)
  return Buffer.from(output)
}
