/** What is wrong with the history of the conversation shown, before and after masking. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import {
  checkArguments,
  checkMasking,
  HISTORY_RULES,
  type HistoryFinding,
  type HistoryRule,
} from '@/lib/core/integrity/check-history'
import { type MaskingProof, proveMasking } from '@/lib/core/integrity/prove-masking'
import { maskEdits } from '@/lib/core/mask/mask-document'
import type { Decision } from '@/lib/core/policy/decide'
import type { DocumentRepair } from '@/lib/core/repair/repair-document'
import type { ReadSource } from '../document/document-slice'
import {
  conversationOf,
  type DocumentDecisions,
  decisionsOf,
  outputTextOf,
} from '../document/selectors'
import { memoize } from '../memoize'
import { repairOf } from '../repair/document-repair'
import type { PlaygroundState } from '../store'

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

const history = memoize(
  (
    found: readonly HistoryFinding[],
    conversation: Conversation,
    repair: DocumentRepair | undefined,
  ) => {
    const broken = new Set((repair?.calls ?? []).map(({ location }) => location.start))
    return groupFindings([...found, ...checkArguments(conversation, broken)])
  },
)

const masking = memoize((conversation: Conversation, decisions: readonly Decision[]) =>
  groupFindings(checkMasking(conversation, decisions)),
)

const proof = memoize((read: ReadSource, decisions: DocumentDecisions, output: string) =>
  proveMasking(read.source.text, output, maskEdits(read.model.conversations, decisions)),
)

const NONE: readonly FindingGroup[] = []

/** Findings in the history as it is; those about arguments follow when the worker has read them. */
export function historyFindingsOf(state: PlaygroundState): readonly FindingGroup[] {
  const conversation = conversationOf(state)
  const found = state.read?.model.findings[state.conversation]
  if (conversation === undefined || found === undefined) return NONE
  return history(found, conversation, repairOf(state))
}

/** Findings that masking adds. */
export function maskingFindingsOf(state: PlaygroundState): readonly FindingGroup[] {
  const conversation = conversationOf(state)
  const decisions = decisionsOf(state)?.[state.conversation]
  return conversation === undefined || decisions === undefined
    ? NONE
    : masking(conversation, decisions)
}

/** The comparison of the masked text with its source; undefined until results are decided. */
export function maskingProofOf(state: PlaygroundState): MaskingProof | undefined {
  const decisions = decisionsOf(state)
  const output = outputTextOf(state)
  if (state.read === undefined || decisions === undefined || output === undefined) return undefined
  return proof(state.read, decisions, output)
}
