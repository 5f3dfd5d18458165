import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { type ResultRow, resultRows } from '@/lib/core/results/result-rows'
import { toolTotals } from '@/lib/core/results/tool-totals'
import type { LosableUse } from '@/lib/core/uses/lost-uses'
import { shownDecisionsOf } from '../costs/request-view'
import { memoize } from '../memoize'
import type { PlaygroundState } from '../store'
import { lostUsesOf } from '../uses/later-uses'
import { conversationOf, countsOf, placeholderTokensOf } from './selectors'

const rememberedRows = memoize(
  (
    { results }: Conversation,
    decisions: readonly Decision[],
    counted: readonly number[] | undefined,
    placeholders: readonly number[] | undefined,
    lostUses: readonly LosableUse[] | undefined,
  ): readonly ResultRow[] =>
    resultRows(results, decisions, { results: counted, placeholders, lostUses }),
)

/** Rows of all results in the shown request; undefined until they are decided. */
export function resultRowsOf(state: PlaygroundState): readonly ResultRow[] | undefined {
  const at = state.conversation
  const conversation = conversationOf(state)
  const decisions = shownDecisionsOf(state)?.[at]
  if (conversation === undefined || decisions === undefined) return undefined
  const counted = countsOf(state)?.[at]?.results
  const placeholders = placeholderTokensOf(state)?.[at]
  return rememberedRows(conversation, decisions, counted, placeholders, lostUsesOf(state))
}

/** Totals by tool of the same rows. */
export const toolTotalsOf = memoize(toolTotals)
