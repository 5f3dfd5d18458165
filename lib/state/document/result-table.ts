import { resultRows, toolTotals } from '@/lib/core/results/result-rows'
import { shownDecisionsOf } from '../costs/request-view'
import { lostUsesOf, placeholderTokensOf } from '../policy/policy-view'
import { memoize, optional, select } from '../select'
import { conversationOf, countsOf } from './selectors'

/** Rows of all results in the shown request; undefined until they are decided. */
export const resultRowsOf = select(
  [
    conversationOf,
    (state) => shownDecisionsOf(state)?.[state.conversation],
    optional((state) => countsOf(state)?.[state.conversation]?.results),
    optional((state) => placeholderTokensOf(state)?.[state.conversation]),
    optional(lostUsesOf),
  ],
  ({ results: all }, decisions, results, placeholders, lostUses) =>
    resultRows(all, decisions, { results, placeholders, lostUses }),
)

/** Totals by tool of the same rows. */
export const toolTotalsOf = memoize(toolTotals)
