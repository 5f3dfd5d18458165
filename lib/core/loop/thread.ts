/** A thread: messages with their times, as they are kept of a built request or a run. */
import type { DatedMessage, RequestMessage } from './request-message'

interface ThreadMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_calls?: unknown
  readonly tool_call_id?: string
  readonly name?: string
  /** ISO 8601. */
  readonly timestamp?: string
}

/** A thread as JSON text, laid out over lines: a body of chat completions whose messages bear their times. */
export function writeThread(messages: readonly DatedMessage[], model: string | undefined): string {
  const body = { ...(model !== undefined && { model }), messages: messages.map(threadMessage) }
  return `${JSON.stringify(body, null, 2)}\n`
}

function threadMessage({ message, at }: DatedMessage): ThreadMessage {
  return {
    ...keysInOrder(message),
    ...(at !== undefined && Math.abs(at) <= LATEST_TIME && { timestamp: isoTime(at) }),
  }
}

/** Of what a date can hold. */
const LATEST_TIME = 8.64e15

function isoTime(at: number): string {
  return new Date(at).toISOString()
}

function keysInOrder(message: RequestMessage): ThreadMessage {
  if (message.role === 'assistant') {
    const { role, content, tool_calls } = message
    return { role, content, ...(tool_calls !== undefined && { tool_calls }) }
  }
  if (message.role !== 'tool') return message
  const { role, content, tool_call_id, name } = message
  return { role, content, tool_call_id, name }
}

/** A name for a thread that is the same whenever the texts it is known by are: 64 bits of their hash. */
export function threadKey(texts: readonly string[]): string {
  const text = JSON.stringify(texts)
  const seeds = [0x811c9dc5, 0x01000193] as const
  return seeds.map((seed) => hash(text, seed).toString(16).padStart(8, '0')).join('')
}

/** FNV-1a over UTF-16 units, with a last mixing of the bits. */
function hash(text: string, seed: number): number {
  let value = seed
  for (let at = 0; at < text.length; at++) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  return (value ^ (value >>> 13)) >>> 0
}
