/**
 * Anthropic Messages: https://docs.anthropic.com/en/api/messages
 * A turn is an assistant message with at least one `tool_use`, `server_tool_use` or `mcp_tool_use` block that has an
 * id; a result is a `tool_result` or `mcp_tool_result` block, several of them in one user message each by itself. A
 * string or a list of text blocks is its text; a result with any other block (an image) is no text. The results of
 * server tools (`web_search_tool_result` and its kin) are results that are no text and stay as they are: the API takes
 * them back only unchanged, `encrypted_content` above all. Results that Cline saves as records are structured.
 * Shapes: a message array, a request body with its `system`, JSON Lines of messages, answers or bodies, lists of
 * messages anywhere in a larger document, Cline's session files. Twins: none.
 * A `compaction` block is text; what stands before it, which the API leaves out, stays in the conversation.
 * Ignored: answers beside a request, `thinking` (shown, not counted), `redacted_thinking`, signatures, citations,
 * `cache_control`, usage.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import {
  isCallType,
  isResultType,
  readAnthropicMessage,
  readSystemPrompt,
} from './anthropic-message'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { findKeys } from './find-keys'
import type { Format } from './format'
import { findMessageLists, type MessageKind, type MessageList, skippedItem } from './message-lists'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** Where a system prompt stands beside the messages: a request body's, a Cline session's. */
const SYSTEM_KEYS = ['system', 'system_prompt']

/** Objects with a role, one of them with a block that only this format has, or in a body that only it has. */
const BLOCK_MESSAGES: MessageKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  isTelling: (messages, owner) =>
    !messages.some(isChatMessage) &&
    (messages.some(holdsTellingBlock) || (owner !== undefined && isBody(owner))),
  mayBe: (messages) => messages.every(isPlainMessage),
}

/** A message as this API takes it that has no calls and no results. */
function isPlainMessage(message: unknown): boolean {
  if (!isJsonObject(message) || isChatMessage(message)) return false
  if (message.role !== 'user' && message.role !== 'assistant') return false
  return typeof message.content === 'string' || holdsOnly(message.content, ['text', 'image'])
}

function holdsOnly(content: unknown, types: readonly string[]): boolean {
  if (!Array.isArray(content)) return false
  return content.every((part) => isJsonObject(part) && types.includes(String(part.type)))
}

export const anthropicMessages: Format = {
  id: 'anthropic-messages',
  label: 'Anthropic Messages',
  expects:
    'a list of messages, objects with a "role" and a list of blocks as "content", whose tool results are blocks of type "tool_result"',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, BLOCK_MESSAGES)
    if (lists.length === 0 && misplacedMessages(source) === undefined) return null
    const isSession = lists.length === 1 && typeof lists[0]?.owner?.sessionId === 'string'
    return { shape: isSession ? 'session' : shape, lists: lists.length, marks: marksIn(source) }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, BLOCK_MESSAGES)
    const misplaced = misplacedMessages(source)
    if (lists.length === 0 && misplaced !== undefined) throw misplaced
    const readings = lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function marksIn(source: SourceDocument): string[] {
  const types = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isJsonObject(value)) {
      if (isTellingBlock(value)) types.add(value.type as string)
      for (const member of Object.values(value)) visit(member)
    }
  }
  for (const { value } of source.values) visit(value)
  return [...types, ...findKeys(source, ['system', 'anthropic_version', 'input_schema'])]
}

/** A block that no other format writes. */
function isTellingBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false
  const { type } = block
  if (type === 'thinking') return typeof block.thinking === 'string'
  return isCallType(type) || isResultType(type) || type === 'redacted_thinking'
}

/** A message of chat completions: there, blocks are a copy of what `tool_calls` and the role `tool` say. */
function isChatMessage(message: unknown): boolean {
  return isJsonObject(message) && (message.role === 'tool' || Array.isArray(message.tool_calls))
}

function holdsTellingBlock(message: unknown): boolean {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return false
  return message.content.some(isTellingBlock)
}

/** A body that can only be one of this API, whatever its messages hold. */
function isBody(owner: JsonObject): boolean {
  if (Object.hasOwn(owner, 'anthropic_version')) return true
  const tools = Array.isArray(owner.tools) ? owner.tools : []
  if (tools.some((tool) => isJsonObject(tool) && isJsonObject(tool.input_schema))) return true
  const hasClaude = typeof owner.model === 'string' && /claude/i.test(owner.model)
  return Object.hasOwn(owner, 'system') && (hasClaude || typeof owner.max_tokens === 'number')
}

/** The error for a body of this format whose `messages` is no list of messages. */
function misplacedMessages(source: SourceDocument): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, 'messages') || !isBody(value)) continue
    const expected = 'a list of messages, objects with a "role"'
    const { code, values, offset } = wrongType(from, ['messages'], value.messages, expected)
    return new ReadError(code, values, offset)
  }
  return undefined
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const { items, label, owner = {} } = list
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  for (const key of SYSTEM_KEYS) {
    const raw = readSystemPrompt(owner[key])
    const [first] = items
    if (raw === undefined || first === undefined) continue
    placed.push([{ raw, source: first.source, path: [...first.path.slice(0, -2), key] }])
  }
  for (const item of items) {
    const { source, path, value } = item
    if (isJsonObject(value) && typeof value.role === 'string') {
      const { raw, problems: found } = readAnthropicMessage(source, path, value, value.role)
      placed.push([{ raw, source, path }])
      problems.push(...found)
    } else {
      problems.push(skippedItem(item))
    }
  }
  const { model, tools } = owner
  return {
    conversation: buildConversation(placed, {
      label,
      model: typeof model === 'string' ? model : modelIn(items.map(({ value }) => value)),
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}

/** The model an answer or a session's message names itself. */
function modelIn(messages: readonly unknown[]): string | undefined {
  for (const message of messages) {
    if (!isJsonObject(message)) continue
    if (typeof message.model === 'string') return message.model
    if (isJsonObject(message.modelInfo) && typeof message.modelInfo.id === 'string') {
      return message.modelInfo.id
    }
  }
  return undefined
}
