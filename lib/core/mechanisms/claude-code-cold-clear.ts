/**
 * What is publicly known of how Claude Code clears old results when the cache has expired. It is closed source; in April 2026
 * it was reported to be off unless the server turns it on, and results of MCP tools to be left alone.
 */
import { CLEARED_TEXT, clearedPicture, resultsBefore } from './clear-results'
import { positionsOf, type SessionHistory } from './history'
import { isOn, type Mechanism, namesOf, numberOf } from './mechanism'

const TOOLS = ['Read', 'Bash', 'Grep', 'Glob', 'WebSearch', 'WebFetch', 'Edit', 'Write']

export const claudeCodeColdClear: Mechanism<readonly number[]> = {
  id: 'claude-code-cold-clear',
  rows: [
    { key: 'enabled', value: false, tried: [true] },
    { key: 'gapThresholdMinutes', value: 60, tried: [5, 60] },
    { key: 'keepRecent', value: 5, tried: [1, 5, 10, 20], least: 1 },
    { key: 'tools', value: TOOLS },
  ],
  source: { url: 'https://github.com/tetsuo-ai/agenc-core/pull/463', read: '2026-11' },
  start: [],
  step: ({ history, end, request }, state, settings) => {
    const gap = minutesBefore(history, end, request)
    if (!isOn(settings, 'enabled') || !(gap > numberOf(settings, 'gapThresholdMinutes')))
      return { state, picture: clearedPicture(history, state, CLEARED_TEXT) }
    const tools = namesOf(settings, 'tools')
    const candidates = resultsBefore(history, end).filter(
      (at) => tools.length === 0 || tools.includes(history.messages[at]?.toolName ?? ''),
    )
    const old = candidates.slice(0, -Math.max(1, numberOf(settings, 'keepRecent')))
    const isMore = old.some((at) => !state.includes(at))
    const cleared = isMore ? [...new Set([...state, ...old])].sort((a, b) => a - b) : state
    return { state: cleared, picture: clearedPicture(history, cleared, CLEARED_TEXT) }
  },
}

/** Minutes from the last answer until a request is sent; NaN if a time is missing. */
function minutesBefore(
  { session, messages, ...rest }: SessionHistory,
  end: number,
  request: number,
): number {
  const answers = positionsOf({ session, messages, ...rest }, 'assistant')
  const last = answers.filter((at) => at < end).at(-1)
  const written = session.conversation.messages[messages[last ?? -1]?.message ?? -1]?.writtenAt
  const sentAt = session.requests[request]?.sentAt
  return ((sentAt ?? Number.NaN) - (written ?? Number.NaN)) / 60_000
}
