import { useCallback } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { batchNumber, type MaskPolicy } from '@/lib/core/policy/policy'
import { keptTurnNow } from '@/lib/state/policy/policy-facts'

/** Returns the function that gives the sentence for the reason of a decision, in a conversation of so many turns. */
export function useReasonSentence() {
  const t = useTranslations('reasons')
  const rule = useTranslations('errorRules')
  const { list } = useFormatter()
  return useCallback(
    (
      { reason, keptBy }: Pick<Decision, 'reason' | 'keptBy'>,
      result: Pick<ToolResult, 'turn' | 'toolName' | 'shape'>,
      policy: MaskPolicy,
      turnCount: number,
    ): string => {
      const turn = (result.turn ?? 0) + 1
      const tool = result.toolName ?? '–'
      switch (reason) {
        case 'masked':
          return batchNumber(policy) > 1
            ? t('masked_step', { turn, first: keptTurnNow(turnCount, policy, undefined) + 1 })
            : t(reason, { turn, window: policy.windowTurns })
        case 'in_window':
          return turn > turnCount - policy.windowTurns
            ? t(reason, { turn, window: policy.windowTurns })
            : t('in_window_step', { turn, window: policy.windowTurns, batch: batchNumber(policy) })
        case 'below_trigger':
          return t(reason, { trigger: policy.triggerTokens })
        case 'excluded_tool':
          return t(reason, { tool })
        case 'kept_last_k':
          return t(reason, { k: policy.keepLastKPerTool, tool })
        case 'kept_error':
          return t(reason, { rules: list(keptBy.map((id) => rule(id))) })
        case 'non_text':
          return t(result.shape === 'text_parts' ? 'non_text_parts' : 'non_text')
        case 'disabled':
        case 'no_call_id':
        case 'orphan':
        case 'already_masked':
        case 'would_grow':
        case 'before_signed_thinking':
          return t(reason)
      }
    },
    [t, rule, list],
  )
}
