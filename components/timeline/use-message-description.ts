import { useTranslations } from 'use-intl'
import { useReasonSentence } from '@/components/messages-view/use-reason-sentence'
import { useDeferredState } from '@/components/playground-context'
import { shownTool } from '@/lib/core/conversation/conversation'
import {
  sentMessagesOf,
  shownConversationOf,
  shownDecisionsOf,
} from '@/lib/state/costs/request-view'
import { messageTokensOf, resultsByMessage } from '@/lib/state/document/message-facts'

export interface MessageDescription {
  /** Reason for the decision on a result; the role of other messages. */
  readonly title: string
  /** Tool, turn and tokens, if known. */
  readonly detail: string
}

/** Description of a message for tooltips and screen readers. */
export function useMessageDescription(): (message: number) => MessageDescription | undefined {
  const t = useTranslations('timeline')
  const reasonSentence = useReasonSentence()
  const conversation = useDeferredState(shownConversationOf)
  const at = useDeferredState((state) => state.conversation)
  const decisions = useDeferredState(shownDecisionsOf)?.[at]
  const tokens = useDeferredState(messageTokensOf)
  const sent = useDeferredState(sentMessagesOf)
  const policy = useDeferredState((state) => state.policy)

  return (index) => {
    const message = conversation?.messages[index]
    if (conversation === undefined || message === undefined) return undefined
    const results = resultsByMessage(conversation)[index] ?? []
    const shown = results[0] ?? -1
    const result = conversation.results[shown]
    const decision = decisions?.[shown]
    const turn = result === undefined ? message.turn : result.turn
    const calls = conversation.calls.reduce((n, call) => (call.message === index ? n + 1 : n), 0)
    const details = [
      shownTool(result),
      turn !== undefined && t('turn', { turn: turn + 1 }),
      calls > 0 && t('calls', { calls }),
      results.length > 1 && t('results', { results: results.length }),
      tokens && tokensText(index),
    ]
    const title =
      index >= sent
        ? t('notSent')
        : result && decision
          ? reasonSentence(decision, result, policy, conversation.turnCount)
          : t(`roles.${roleKey(message.role)}`, { role: message.role })
    return { title, detail: details.filter(Boolean).join(' · ') }
  }

  function tokensText(index: number): string {
    const before = tokens?.before[index] ?? 0
    const after = tokens?.after[index] ?? 0
    const isEstimated = tokens?.isEstimated === true
    if (before === after) return t(isEstimated ? 'tokensEstimated' : 'tokens', { tokens: before })
    return t(isEstimated ? 'tokensChangeEstimated' : 'tokensChange', { before, after })
  }
}

const KNOWN_ROLES = ['system', 'user', 'assistant', 'tool'] as const

function roleKey(role: string): (typeof KNOWN_ROLES)[number] | 'other' {
  return KNOWN_ROLES.find((known) => known === role) ?? 'other'
}
