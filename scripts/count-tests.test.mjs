import { expect, test, vi } from 'vitest'
import { countBrowserTests, countUnitTests, summarise } from './count-tests.mjs'
import { runCommand } from './run-command.mjs'

const unit = { numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, numTodoTests: 1 }

test('unit tests are counted, and a file that does not load is a failure', () => {
  expect(countUnitTests({ ...unit, testResults: [] })).toEqual({ passed: 5, failed: 1, skipped: 3 })
  const testResults = [
    { status: 'failed', assertionResults: [] },
    { status: 'failed', assertionResults: [{}] },
  ]
  expect(countUnitTests({ ...unit, testResults }).failed).toBe(2)
})

test('browser tests are counted, and an error outside them is a failure', () => {
  const stats = { expected: 7, flaky: 1, unexpected: 2, skipped: 3 }
  expect(countBrowserTests({ stats, errors: [{}] })).toEqual({
    passed: 8,
    failed: 3,
    skipped: 3,
    flaky: 1,
  })
})

test('the totals are the sum', () => {
  const counts = [
    { passed: 5, failed: 0, skipped: 0 },
    { passed: 2, failed: 0, skipped: 1, flaky: 1 },
  ]
  expect(summarise(null, counts, 61)).toEqual({
    isPassed: true,
    sentence: 'Everything passed after 61 s. Skipped: 1. Passed only when repeated: 1.',
    totals: '7 passed, 0 failed',
  })
})

test('a run that stopped never looks clean', () => {
  const stopped = summarise('Build', [{ passed: 5, failed: 0, skipped: 0 }], 9)
  expect(stopped).toMatchObject({ isPassed: false, totals: '5 passed, 1 failed' })
  expect(stopped.sentence).toBe('Stopped at "Build" after 9 s.')
  const failing = summarise('Unit tests', [{ passed: 5, failed: 3, skipped: 0 }], 9)
  expect(failing.totals).toBe('5 passed, 3 failed')
})

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
