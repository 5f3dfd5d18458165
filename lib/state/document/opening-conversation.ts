/**
 * Chooses the conversation that a document opens at. If the conversations are parts of one session (requests that
 * repeat earlier ones, or contexts between compactions), it is the longest that is not secondary. If they are
 * separate sessions, it is the first.
 */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { FormatId } from '@/lib/core/formats/reading/format'
import type { DocumentModel } from '@/lib/worker/jobs'
import { memoize } from '../select'

export interface OpeningConversation {
  readonly conversation: number
  readonly because: 'only' | 'first' | 'longest'
}

type Facts = Pick<DocumentModel, 'format' | 'evidence' | 'conversations'>

/** Formats whose files each contain one session. */
const ONE_SESSION: readonly FormatId[] = [
  'claude-code',
  'codex',
  'pi',
  'copilot-cli',
  'langfuse',
  'opentelemetry',
]

export const openingConversationOf = memoize((model: Facts): OpeningConversation => {
  const { conversations } = model
  if (conversations.length < 2) return { conversation: 0, because: 'only' }
  if (!isOneSession(model)) return { conversation: 0, because: 'first' }
  const hasOwn = conversations.some(({ isSecondary }) => isSecondary !== true)
  const longest = conversations.reduce<number | undefined>((best, conversation, index) => {
    if (hasOwn && conversation.isSecondary === true) return best
    if (best === undefined) return index
    const { length } = (conversations[best] as Conversation).messages
    return conversation.messages.length > length ? index : best
  }, undefined)
  return { conversation: longest ?? 0, because: 'longest' }
})

function isOneSession({ format, evidence, conversations }: Facts): boolean {
  if (evidence.shape === 'har' || ONE_SESSION.includes(format)) return true
  return conversations.some((conversation, index) => {
    const before = conversations[index - 1]
    return before !== undefined && beginsWith(conversation, before)
  })
}

/**
 * True if a conversation starts with all messages of another, judged by roles and lengths, because the page has no
 * texts.
 */
function beginsWith({ messages }: Conversation, before: Conversation): boolean {
  const { length } = before.messages
  if (length === 0 || messages.length <= length) return false
  return before.messages.every(
    ({ role, chars }, at) => messages[at]?.role === role && messages[at]?.chars === chars,
  )
}
