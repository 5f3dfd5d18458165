import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { type ResultRow, resultRows } from '@/lib/core/results/result-rows'
import { toolTotals } from '@/lib/core/results/tool-totals'
import { shownDecisionsOf } from '../costs/request-view'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { conversationOf, countsOf, placeholderTokensOf } from './selectors'

const rememberedRows = memoize(
  (
    { results }: Conversation,
    decisions: readonly Decision[],
    counted: readonly number[] | undefined,
    placeholders: readonly number[] | undefined,
  ): readonly ResultRow[] => resultRows(results, decisions, { results: counted, placeholders }),
)

/** Rows of all results in the shown request; undefined until they are decided. */
export function resultRowsOf(state: PlaygroundState): readonly ResultRow[] | undefined {
  const at = state.conversation
  const conversation = conversationOf(state)
  const decisions = shownDecisionsOf(state)?.[at]
  if (conversation === undefined || decisions === undefined) return undefined
  const counted = countsOf(state)?.[at]?.results
  return rememberedRows(conversation, decisions, counted, placeholderTokensOf(state)?.[at])
}

/** Totals by tool of the same rows. */
export const toolTotalsOf = memoize(toolTotals)
