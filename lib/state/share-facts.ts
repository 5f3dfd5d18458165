/** What exports and presets are made from: the policy, and the conversation shown. */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { Decision } from '@/lib/core/policy/decide'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { ExportInput } from '@/lib/core/share/exports/export-target'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'
import { remembered } from './remembered'
import { conversationOf, countsOf, decisionsOf } from './selectors'
import type { PlaygroundState } from './store'

const exportInput = remembered(
  (
    policy: MaskPolicy,
    conversation: Conversation | undefined,
    decisions: readonly Decision[] | undefined,
    fileName: string,
  ): ExportInput => ({
    policy,
    shown: conversation && decisions && { conversation, decisions },
    fileName: fileName === '' ? 'run.json' : fileName,
  }),
)

/** The policy with the conversation shown, for its exports. */
export function exportInputOf(state: PlaygroundState): ExportInput {
  const decisions = decisionsOf(state)?.[state.conversation]
  return exportInput(state.policy, conversationOf(state), decisions, state.read?.source.name ?? '')
}

const turnTokens = remembered(
  ({ results, turnCount }: Conversation, counts: ConversationCounts): readonly number[] => {
    const turns = Array.from({ length: turnCount }, () => 0)
    for (const [index, { turn }] of results.entries()) {
      if (turn !== undefined) turns[turn] = (turns[turn] as number) + (counts.results[index] ?? 0)
    }
    return turns
  },
)

/** Tokens of the results of each turn of the conversation shown; undefined until they are counted. */
export function turnTokensOf(state: PlaygroundState): readonly number[] | undefined {
  const conversation = conversationOf(state)
  const counts = countsOf(state)?.[state.conversation]
  return conversation && counts && turnTokens(conversation, counts)
}
