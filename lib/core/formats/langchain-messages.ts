/** One message of LangChain in any of its three writings; its roles are given the names of chat completions. */
import { argumentsText, isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ResultShape } from '../conversation/conversation'
import type { RawCall, RawMessage, RawText } from '../conversation/link-messages'
import type { JsonPath } from '../text/json-pointer'

type JsonObject = Readonly<Record<string, unknown>>

/** A message without its wrapping. */
export interface LangchainMessage {
  /** Type as written: `ai`, or the class `AIMessage`. */
  readonly type: string
  readonly role: string
  /** What it stands in: nothing, `data` of a stored one, `kwargs` of a serialised one. */
  readonly below: JsonPath
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

/** `AIMessageChunk` is an `ai` that was streamed; plain dicts of chunks bear the class as their type. */
function roleOf(type: string): string | undefined {
  const name = type.replace(/Message(?:Chunk)?$/, '').toLowerCase()
  return Object.hasOwn(ROLES, name) ? ROLES[name] : undefined
}

/** Takes the wrapping off a message; undefined when it is none of LangChain's. Its fields may still be anything. */
export function unwrapLangchain(value: unknown): LangchainMessage | undefined {
  if (!isJsonObject(value)) return undefined
  if (value.lc === 1 && Array.isArray(value.id)) {
    const type: unknown = value.id.at(-1)
    const role = typeof type === 'string' && type.includes('Message') ? roleOf(type) : undefined
    if (role === undefined) return undefined
    return { type: type as string, role, below: ['kwargs'], fields: value.kwargs }
  }
  const { type } = value
  const role = typeof type === 'string' ? roleOf(type) : undefined
  if (role === undefined || typeof type !== 'string') return undefined
  if (Object.hasOwn(value, 'data')) return { type, role, below: ['data'], fields: value.data }
  const isPlain = Object.hasOwn(value, 'content') && (role === 'chat' || value.role === undefined)
  return isPlain ? { type, role, below: [], fields: value } : undefined
}

/** Reads a message's fields; paths go on from the wrapped message. */
export function readLangchainFields(
  { role: named, below }: LangchainMessage,
  fields: JsonObject,
): RawMessage {
  const role = named === 'chat' && typeof fields.role === 'string' ? fields.role : named
  const content = readContent(fields.content, [...below, 'content'])
  const isResult = role === 'tool'
  const isText = content.shape !== 'other'
  return {
    role,
    isAssistant: role === 'assistant',
    name: typeof fields.name === 'string' ? fields.name : undefined,
    contents: isResult && isText ? [] : content.texts,
    reasoning: [...readReasoning(fields, below), ...content.reasoning],
    nonTextParts: content.nonTextParts,
    calls: role === 'assistant' ? readCalls(fields, below) : [],
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

interface Content {
  readonly shape: ResultShape
  readonly texts: readonly RawText[]
  readonly reasoning: readonly RawText[]
  readonly nonTextParts: number
}

/** Blocks that say in a provider's words what `tool_calls` says. */
const CALL_BLOCKS = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'function_call',
  'input_json_delta',
  'invalid_tool_call',
])

/** A string, or a list of strings and blocks. */
function readContent(content: unknown, path: JsonPath): Content {
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
    const thoughts = thoughtsIn(block, at)
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

/** The texts of a block of thinking, in Anthropic's, LangChain's and OpenAI's words; undefined when it is none. */
function thoughtsIn(block: unknown, path: JsonPath): RawText[] | undefined {
  if (!isJsonObject(block)) return undefined
  const { type } = block
  if (type === 'redacted_thinking') return []
  if (type !== 'thinking' && type !== 'reasoning') return undefined
  const own = ['thinking', 'reasoning'].flatMap((key) => {
    const text = block[key]
    return typeof text === 'string' ? [{ text, path: [...path, key] }] : []
  })
  const summary: readonly unknown[] = Array.isArray(block.summary) ? block.summary : []
  const summaries = summary.flatMap((item, index) =>
    isJsonObject(item) && typeof item.text === 'string'
      ? [{ text: item.text, path: [...path, 'summary', index, 'text'] }]
      : [],
  )
  return [...own, ...summaries]
}

function readReasoning({ additional_kwargs: extra }: JsonObject, below: JsonPath): RawText[] {
  const text = isJsonObject(extra) ? extra.reasoning_content : undefined
  if (typeof text !== 'string' || text === '') return []
  return [{ text, path: [...below, 'additional_kwargs', 'reasoning_content'] }]
}

/** `tool_calls`, then those whose arguments did not parse; where there are neither, what older versions kept of the provider's answer. */
function readCalls(fields: JsonObject, below: JsonPath): RawCall[] {
  const calls = ['tool_calls', 'invalid_tool_calls'].flatMap((key): RawCall[] => {
    const list = fields[key]
    if (!Array.isArray(list)) return []
    return list.flatMap((call: unknown, index): RawCall[] =>
      isJsonObject(call)
        ? [
            {
              id: call.id,
              name: call.name,
              arguments: argumentsText(call.args),
              path: [...below, key, index, 'args'],
            },
          ]
        : [],
    )
  })
  const { additional_kwargs: extra } = fields
  if (calls.length > 0 || !isJsonObject(extra)) return calls
  const { tool_calls, function_call } = extra
  const kept = readChatMessage({ role: 'assistant', tool_calls, function_call })?.calls ?? []
  return kept.map(({ path, ...call }) =>
    path === undefined ? call : { ...call, path: [...below, 'additional_kwargs', ...path] },
  )
}
