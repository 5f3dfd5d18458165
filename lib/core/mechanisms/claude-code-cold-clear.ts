/**
 * What is publicly known of how Claude Code clears old results when the cache has expired. It is closed source; in April 2026
 * it was reported to be off unless the server turns it on, and results of MCP tools to be left alone.
 */
import { CLEARED_TEXT, clearResults, resultsBefore, withMore } from './clear-results'
import { positionsOf, type SessionHistory } from './history'
import { isOn, namesOf, numberOf } from './mechanism'
import { defineMechanism } from './mechanism-table'

export const claudeCodeColdClear = defineMechanism<readonly number[]>(
  'claude-code-cold-clear',
  [],
  ({ history, end, request }, state, settings) => {
    const gap = minutesBefore(history, end, request)
    if (!isOn(settings, 'enabled') || !(gap > numberOf(settings, 'gapThresholdMinutes')))
      return { state, edits: clearResults(history, state, CLEARED_TEXT) }
    const tools = namesOf(settings, 'tools')
    const candidates = resultsBefore(history, end).filter(
      (at) => tools.length === 0 || tools.some((one) => one === history.messages[at]?.toolName),
    )
    const old = candidates.slice(0, -Math.max(1, numberOf(settings, 'keepRecent')))
    const more = old.filter((at) => !state.includes(at))
    const cleared = withMore(state, more)
    return { state: cleared, edits: clearResults(history, cleared, CLEARED_TEXT) }
  },
)

/** Minutes from the last answer until a request is sent; NaN if a time is missing. */
function minutesBefore(history: SessionHistory, end: number, request: number): number {
  const { session, messages } = history
  const last = positionsOf(history, 'assistant').findLast((at) => at < end)
  const written = session.conversation.messages[messages[last ?? -1]?.message ?? -1]?.writtenAt
  const sentAt = session.requests[request]?.sentAt
  return ((sentAt ?? Number.NaN) - (written ?? Number.NaN)) / 60_000
}
