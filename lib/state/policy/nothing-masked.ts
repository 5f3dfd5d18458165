/** Explains why nothing of the shown conversation is masked, and finds the single change that helps most. */
import { countBy } from '@/lib/core/conversation/add-to-group'
import type { Conversation, ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision, Reason } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import { leastPast } from '@/lib/core/replay/sweep-grid'
import { conversationOf, countsOf } from '../document/selectors'
import { ofShown, optional, select } from '../store'
import { keptTurnNow } from './policy-facts'
import { decisionsOf, placeholderTokensOf } from './policy-view'
import { decideWith } from './shared-inputs'

/** A decision's reason, split further where the remedy differs. */
export type NothingReason =
  | Exclude<Reason, 'masked'>
  | 'no_results'
  | 'window_off'
  | 'before_first_step'
  | 'text_parts'
  | 'without_ids'
  | 'reused_id'

export type NothingLine = NonNullable<ReturnType<typeof explainNothingMasked>>['lines'][number]

/** Undefined if something is masked. */
export function explainNothingMasked(shown: {
  readonly conversation: Pick<Conversation, 'results' | 'turnCount'>
  readonly policy: MaskPolicy
  readonly decisions: readonly Decision[]
  /** Decides under another policy. */
  readonly decideWith: (policy: MaskPolicy) => readonly Decision[] | undefined
}) {
  const { conversation, policy, decisions, decideWith } = shown
  if (decisions.some(({ action }) => action === 'mask')) return undefined
  const { results, turnCount } = conversation
  const counts = countBy([...decisions.entries()], ([index, decision]) =>
    reasonOf(decision, results[index] as ToolResult, turnCount, policy),
  )
  const lines = [...(results.length === 0 ? [['no_results', 0] as const] : counts)]
    .sort(([, a], [, b]) => b - a)
    .map(([reason, count]) => {
      const known = CHANGES[reason]
      const change = typeof known === 'function' ? known(turnCount, policy) : known
      const after = change && decideWith({ ...policy, ...change })
      const masks = after?.filter(({ action }) => action === 'mask').length ?? 0
      // The change lets them be masked, if a setting does, and alone masks as many.
      return { reason, results: count, change, masks }
    })
  /** The line whose change masks most; undefined if no single change masks anything. */
  const best = lines.reduce<(typeof lines)[number] | undefined>(
    (most, line) => (line.masks > (most?.masks ?? 0) ? line : most),
    undefined,
  )
  return { results: results.length, turns: turnCount, lines, best }
}

function reasonOf(
  { reason }: Decision,
  { shape, link, nearest }: ToolResult,
  turns: number,
  policy: MaskPolicy,
): NothingReason {
  if (reason === 'disabled') return policy.enabled ? 'window_off' : 'disabled'
  if (reason === 'in_window' && isBeforeFirstStep(turns, policy)) return 'before_first_step'
  if (reason === 'in_window' && nearest?.turn !== undefined && !policy.nearestCall)
    return 'reused_id'
  if (reason === 'no_call_id' && link !== undefined) return 'without_ids'
  if (reason === 'non_text' && shape === 'text_parts') return 'text_parts'
  return reason as NothingReason
}

function isBeforeFirstStep(turns: number, policy: MaskPolicy): boolean {
  // As nothing is masked, one that moves at break-even has not moved either.
  return turns > policy.windowTurns && keptTurnNow(turns, policy, undefined) === 0
}

/** Half of a short conversation, because a window of one turn would mask what the agent works with. */
function shorterWindow(turns: number, policy: MaskPolicy): Partial<MaskPolicy> | undefined {
  if (turns < 2 || (policy.windowTurns > 0 && turns > policy.windowTurns)) return undefined
  const windowTurns = Math.min(8, Math.floor(turns / 2))
  return leastPast(policy.batchTurns) > turns - windowTurns
    ? { windowTurns, batchTurns: 1 }
    : { windowTurns }
}

type Change = Partial<MaskPolicy> | undefined

const CHANGES: Readonly<
  Record<NothingReason, Change | ((turns: number, policy: MaskPolicy) => Change)>
> = {
  disabled: { enabled: true },
  below_trigger: { triggerTokens: 0 },
  window_off: shorterWindow,
  in_window: shorterWindow,
  before_first_step: { batchTurns: 1 },
  excluded_tool: { excludeTools: [] },
  before_signed_thinking: undefined,
  kept_last_k: { keepLastKPerTool: 0 },
  kept_error: { keepErrors: false },
  text_parts: { textParts: true },
  without_ids: { linkByOrder: true },
  reused_id: { nearestCall: true },
  would_grow: { neverGrow: false },
  no_results: undefined,
  no_call_id: undefined,
  orphan: undefined,
  non_text: undefined,
  already_masked: undefined,
}

/** Undefined if something of the shown conversation is masked, or until it is decided. */
export const nothingMaskedOf = select(
  [
    ({ read }) => read,
    conversationOf,
    ({ policy }) => policy,
    ofShown(decisionsOf),
    optional(ofShown(countsOf)),
    optional(ofShown(placeholderTokensOf)),
  ],
  (read, conversation, policy, decisions, counts, placeholders) =>
    explainNothingMasked({
      conversation,
      policy,
      decisions,
      decideWith: (changed) => decideWith(read, conversation, changed, counts, placeholders),
    }),
)
