import { useCallback } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ToolResult } from '@/lib/core/conversation/conversation'
import { type Decision, firstKeptTurn } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'

/** Returns the sentence for the reason of a decision. */
export type ReasonSentence = (
  decision: Pick<Decision, 'reason' | 'keptBy'>,
  result: Pick<ToolResult, 'turn' | 'toolName' | 'shape'>,
  policy: MaskPolicy,
  /** Number of turns in the conversation. */
  turnCount: number,
) => string

export function useReasonSentence(): ReasonSentence {
  const t = useTranslations('reasons')
  const rule = useTranslations('errorRules')
  const { list } = useFormatter()
  return useCallback(
    (decision, result, policy, turnCount) => {
      const turn = (result.turn ?? 0) + 1
      const tool = result.toolName ?? '–'
      const { reason } = decision
      switch (reason) {
        case 'masked':
          return policy.batchTurns > 1
            ? t('masked_step', { turn, first: firstKeptTurn(turnCount, policy) + 1 })
            : t(reason, { turn, window: policy.windowTurns })
        case 'in_window':
          return turn > turnCount - policy.windowTurns
            ? t(reason, { turn, window: policy.windowTurns })
            : t('in_window_step', { turn, window: policy.windowTurns, batch: policy.batchTurns })
        case 'below_trigger':
          return t(reason, { trigger: policy.triggerTokens })
        case 'excluded_tool':
          return t(reason, { tool })
        case 'kept_last_k':
          return t(reason, { k: policy.keepLastKPerTool, tool })
        case 'kept_error':
          return t(reason, { rules: list(decision.keptBy.map((id) => rule(id))) })
        case 'non_text':
          return t(result.shape === 'text_parts' ? 'non_text_parts' : 'non_text')
        case 'disabled':
        case 'no_call_id':
        case 'orphan':
        case 'already_masked':
        case 'would_grow':
          return t(reason)
      }
    },
    [t, rule, list],
  )
}
