import { expect, test, vi } from 'vitest'
import { runCommand } from './run-command.mjs'

test('a quiet command that takes long reports progress to the given function, not to standard output', async () => {
  const log = vi.spyOn(console, 'log')
  const said = []
  const { status, output } = await runCommand(
    process.execPath,
    ['-e', 'setTimeout(() => console.log("done"), 1500)'],
    { isQuiet: true, say: (line) => said.push(line), heartbeatMilliseconds: 20 },
  )
  expect([status, output]).toEqual([0, 'done\n'])
  expect(said[0]).toMatch(/still working, \d s/)
  expect(log).not.toHaveBeenCalled()
})
