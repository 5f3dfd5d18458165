/**
 * Results that a later one supersedes give way before results that are merely old: of calls of the same tool with the same
 * arguments, and of reads of the same file, the newest stays. They are cleared once together they save enough.
 */

import { memoizeFor } from '../memoize-for'
import { isJsonObject, parseJson } from '../text/json'
import {
  CLEARED_TEXT,
  callOf,
  clearResults,
  isError,
  resultsBefore,
  withMore,
} from './clear-results'
import { positionsOf, type SessionHistory } from './history'
import { namesOf, numberOf } from './mechanism'
import { defineMechanism } from './mechanism-table'
import { savedTokens } from './run-mechanism'

/** Names of the argument that says which file a call reads. */
const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'target_file', 'filename', 'file']

export const supersededFirst = defineMechanism<readonly number[]>(
  'superseded-first',
  [],
  ({ history, end }, state, settings) => {
    const results = resultsBefore(history, end, namesOf(settings, 'exclude_tools'))
    const supersededAt = supersessions(history)
    const saved = (at: number) => savedTokens(history, at, { content: CLEARED_TEXT })
    const cleared = new Set(state)
    const open = results.filter((at) => !cleared.has(at) && saved(at) > 0)
    const isSuperseded = (at: number) => (supersededAt[at] ?? end) < end
    const kept = results[Math.max(0, results.length - numberOf(settings, 'keep'))] ?? end
    const least = numberOf(settings, 'clear_at_least')
    const chosen = open.filter(isSuperseded)
    let more = chosen.reduce((sum, at) => sum + saved(at), 0)
    for (const at of open) {
      if (more >= least || at >= kept || isSuperseded(at)) continue
      chosen.push(at)
      more += saved(at)
    }
    const tokens = state.reduce((sum, at) => sum - saved(at), history.prefixTokens[end] as number)
    const isEnough = chosen.length > 0 && more >= least
    const isTriggered = tokens >= numberOf(settings, 'trigger_tokens')
    const now = isEnough && isTriggered ? withMore(state, chosen) : state
    return { state: now, edits: clearResults(history, now, CLEARED_TEXT) }
  },
)

/** By position of a result: that of the first later one that supersedes it. */
function supersessions(history: SessionHistory): readonly (number | undefined)[] {
  return memoizeFor(history, supersessions, () => {
    const found: (number | undefined)[] = []
    const next = new Map<string, number>()
    for (const at of positionsOf(history, 'tool').toReversed()) {
      const asked = callOf(history, at)
      const call = asked && history.messages[asked.at]?.calls[asked.position]
      if (call === undefined) continue
      const value = parseJson(call.arguments)
      const values = isJsonObject(value) ? value : { written: call.arguments }
      const path = PATHS.map((name) => values[name]).find((value) => typeof value === 'string')
      const same = `same ${call.name} ${JSON.stringify(Object.entries(values).sort())}`
      const file = `file ${call.name} ${path}`
      const later = [next.get(same), path === undefined ? undefined : next.get(file)]
      const first = Math.min(...later.filter((one) => one !== undefined))
      if (Number.isFinite(first)) found[at] = first
      if (isError(history, at)) continue
      next.set(same, at)
      // A read of a whole file supersedes those of its parts.
      if (path !== undefined && Object.keys(values).length === 1) next.set(file, at)
    }
    return found
  })
}
