/** Reads LangChain messages: serialised, stored or plain. Their roles get the names of chat completions. */

import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import type { ResultShape } from '../../conversation/conversation'
import type { RawCall, RawMessage, RawText } from '../../conversation/link-messages'
import type { JsonObject } from '../../text/json'
import { isJsonObject, itemsOf, membersOf, ownMember, scalarText } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { MessageBody, memberText, prefixPaths, rawMessage } from '../reading/raw-message'
import ROLES from '../reading/roles.json' with { type: 'json' }

/**
 * A message whose type is known, as it is written: `ai`, or the class `AIMessage`. Its fields may be anything; their path is
 * `kwargs` in a serialised message, `data` in a stored one, empty in a plain one.
 */
export type LangchainMessage = NonNullable<ReturnType<typeof unwrapMessage>>

/** The role of a type or class; a streamed message has the class `AIMessageChunk` as its type. */
function roleOf(type: string): string | undefined {
  const name = type.replace(/Message(?:Chunk)?$/, '').toLowerCase()
  return ownMember<string>(ROLES.langchain, name)
}

/** Finds the role and the fields of a message; undefined for other values. */
export function unwrapMessage(value: unknown) {
  if (!isJsonObject(value)) return undefined
  const { lc, id, kwargs } = value
  // Module and class, such as `["langchain_core", "messages", "AIMessage"]`.
  if (lc === 1 && Array.isArray(id)) {
    const type = scalarText(id.at(-1))
    const role = type.includes('Message') ? roleOf(type) : undefined
    if (role === undefined) return undefined
    return { type, role, fieldsPath: ['kwargs'], fields: kwargs }
  }
  const { type, data } = value
  const role = typeof type === 'string' ? roleOf(type) : undefined
  if (role === undefined || typeof type !== 'string') return undefined
  if (Object.hasOwn(value, 'data')) return { type, role, fieldsPath: ['data'], fields: data }
  const isPlain = Object.hasOwn(value, 'content') && (role === 'chat' || value.role === undefined)
  return isPlain ? { type, role, fieldsPath: [], fields: value } : undefined
}

/** Reads the fields of a message; paths are relative to the message. */
export function readFields({ role: typeRole, fieldsPath }: LangchainMessage, fields: JsonObject) {
  const { content, name, tool_call_id: callId, status, additional_kwargs: extra } = fields
  const role = typeRole === 'chat' && typeof fields.role === 'string' ? fields.role : typeRole
  const body = new MessageBody(() => {})
  body.reasoning.push(
    ...memberText(extra, 'reasoning_content', [...fieldsPath, 'additional_kwargs']),
  )
  const shape = readContent(body, content, [...fieldsPath, 'content'])
  if (role === 'assistant') body.calls.push(...readCalls(fields, fieldsPath))
  if (role === 'tool') {
    const texts = shape === 'other' ? [] : body.contents.splice(0)
    body.addResult(callId, texts, status === 'error', { shape })
  }
  return rawMessage(role, { ...body, name: typeof name === 'string' ? name : undefined })
}

/** Blocks that repeat `tool_calls` in the words of a provider. */
const CALL_BLOCK =
  /^(?:tool_use|tool_call(?:_chunk)?|function_call|input_json_delta|invalid_tool_call)$/

function readContent(body: MessageBody, content: unknown, path: JsonPath): ResultShape {
  if (typeof content === 'string') {
    body.contents.push({ text: content, path })
    return 'text'
  }
  if (!Array.isArray(content)) {
    if (content !== null && content !== undefined) body.nonTextParts++
    return 'other'
  }
  for (const [index, block] of content.entries()) {
    const at = [...path, index]
    const { type, text } = membersOf(block)
    const thoughts = readThoughts(membersOf(block), at)
    if (typeof block === 'string') body.contents.push({ text: block, path: at })
    else if (type === 'text' && typeof text === 'string')
      body.contents.push({ text, path: [...at, 'text'] })
    else if (thoughts !== undefined) body.reasoning.push(...thoughts)
    else if (!CALL_BLOCK.test(scalarText(type))) body.nonTextParts++
  }
  const isTextOnly = content.length > 0 && body.contents.length === content.length
  return isTextOnly ? 'text_parts' : 'other'
}

/** Reads a block of thinking as Anthropic, LangChain and OpenAI write it; undefined for other blocks. */
function readThoughts(block: JsonObject, path: JsonPath): RawText[] | undefined {
  const { type, summary } = block
  if (type === 'redacted_thinking') return []
  if (type !== 'thinking' && type !== 'reasoning') return undefined
  const texts = ['thinking', 'reasoning'].flatMap((key) => memberText(block, key, path))
  const summaries = itemsOf(summary).flatMap((item, index) =>
    memberText(item, 'text', [...path, 'summary', index]),
  )
  return [...texts, ...summaries]
}

/** Reads valid and invalid calls; without any, those in `additional_kwargs`, where older versions have them. */
function readCalls(fields: JsonObject, path: JsonPath): readonly RawCall[] {
  const calls = (['tool_calls', 'invalid_tool_calls'] as const).flatMap((key) =>
    itemsOf(fields[key]).flatMap((call, index): RawCall[] => {
      if (!isJsonObject(call)) return []
      const { id, name, args } = call
      return [{ id, name, arguments: argumentsText(args), path: [...path, key, index, 'args'] }]
    }),
  )
  const { additional_kwargs: extra } = fields
  if (calls.length > 0 || !isJsonObject(extra)) return calls
  const { tool_calls, function_call } = extra
  const older = readChatMessage({ role: 'assistant', tool_calls, function_call }) as RawMessage
  return prefixPaths(older, [...path, 'additional_kwargs']).calls
}
