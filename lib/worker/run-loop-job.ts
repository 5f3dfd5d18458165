import type { ReadConversation } from '@/lib/core/conversation/conversation'
import { inspectLoops } from '@/lib/core/loop/inspect-loops'
import type { InspectOptions, LoopReport } from '@/lib/core/loop/loop-report'
import { createMendArguments } from '@/lib/core/loop/mend-arguments'
import type { ConversationCounts } from '@/lib/core/tokens/count-conversation'

export type RunLoopJob = (conversation: number, options: InspectOptions) => LoopReport | undefined

/** Inspects the conversations of a counted document; arguments mended once are not mended again. */
export function createLoopRunner(
  conversations: readonly ReadConversation[],
  counts: readonly ConversationCounts[],
  countTokens: (text: string) => number,
): RunLoopJob {
  const mend = createMendArguments()
  return (at, options) => {
    const [conversation, own] = [conversations[at], counts[at]]
    if (conversation === undefined || own === undefined) return undefined
    return inspectLoops(conversation, own, countTokens, mend, options)
  }
}
