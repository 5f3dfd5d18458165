/** Histories of chat messages, with tokens that are counted by `countQuarters`. */
import { readDocument } from '../../formats/read-document'
import { createSession } from '../../replay/sessions'
import type { JsonValue } from '../../testing/chat-messages'
import { countQuarters } from '../../testing/policies'
import { countConversation } from '../../tokens/count-conversation'
import { readHistory, type SessionHistory } from '../history'

/** The history of messages; its requests end at these indexes, whatever the message there, or at those that follow from the messages. */
export function testHistory(
  messages: readonly JsonValue[],
  ends?: readonly number[],
): SessionHistory {
  const { conversations } = readDocument(JSON.stringify(messages))
  const [conversation, ...others] = conversations
  if (conversation === undefined || others.length > 0) throw new RangeError('Not one conversation.')
  const own = createSession(conversation, countConversation(conversation, countQuarters))
  const requests = ends?.map((end) => ({ end, turnCount: 0, answer: undefined })) ?? own.requests
  const session = { ...own, requests }
  return readHistory({ session, counted: session }, conversation, countQuarters, [])
}
