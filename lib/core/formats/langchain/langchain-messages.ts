/** Reads LangChain messages: serialised, stored or plain. Their roles get the names of chat completions. */

import { argumentsText, readChatMessage } from '../../conversation/chat-message'
import type { ResultShape } from '../../conversation/conversation'
import type { RawCall, RawMessage, RawText } from '../../conversation/link-messages'
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  ownMember,
  scalarText,
  type Unchecked,
} from '../../text/json-object'
import { memberText, prefixPaths } from '../reading/raw-message'

/** A serialised message. */
interface SerialisedMessage {
  readonly lc: 1
  /** Module and class, such as `["langchain_core", "messages", "AIMessage"]`. */
  readonly id: readonly string[]
  readonly kwargs: MessageFields
}

/** A stored message. */
interface StoredMessage {
  /** A key of `ROLES`, or the class of a message. */
  readonly type: string
  readonly data: MessageFields
}

/** The fields of a message; a plain message has its `type` beside them. */
export interface MessageFields {
  readonly id?: string
  readonly content: string | readonly (string | ContentBlock)[]
  readonly name?: string
  // In type `chat`:
  readonly role?: string
  // In type `ai`:
  readonly tool_calls?: readonly ToolCall[]
  readonly invalid_tool_calls?: readonly ToolCall[]
  readonly response_metadata?: { readonly model_name?: string; readonly model?: string }
  readonly additional_kwargs?: {
    readonly reasoning_content?: string
    /** The calls as the provider wrote them, in the shape of chat completions. */
    readonly tool_calls?: readonly object[]
    readonly function_call?: object
  }
  // In type `tool`:
  readonly tool_call_id?: string
  readonly status?: 'success' | 'error'
  /** Output for the program, not sent to a model. */
  readonly artifact?: unknown
}

export interface ToolCall {
  readonly id?: string
  readonly name: string
  /** A text in `invalid_tool_calls`. */
  readonly args: object | string
}

interface ContentBlock {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly reasoning?: string
  readonly summary?: readonly { readonly text: string }[]
}

/** A message whose type is known; its fields may be anything. */
export interface LangchainMessage {
  /** The type as it is written: `ai`, or the class `AIMessage`. */
  readonly type: string
  readonly role: string
  /** `kwargs` of a serialised message, `data` of a stored one, empty for a plain one. */
  readonly fieldsPath: JsonPath
  readonly fields: unknown
}

const ROLES: Readonly<Record<string, string>> = {
  human: 'user',
  ai: 'assistant',
  system: 'system',
  developer: 'developer',
  tool: 'tool',
  function: 'function',
  chat: 'chat',
}

/** The role of a type or class; a streamed message has the class `AIMessageChunk` as its type. */
function roleOf(type: string): string | undefined {
  const name = type.replace(/Message(?:Chunk)?$/, '').toLowerCase()
  return ownMember(ROLES, name)
}

/** Finds the role and the fields of a message; undefined for other values. */
export function unwrapMessage(value: unknown): LangchainMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { lc, id, kwargs }: Unchecked<SerialisedMessage> = value
  if (lc === 1 && Array.isArray(id)) {
    const type = scalarText(id.at(-1))
    const role = type.includes('Message') ? roleOf(type) : undefined
    if (role === undefined) return undefined
    return { type, role, fieldsPath: ['kwargs'], fields: kwargs }
  }
  const { type, data }: Unchecked<StoredMessage> = value
  const role = typeof type === 'string' ? roleOf(type) : undefined
  if (role === undefined || typeof type !== 'string') return undefined
  if (Object.hasOwn(value, 'data')) return { type, role, fieldsPath: ['data'], fields: data }
  const isPlain = Object.hasOwn(value, 'content') && (role === 'chat' || value.role === undefined)
  return isPlain ? { type, role, fieldsPath: [], fields: value } : undefined
}

/** Reads the fields of a message; paths are relative to the message. */
export function readFields(
  { role: typeRole, fieldsPath }: LangchainMessage,
  fields: Unchecked<MessageFields>,
): RawMessage {
  const role = typeRole === 'chat' && typeof fields.role === 'string' ? fields.role : typeRole
  const content = readContent(fields.content, [...fieldsPath, 'content'])
  const isResult = role === 'tool'
  const isText = content.shape !== 'other'
  return {
    role,
    isAssistant: role === 'assistant',
    name: typeof fields.name === 'string' ? fields.name : undefined,
    contents: isResult && isText ? [] : content.texts,
    reasoning: [...readReasoning(fields, fieldsPath), ...content.reasoning],
    nonTextParts: content.nonTextParts,
    calls: role === 'assistant' ? readCalls(fields, fieldsPath) : [],
    results: isResult
      ? [
          {
            callId: fields.tool_call_id,
            shape: content.shape,
            texts: isText ? content.texts : [],
            isFlaggedError: fields.status === 'error',
          },
        ]
      : [],
  }
}

interface ReadContent {
  readonly shape: ResultShape
  readonly texts: readonly RawText[]
  readonly reasoning: readonly RawText[]
  readonly nonTextParts: number
}

/** Blocks that repeat `tool_calls` in the words of a provider. */
const CALL_BLOCKS = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'function_call',
  'input_json_delta',
  'invalid_tool_call',
])

function readContent(content: unknown, path: JsonPath): ReadContent {
  const nothing = { texts: [], reasoning: [] }
  if (typeof content === 'string') {
    return { ...nothing, shape: 'text', texts: [{ text: content, path }], nonTextParts: 0 }
  }
  if (!Array.isArray(content)) {
    const isAbsent = content === null || content === undefined
    return { ...nothing, shape: 'other', nonTextParts: isAbsent ? 0 : 1 }
  }
  const texts: RawText[] = []
  const reasoning: RawText[] = []
  let nonTextParts = 0
  for (const [index, block] of content.entries()) {
    const at = [...path, index]
    const thoughts = isJsonObject(block) ? readThoughts(block, at) : undefined
    if (typeof block === 'string') texts.push({ text: block, path: at })
    else if (!isJsonObject(block)) nonTextParts++
    else if (block.type === 'text' && typeof block.text === 'string')
      texts.push({ text: block.text, path: [...at, 'text'] })
    else if (thoughts !== undefined) reasoning.push(...thoughts)
    else if (!CALL_BLOCKS.has(block.type as string)) nonTextParts++
  }
  const isTextOnly = texts.length > 0 && texts.length === content.length
  return { shape: isTextOnly ? 'text_parts' : 'other', texts, reasoning, nonTextParts }
}

/** Reads a block of thinking as Anthropic, LangChain and OpenAI write it; undefined for other blocks. */
function readThoughts(block: Unchecked<ContentBlock>, path: JsonPath): RawText[] | undefined {
  const { type, summary } = block
  if (type === 'redacted_thinking') return []
  if (type !== 'thinking' && type !== 'reasoning') return undefined
  const texts = ['thinking', 'reasoning'].flatMap((key) => memberText(membersOf(block), key, path))
  const summaries = itemsOf(summary).flatMap((item, index) =>
    memberText(membersOf(item), 'text', [...path, 'summary', index]),
  )
  return [...texts, ...summaries]
}

function readReasoning(
  { additional_kwargs: extra }: Unchecked<MessageFields>,
  path: JsonPath,
): RawText[] {
  return memberText(membersOf(extra), 'reasoning_content', [...path, 'additional_kwargs'])
}

/** Reads valid and invalid calls; without any, those in `additional_kwargs`, where older versions have them. */
function readCalls(fields: Unchecked<MessageFields>, path: JsonPath): readonly RawCall[] {
  const calls = (['tool_calls', 'invalid_tool_calls'] as const).flatMap((key): RawCall[] => {
    const list = fields[key]
    if (!Array.isArray(list)) return []
    return list.flatMap((call: unknown, index): RawCall[] => {
      if (!isJsonObject(call)) return []
      const { id, name, args }: Unchecked<ToolCall> = call
      return [{ id, name, arguments: argumentsText(args), path: [...path, key, index, 'args'] }]
    })
  })
  const { additional_kwargs: extra } = fields
  if (calls.length > 0 || !isJsonObject(extra)) return calls
  const { tool_calls, function_call } = extra
  const older = readChatMessage({ role: 'assistant', tool_calls, function_call }) as RawMessage
  return prefixPaths(older, [...path, 'additional_kwargs']).calls
}
