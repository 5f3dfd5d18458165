/** One message of the GenAI conventions: a role and parts, each of a type. */
import { argumentsText, isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'
import { memberText, rawMessage } from './raw-message'
import { structuredResult } from './structured-result'

type JsonObject = Readonly<Record<string, unknown>>

/** Reads a message of parts, or of chat completions where it has `content`; undefined when it is neither. */
export function readGenAiMessage(value: unknown): RawMessage | undefined {
  if (!isJsonObject(value) || typeof value.role !== 'string') return undefined
  if (!Array.isArray(value.parts)) return readChatMessage(value)
  return readParts(value.role, value.parts, ['parts'])
}

/** Reads parts as a message of that role; paths go on from where the parts stand. */
export function readParts(role: string, parts: readonly unknown[], path: JsonPath): RawMessage {
  const contents: RawText[] = []
  const reasoning: RawText[] = []
  const calls: RawCall[] = []
  const results: RawResult[] = []
  let nonTextParts = 0
  for (const [index, part] of parts.entries()) {
    const at = [...path, index]
    const type = isJsonObject(part) ? part.type : undefined
    if (!isJsonObject(part)) nonTextParts++
    else if (type === 'text') contents.push(...memberText(part, 'content', at))
    else if (type === 'reasoning') reasoning.push(...memberText(part, 'content', at))
    else if (type === 'tool_call') calls.push(readCall(part, at))
    else if (type === 'tool_call_response') {
      const { result, frame } = readResponse(part, at)
      results.push(result)
      contents.push(...frame)
      if (result.shape === 'other') nonTextParts++
    } else nonTextParts++
  }
  return rawMessage(role, { contents, reasoning, calls, results, nonTextParts })
}

function readCall(part: JsonObject, at: JsonPath): RawCall {
  const call = { id: part.id, name: part.name, arguments: argumentsText(part.arguments ?? '') }
  return part.arguments === undefined ? call : { ...call, path: [...at, 'arguments'] }
}

/** A response is a text or any value; the first versions named it `result`. */
function readResponse(part: JsonObject, at: JsonPath): { result: RawResult; frame: RawText[] } {
  const key = part.response === undefined && part.result !== undefined ? 'result' : 'response'
  const value = part[key]
  const path = [...at, key]
  const answer = { callId: part.id, isFlaggedError: false }
  if (typeof value === 'string') {
    return { result: { ...answer, shape: 'text', texts: [{ text: value, path }] }, frame: [] }
  }
  const { texts, frame } = structuredResult(value, path)
  const isText = typeof value === 'object' && texts.length > 0
  return {
    result: { ...answer, shape: isText ? 'text' : 'other', texts: isText ? texts : [] },
    frame: isText ? [{ text: frame }] : [],
  }
}
