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

test.skipIf(process.platform !== 'linux')(
  'the processor time of a command is known, with what it started',
  async () => {
    const work = 'for (const end = performance.now() + 300; performance.now() < end; );'
    const parent = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])`
    const { processorSeconds } = await runCommand(process.execPath, ['-e', parent], {
      isQuiet: true,
    })
    expect(processorSeconds).toBeGreaterThan(0.05)
  },
)
