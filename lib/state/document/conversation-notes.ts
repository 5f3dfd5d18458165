import type { Conversation } from '@/lib/core/conversation/conversation'
import { memoize } from '../select'

/** Something unusual in a conversation that affects counting or masking. */
export interface ConversationNote {
  readonly kind: 'non_text' | 'repeated'
  readonly count: number
  /** Indices of its messages, in order. */
  readonly messages: readonly number[]
}

/** Parts that are not text, and results with duplicates; each kind once. */
export const conversationNotes = memoize(
  ({ messages, results }: Conversation): readonly ConversationNote[] => {
    const nonText = messages.flatMap(({ nonTextParts }, index) => (nonTextParts > 0 ? [index] : []))
    const repeated = results.flatMap(({ duplicates, message }) => (duplicates > 0 ? [message] : []))
    const nonTextParts = messages.reduce((total, message) => total + message.nonTextParts, 0)
    const all: ConversationNote[] = [
      { kind: 'non_text', count: nonTextParts, messages: nonText },
      { kind: 'repeated', count: repeated.length, messages: [...new Set(repeated)] },
    ]
    return all.filter(({ count }) => count > 0)
  },
)
