import { resultRows, toolTotals } from '@/lib/core/results/result-rows'
import { shownDecisionsOf } from '../costs/request-view'
import { placeholderTokensOf } from '../policy/policy-view'
import { memoizeOf, ofShown, optional, select } from '../store'
import { needsOf } from '../uses/later-uses'
import { conversationOf, countsOf } from './selectors'

/** Rows of all results in the shown request; undefined until they are decided. */
export const resultRowsOf = select(
  [
    conversationOf,
    ofShown(shownDecisionsOf),
    optional((state) => countsOf(state)?.[state.conversation]?.results),
    optional(ofShown(placeholderTokensOf)),
    optional(needsOf),
  ],
  ({ results: all }, decisions, results, placeholders, lostUses) =>
    resultRows(all, decisions, { results, placeholders, lostUses }),
)

/** Totals by tool of the same rows. */
export const toolTotalsOf = memoizeOf(toolTotals)
