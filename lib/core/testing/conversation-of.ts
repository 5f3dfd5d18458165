import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import type { JsonValue } from './chat-messages'

type JsonObject = Readonly<Record<string, JsonValue>>

/** Returns the messages of a turn with one call and its result. */
export function turnOf(id: string, content: JsonValue, name = 'read', text = '{}'): JsonObject[] {
  return [
    { role: 'assistant', content: null, tool_calls: [{ id, function: { name, arguments: text } }] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

/** Reads a list of messages as a conversation. */
export function conversationOf(messages: readonly JsonValue[]): ReadConversation {
  const [conversation] = readDocument(JSON.stringify(messages)).conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}
