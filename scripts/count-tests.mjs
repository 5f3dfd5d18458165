/** Counts of Vitest's JSON report; a file that could not be loaded is one failure. */
export function countUnitTests(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Counts of Playwright's JSON report; an error outside every test is one failure. */
export function countBrowserTests(report) {
  const { expected, flaky, unexpected, skipped } = report.stats
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped, flaky }
}

/**
 * Returns a readable sentence and the totals line. A stage that failed without a failing test (lint,
 * types, build) counts as one failure, so that the totals never hide a failure.
 */
export function summarise(failedStage, counts, seconds) {
  const sum = (key) => counts.reduce((total, count) => total + (count[key] ?? 0), 0)
  const failed = failedStage !== null && sum('failed') === 0 ? 1 : sum('failed')
  const isPassed = failedStage === null && failed === 0
  const skipped = sum('skipped') === 0 ? '' : ` Skipped: ${sum('skipped')}.`
  const flaky = sum('flaky') === 0 ? '' : ` Passed only when repeated: ${sum('flaky')}.`
  const result = isPassed ? 'Everything passed' : `Stopped at "${failedStage ?? 'the counts'}"`
  return {
    isPassed,
    sentence: `${result} after ${seconds} s.${skipped}${flaky}`,
    totals: `${sum('passed')} passed, ${failed} failed`,
  }
}
