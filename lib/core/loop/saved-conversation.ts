/** A conversation to save as a draft: the messages of a built request or a simulation, with their times. */
import { type DatedMessage, isoTime, type RequestMessage } from './request-message'

export interface SavedMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: string
  readonly name?: string
  /** ISO 8601. */
  readonly timestamp?: string
}

/** Writes messages with their times as an indented chat-completions body. */
export function writeSavedConversation(
  messages: readonly DatedMessage[],
  model: string | undefined,
): string {
  const body = { ...(model !== undefined && { model }), messages: messages.map(savedMessage) }
  return `${JSON.stringify(body, null, 2)}\n`
}

/** A message with its keys in the order of a saved conversation, and its time. */
export function savedMessage({ message, at }: DatedMessage): SavedMessage {
  const timestamp = isoTime(at)
  return { ...keysInOrder(message), ...(timestamp !== undefined && { timestamp }) }
}

function keysInOrder(message: RequestMessage): SavedMessage {
  if (message.role === 'assistant') {
    const { role, content, tool_calls } = message
    return { role, content, ...(tool_calls !== undefined && { tool_calls }) }
  }
  if (message.role !== 'tool') return message
  const { role, content, tool_call_id, name } = message
  return { role, content, tool_call_id, name }
}

/** Key of a saved conversation: a 64-bit hash, the same for the same texts. */
export function savedConversationKey(texts: readonly string[]): string {
  const text = JSON.stringify(texts)
  const seeds = [0x811c9dc5, 0x01000193] as const
  return seeds.map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('')
}

/** FNV-1a over UTF-16 units, with a final mix of the bits. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
