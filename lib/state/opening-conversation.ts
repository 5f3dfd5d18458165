/**
 * At which of a document's conversations the page opens: the one rule for all formats.
 * Where they belong to one session, each with a part of it, that is the longest, since most of the session is in it:
 * requests of a trace or a network panel that repeat those before, and contexts between compactions. Conversations of
 * agents the session started are passed over. Where they are sessions of their own, it is the first.
 */
import type { Conversation } from '@/lib/core/conversation/conversation'
import type { FormatId } from '@/lib/core/formats/format'
import type { DocumentModel } from '@/lib/worker/protocol'
import { remembered } from './remembered'

export interface Opening {
  /** Its index. */
  readonly conversation: number
  readonly because: 'only' | 'first' | 'longest'
}

type Facts = Pick<DocumentModel, 'format' | 'evidence' | 'conversations'>

/** Formats that keep one session a file, or every request of one. */
const ONE_SESSION: readonly FormatId[] = ['claude-code', 'codex', 'langfuse', 'opentelemetry']

export const openingOf = remembered((model: Facts): Opening => {
  const { conversations } = model
  if (conversations.length < 2) return { conversation: 0, because: 'only' }
  if (!isOneSession(model)) return { conversation: 0, because: 'first' }
  const hasOwn = conversations.some(({ isAside }) => isAside !== true)
  const longest = conversations.reduce<number | undefined>((best, conversation, index) => {
    if (hasOwn && conversation.isAside === true) return best
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

/** Whether a conversation goes on from another: told by roles and lengths, since the page has no texts. */
function beginsWith({ messages }: Conversation, before: Conversation): boolean {
  const { length } = before.messages
  if (length === 0 || messages.length <= length) return false
  return before.messages.every(
    ({ role, chars }, at) => messages[at]?.role === role && messages[at]?.chars === chars,
  )
}
