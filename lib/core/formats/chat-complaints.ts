/**
 * What in a message of chat completions is not what its place calls for. All of it is left alone, and said: a list of
 * messages of another provider is read as one of chat completions where nothing else claims it.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { JsonPath } from '../text/json-pointer'

type JsonObject = Readonly<Record<string, unknown>>

export interface ChatComplaint {
  readonly path: JsonPath
  readonly value: unknown
  /** Goes on from "expected ". */
  readonly expected: string
}

/** The values of a wrong type in a message; absent ones and null are none, since clients write both. */
export function complaintsAbout(message: JsonObject): ChatComplaint[] {
  return [...inContent(message.content), ...inCalls(message.tool_calls), ...inResult(message)]
}

function inContent(content: unknown): ChatComplaint[] {
  if (isAbsent(content) || typeof content === 'string') return []
  if (!Array.isArray(content)) {
    return [{ path: ['content'], value: content, expected: 'a text, a list of parts or null' }]
  }
  return content.flatMap((part: unknown, index): ChatComplaint[] => {
    const path = ['content', index]
    if (!isJsonObject(part) || typeof part.type !== 'string') {
      return [{ path, value: part, expected: 'a part, an object with a "type"' }]
    }
    const isWrong = part.type === 'text' && typeof part.text !== 'string'
    return isWrong ? [{ path: [...path, 'text'], value: part.text, expected: 'a text' }] : []
  })
}

function inCalls(calls: unknown): ChatComplaint[] {
  if (isAbsent(calls)) return []
  if (!Array.isArray(calls)) {
    return [{ path: ['tool_calls'], value: calls, expected: 'a list of calls' }]
  }
  return calls.flatMap((call: unknown, index): ChatComplaint[] => {
    const path = ['tool_calls', index]
    if (!isJsonObject(call)) {
      return [{ path, value: call, expected: 'a call, an object with an "id" and a "function"' }]
    }
    return isAbsent(call.id) || typeof call.id === 'string'
      ? []
      : [{ path: [...path, 'id'], value: call.id, expected: 'the id of the call, a text' }]
  })
}

function inResult({ role, tool_call_id: id }: JsonObject): ChatComplaint[] {
  if (role !== 'tool' || isAbsent(id) || typeof id === 'string') return []
  return [{ path: ['tool_call_id'], value: id, expected: 'the id of a call, a text' }]
}

function isAbsent(value: unknown): boolean {
  return value === null || value === undefined
}
