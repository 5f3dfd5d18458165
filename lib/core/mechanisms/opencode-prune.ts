/**
 * `prune` of opencode, which is off by default. It runs when the agent has answered a message of the user, so that its effect
 * is seen from the next message on; what it cleared stays so.
 */
import {
  CLEARED_TEXT,
  clearResults,
  isError,
  lastUserMessage,
  resultsBefore,
} from './clear-results'
import { type HistoryMessage, positionsOf, type SessionHistory } from './history'
import { isOn, namesOf, numberOf, type Settings } from './mechanism'
import { defineMechanism } from './mechanism-table'

interface State {
  /** Messages that were there when it last ran. */
  readonly end: number
  readonly cleared: readonly number[]
}

export const opencodePrune = defineMechanism<State>(
  'opencode-prune',
  { end: 0, cleared: [] },
  ({ history, end }, state, settings) => {
    let { cleared } = state
    const asked = positionsOf(history, 'user').filter((at) => at >= state.end && at < end)
    if (isOn(settings, 'prune'))
      for (const at of asked) cleared = pruned(history, at, cleared, settings)
    return { state: { end, cleared }, edits: clearResults(history, cleared, CLEARED_TEXT) }
  },
)

/** What is cleared after a run over the messages before a position. */
function pruned(
  history: SessionHistory,
  end: number,
  cleared: readonly number[],
  settings: Settings,
): readonly number[] {
  const boundary = lastUserMessage(history, end, 2) ?? 0
  const newest = cleared.at(-1) ?? -1
  const found: number[] = []
  let [total, saved] = [0, 0]
  const tools = namesOf(settings, 'PRUNE_PROTECTED_TOOLS')
  for (const at of resultsBefore(history, boundary, tools).toReversed()) {
    if (at <= newest) break
    if (isError(history, at)) continue
    const tokens = Math.round((history.messages[at] as HistoryMessage).content.length / 4)
    total += tokens
    if (total <= numberOf(settings, 'PRUNE_PROTECT')) continue
    saved += tokens
    found.push(at)
  }
  return saved > numberOf(settings, 'PRUNE_MINIMUM') ? [...cleared, ...found.reverse()] : cleared
}
