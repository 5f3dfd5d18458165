/**
 * Messages as a request of chat completions holds them: https://platform.openai.com/docs/api-reference/chat/create
 * Written anew from what a transcript has: other keys (times, thinking, names of speakers) and parts that are no text
 * are left out, since providers refuse keys they do not know.
 */
import { argumentsText, isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'

/** A message as it stands in a transcript. */
export type ChatMessage = Readonly<Record<string, unknown>>

export interface TextPart {
  readonly type: 'text'
  readonly text: string
}

export type RequestContent = string | readonly TextPart[]

export interface RequestCall {
  readonly id: string
  readonly type: 'function'
  readonly function: { readonly name: string; readonly arguments: string }
}

export interface PlainMessage {
  readonly role: 'system' | 'developer' | 'user'
  readonly content: RequestContent
}

export interface AssistantMessage {
  readonly role: 'assistant'
  /** Null only beside calls. */
  readonly content: RequestContent | null
  readonly tool_calls?: readonly RequestCall[]
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly name: string
  readonly content: RequestContent
}

export type RequestMessage = PlainMessage | AssistantMessage | ToolMessage

/** A message and when it was written, in milliseconds since 1970; undefined where the transcript does not say. */
export interface DatedMessage {
  readonly message: RequestMessage
  readonly at: number | undefined
}

/** The calls an assistant's message makes, as they stand there. */
export function callsIn({ role, tool_calls: calls }: ChatMessage): ChatMessage[] {
  return role === 'assistant' && Array.isArray(calls) ? calls.filter(isJsonObject) : []
}

export function timeOf({ timestamp, created_at, createdAt }: ChatMessage): number | undefined {
  return readTime(timestamp ?? created_at ?? createdAt)
}

/** What a message says: a text, or the parts of it that are texts; an empty text where it says nothing. */
export function contentOf(content: unknown): RequestContent {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  const parts = content.flatMap((part): TextPart[] =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
      ? [{ type: 'text', text: part.text }]
      : [],
  )
  return parts.length === 0 ? '' : parts
}

/** What a tool gave: texts as they are, any other value as JSON, nothing as an empty text. */
export function resultContentOf(content: unknown): RequestContent {
  if (content === null || content === undefined) return ''
  const own = contentOf(content)
  const isText = typeof content === 'string' || (Array.isArray(content) && own !== '')
  return isText ? own : JSON.stringify(content)
}

/** A call as it stands, under an id of its own; no name is `unknown`, no arguments are an empty object. */
export function requestCall(call: ChatMessage, id: string): RequestCall {
  const inner = isJsonObject(call.function) ? call.function : undefined
  const name = inner === undefined ? (call.function ?? call.name) : inner.name
  const written = argumentsText(inner === undefined ? call.arguments : inner.arguments)
  return {
    id,
    type: 'function',
    function: {
      name: usableId(name) ?? 'unknown',
      arguments: written.trim() === '' ? '{}' : written,
    },
  }
}
