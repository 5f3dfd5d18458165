/** What is wrong with the history of the conversation shown, before and after masking. */
import type { HistoryFinding, HistoryRule } from '@/lib/core/integrity/check-history'
import { checkArguments, checkMasking, HISTORY_RULES } from '@/lib/core/integrity/check-history'
import { conversationOf } from '../document/selectors'
import { decisionsOf } from '../policy/policy-view'
import { repairOf } from '../repair/document-repair'
import { ofShown, optional, select } from '../store'

/** All findings by one rule; never empty. */
export interface FindingGroup {
  readonly rule: HistoryRule
  readonly places: readonly HistoryFinding[]
}

/** Groups findings by rule, in display order. */
export function groupFindings(found: readonly HistoryFinding[]): FindingGroup[] {
  return HISTORY_RULES.flatMap((rule) => {
    const places = found.filter((finding) => finding.rule === rule)
    return places.length === 0 ? [] : [{ rule, places }]
  })
}

/** Findings in the history as it is; those about arguments follow when the worker has read them. */
export const historyFindingsOf = select(
  [(state) => state.read?.model.findings[state.conversation], conversationOf, optional(repairOf)],
  (found, conversation, repair): readonly FindingGroup[] => {
    const broken = new Set((repair?.calls ?? []).map(({ span }) => span.start))
    return groupFindings([...found, ...checkArguments(conversation, broken)])
  },
  [],
)

/** Results that stay because signed thinking follows them. */
export const keptBeforeThinkingOf = select(
  [ofShown(decisionsOf)],
  (decisions) => decisions.filter(({ reason }) => reason === 'before_signed_thinking').length,
)

/** Findings that masking adds. */
export const maskingFindingsOf = select(
  [conversationOf, ofShown(decisionsOf), ({ policy }) => policy],
  (conversation, decisions, policy): readonly FindingGroup[] =>
    groupFindings(checkMasking(conversation, decisions, policy)),
  [],
)
