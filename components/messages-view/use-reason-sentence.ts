import { useCallback } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import type { ToolResult } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import { batchNumber, type MaskPolicy } from '@/lib/core/policy/policy'
import { isTrying } from '@/lib/state/costs/tried-mechanism'
import { keptTurnNow } from '@/lib/state/policy/policy-facts'
import { useDeferredState } from '../playground-context'

/** Returns the function that gives the sentence for the reason of a decision, in a conversation of so many turns. */
export function useReasonSentence() {
  const t = useTranslations('reasons')
  const rule = useTranslations('errorRules')
  const { list } = useFormatter()
  const isTried = useDeferredState(isTrying)
  return useCallback(
    (
      { reason, keptBy }: Pick<Decision, 'reason' | 'keptBy'>,
      result: Pick<ToolResult, 'turn' | 'toolName' | 'shape'>,
      policy: MaskPolicy,
      turnCount: number,
    ): string => {
      const turn = (result.turn ?? 0) + 1
      const { windowTurns: window, triggerTokens: trigger, keepLastKPerTool: k } = policy
      const batch = batchNumber(policy)
      const values = {
        ...{ turn, window, batch, trigger, k, tool: result.toolName ?? '–' },
        first: keptTurnNow(turnCount, policy, undefined) + 1,
        rules: list(keptBy.map((id) => rule(id))),
      }
      if (isTried && reason === 'masked') return t('by_mechanism')
      if (isTried && reason === 'disabled') return t('kept_by_mechanism')
      if (reason === 'masked' && batch > 1) return t('masked_step', values)
      if (reason === 'in_window' && turn <= turnCount - window) return t('in_window_step', values)
      if (reason === 'non_text' && result.shape === 'text_parts') return t('non_text_parts')
      return t(reason, values)
    },
    [t, rule, list, isTried],
  )
}
