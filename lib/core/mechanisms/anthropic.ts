/**
 * What the Claude API does to long prompts: it clears tool uses, or replaces all before a point by a summary. Not documented,
 * and chosen here: the text in place of a cleared result, that excluded tools count among those kept, and that a client's
 * later requests are cleared where earlier ones were. `boundary: moves` clears each request by itself instead.
 */

import { memoizeFor } from '../memoize-for'
import {
  CLEARED_TEXT,
  callOf,
  clearResults,
  firstOf,
  positionsBefore,
  resultsBefore,
} from './clear-results'
import type { SessionHistory } from './history'
import { isOn, type Mechanism, namesOf, numberOf, type Settings } from './mechanism'
import { defineMechanism } from './mechanism-table'
import { savedTokens } from './run-mechanism'
import { summarised } from './summary'

/** The state is how many of the results that can be cleared are cleared. */
export const anthropicClearToolUses = defineMechanism<number>(
  'anthropic-clear-tool-uses',
  0,
  ({ history, end }, before, settings) => {
    const cleared = settings.boundary === 'moves' ? 0 : before
    const { results, saved } = clearable(history, settings)
    const uses = resultsBefore(history, end)
    const tokens = (history.prefixTokens[end] as number) - (saved[cleared] as number)
    const mostUses = numberOf(settings, 'trigger.tool_uses')
    const mostTokens = numberOf(settings, 'trigger.input_tokens')
    const isTriggered = mostUses > 0 ? uses.length > mostUses : tokens > mostTokens
    const keep = numberOf(settings, 'keep')
    const kept = uses[uses.length - keep] ?? (keep > 0 ? 0 : end)
    const { length: old } = positionsBefore(results, kept)
    const more = (saved[Math.max(old, cleared)] as number) - (saved[cleared] as number)
    const isCleared = isTriggered && old > cleared && more >= numberOf(settings, 'clear_at_least')
    const state = isCleared ? old : cleared
    const isEmptied = isOn(settings, 'clear_tool_inputs')
    return { state, edits: clearResults(history, firstOf(results, state), CLEARED_TEXT, isEmptied) }
  },
)

/** The results that can be cleared, ascending, and by number of them what clearing the first ones saves. */
function clearable(history: SessionHistory, settings: Settings) {
  const excluded = namesOf(settings, 'exclude_tools')
  const isEmptied = isOn(settings, 'clear_tool_inputs')
  return memoizeFor(history, `clearable ${isEmptied} ${excluded.join('\n')}`, () => {
    const results = resultsBefore(history, history.messages.length, excluded)
    const saved = [0]
    for (const at of results) {
      const call = isEmptied ? callOf(history, at) : undefined
      const inputs = call && savedTokens(history, call.at, { calls: { [call.position]: '{}' } })
      const own = savedTokens(history, at, { content: CLEARED_TEXT })
      saved.push((saved.at(-1) as number) + own + (inputs ?? 0))
    }
    return { results, saved }
  })
}

/** All of a request but the system prompt becomes a summary once it has so many tokens. */
const compacting =
  (
    triggerOf: (settings: Settings) => number,
  ): Mechanism<{
    /** Of the first message that is not summarised. */ readonly from: number
  }>['step'] =>
  ({ history, end, sentTokens }, state, settings) => {
    const summaryTokens = numberOf(settings, 'summary_tokens')
    const head = history.messages.findIndex(({ role }) => role !== 'system')
    const [before = 0, after = 0] = [head, state.from].map((at) => history.prefixTokens[at])
    const saved = state.from <= head ? 0 : after - before - summaryTokens
    const inputTokens = (history.prefixTokens[end] as number) - saved
    const hasMore = head !== -1 && end > Math.max(head, state.from)
    if (inputTokens < triggerOf(settings) || !hasMore)
      return { state, edits: summarised(history, head, state.from, summaryTokens) }
    const cachedTokens = Math.min(sentTokens, inputTokens)
    return {
      state: { from: end },
      edits: summarised(history, head, end, summaryTokens),
      extra: { inputTokens, outputTokens: summaryTokens, cachedTokens },
    }
  }

export const anthropicCompact = defineMechanism(
  'anthropic-compact',
  { from: 0 },
  compacting((settings) => numberOf(settings, 'trigger')),
)

/** Claude Code keeps 20,000 tokens of the window for the summary and 13,000 more; a share of the rest can only lower that. */
export const claudeCodeCompact = defineMechanism(
  'claude-code-compact',
  { from: 0 },
  compacting((settings) => {
    const rest = numberOf(settings, 'CLAUDE_CODE_AUTO_COMPACT_WINDOW') - 20_000
    const percent = numberOf(settings, 'CLAUDE_AUTOCOMPACT_PCT_OVERRIDE') || 100
    return Math.min(rest - 13_000, Math.floor((rest * percent) / 100))
  }),
)
