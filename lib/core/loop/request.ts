/**
 * Messages of a chat-completions request:
 * https://platform.openai.com/docs/api-reference/chat/create. They are rebuilt from a transcript: other keys (times,
 * thinking, speaker names) and non-text parts are omitted, since providers reject unknown keys.
 */
import { argumentsText } from '../conversation/chat-message'
import { readTime } from '../conversation/conversation'
import { nonEmptyString } from '../conversation/link-messages'
import { hashOf } from '../text/hash-of'
import { isJsonObject, parseJson } from '../text/json'

/** A message as found in a transcript. */
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
  /** Null only together with calls. */
  readonly content: RequestContent | null
  readonly tool_calls?: readonly RequestCall[]
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly name: string
  readonly content: RequestContent
  /** ISO 8601. */
  readonly timestamp?: string
}

export type RequestMessage = PlainMessage | AssistantMessage | ToolMessage

/** A message and its time, in milliseconds since 1970; undefined if the transcript has none. */
export interface DatedMessage {
  readonly message: RequestMessage
  readonly at: number | undefined
}

/** A result as JSON text with its time, else with `now`; other messages unchanged. */
export function datedResult({ message, at }: DatedMessage, now?: number): RequestMessage {
  if (message.role !== 'tool') return message
  const timestamp = isoTime(at ?? now)
  const text = plainTextOf(message.content)
  const content = parseJson(text) === undefined ? JSON.stringify(text) : text
  return { ...message, content, ...(timestamp !== undefined && { timestamp }) }
}

/** The text of a content, its parts joined. */
export function plainTextOf(content: RequestContent): string {
  return typeof content === 'string' ? content : content.map((part) => part.text).join('')
}

/** Latest time a `Date` can represent. */
const LATEST_TIME = 8.64e15

/** ISO 8601; undefined for a time that no `Date` can represent. */
export function isoTime(at: number | undefined): string | undefined {
  return at === undefined || Math.abs(at) > LATEST_TIME ? undefined : new Date(at).toISOString()
}

/** Returns the calls of an assistant message, unchanged. */
export function callsIn({ role, tool_calls: calls }: ChatMessage): ChatMessage[] {
  return role === 'assistant' && Array.isArray(calls) ? calls.filter(isJsonObject) : []
}

export function timeOf({ timestamp, created_at, createdAt }: ChatMessage): number | undefined {
  return readTime(timestamp ?? created_at ?? createdAt)
}

/** Text content of a message: a string, or its text parts; an empty string if it has neither. */
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

/** Content of a result: text unchanged, any other value as JSON, nothing as an empty string. */
export function resultContentOf(content: unknown): RequestContent {
  if (content === null || content === undefined) return ''
  const text = contentOf(content)
  const isText = typeof content === 'string' || (Array.isArray(content) && text !== '')
  return isText ? text : JSON.stringify(content)
}

/** Builds a call with the given id. A missing name becomes `unknown`, missing arguments an empty object. */
export function requestCall(call: ChatMessage, id: string): RequestCall {
  const inner = isJsonObject(call.function) ? call.function : undefined
  const name = inner === undefined ? (call.function ?? call.name) : inner.name
  const argumentsJson = argumentsText(inner === undefined ? call.arguments : inner.arguments)
  return {
    id,
    type: 'function',
    function: {
      name: nonEmptyString(name) ?? 'unknown',
      arguments: argumentsJson.trim() === '' ? '{}' : argumentsJson,
    },
  }
}

export type NameCalls = ReturnType<typeof createCallNaming>

/**
 * Returns a function that assigns the ids sent for calls. A call without an id, or with one already used, gets a new
 * id; `originalId` is that in the transcript, undefined if a call has none or shares one with an earlier call of its
 * message. Call it for the answered turn first, so that its ids do not change.
 */
export function createCallNaming(messages: readonly ChatMessage[]) {
  const taken = new Set(
    messages.flatMap((message) => callsIn(message).flatMap(({ id }) => nonEmptyString(id) ?? [])),
  )
  const used = new Set<string>()
  let number = 0
  const newId = () => {
    do number++
    while (taken.has(`call_${number}`))
    return `call_${number}`
  }
  return (calls: readonly ChatMessage[]) => {
    const ofMessage = new Set<string>()
    return calls.map((call) => {
      const own = nonEmptyString(call.id)
      const isFirst = own !== undefined && !ofMessage.has(own)
      if (own !== undefined) ofMessage.add(own)
      const isFree = own !== undefined && !used.has(own)
      const id = isFirst && isFree ? own : newId()
      used.add(id)
      return { call: requestCall(call, id), originalId: isFirst ? own : undefined }
    })
  }
}

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
  const { role, content, timestamp: _, ...rest }: SavedMessage = message
  const timestamp = isoTime(at)
  return { role, content, ...rest, ...(timestamp !== undefined && { timestamp }) }
}

/** Key of a saved conversation, the same for the same texts. */
export function savedConversationKey(texts: readonly string[]): string {
  return hashOf(JSON.stringify(texts))
}
