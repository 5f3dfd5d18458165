/**
 * Anthropic Messages: https://docs.anthropic.com/en/api/messages
 * Reads message arrays, request bodies with their `system`, JSON Lines of messages, answers or bodies, message lists
 * anywhere in a larger document, session files of Cline, and threads of Amp (`~/.local/share/amp/threads/T-….json`).
 * A turn is an assistant message with a `tool_use`, `server_tool_use` or `mcp_tool_use` block that has an id. A result is a
 * `tool_result` or `mcp_tool_result` block; a user message can have several. The text of a result is a string or a list of
 * text blocks; with any other block, such as an image, the result is not text. Results that Cline stores as records are
 * structured results. So are results of Amp, the `result` of a `run`; its threads are not documented, and read as
 * https://github.com/ryoppippi/ccusage/tree/main/rust/crates/ccusage/src/adapter/amp and
 * https://github.com/jonathan-kellerai/cross_agent_session_resumer/blob/main/src/providers/amp.rs do.
 * Results of server tools (`web_search_tool_result` and others) are never masked, because the API
 * accepts them only unchanged.
 * A `compaction` block is text. The messages before it, which the API drops, stay in the conversation.
 * Duplicates: what the `progress` of Amp's `run` repeats of its result. Of an answer beside a request, only the usage is read. Ignored: `redacted_thinking`, signatures, citations,
 * `cache_control`. `thinking` is shown but not counted.
 */

import { readTime } from '../../conversation/conversation'
import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import { buildConversation } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import {
  blocksOf,
  findKeys,
  findMisplacedMessages,
  isChatMessage,
  isPlainMessage,
} from '../reading/lists'
import type { SourceDocument } from '../reading/source-document'
import { isToolType, readAnthropicMessage, readSystemPrompt } from './anthropic-message'

/** Session files of Cline have the second. */
const SYSTEM_KEYS = ['system', 'system_prompt'] as const

export const anthropicMessages = listFormat({
  id: 'anthropic-messages',
  label: 'Anthropic Messages',
  expects:
    'a list of messages, objects with a "role" and a list of blocks as "content", whose tool results are blocks of type "tool_result"',
  // Messages with a block that only this format has, or in a body that only this format has.
  kind: {
    isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
    hasFormatMarks: (messages, owner) =>
      !messages.some(isChatMessage) &&
      (messages.some((message) => blocksOf(message).some(isMarkedBlock)) ||
        (owner !== undefined && isBody(owner))),
    isCompatible: (messages) =>
      messages.every((message) =>
        isPlainMessage(message, ['user', 'assistant'], ['text', 'image']),
      ),
  },
  misplaced: (source) => findMisplacedMessages(source, isBody),
  shape: ({ lists: [first, ...others], shape }) => {
    const { sessionId, v, id } = first?.owner ?? {}
    // Of Cline, or of Amp.
    const isSession = typeof sessionId === 'string' || (v !== undefined && id !== undefined)
    return others.length === 0 && isSession ? 'session' : shape
  },
  marks: marksIn,
  readList: (list, problems) => {
    const { items, label, owner } = list
    const { model, tools } = owner ?? {}
    const system = SYSTEM_KEYS.flatMap((key) => readSystemPrompt(list, key))
    const messages = readItems(items, problems, (value, place, report) => {
      if (typeof value.role !== 'string') return undefined
      // Cline writes the time as `ts`, Amp in one of two objects.
      const { meta, usage, timestamp = value.ts ?? membersOf(meta).sentAt } = value
      const writtenAt = readTime(timestamp ?? membersOf(usage).timestamp)
      const raw = { ...readAnthropicMessage(value, value.role, report), writtenAt }
      return [[{ raw, ...place }]]
    })
    return buildConversation([...system, ...messages], {
      label,
      model: typeof model === 'string' ? model : modelIn(items.map(({ value }) => value)),
      tools,
    })
  },
})

function marksIn(source: SourceDocument): string[] {
  const types = new Set<string>()
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item)
    else if (isJsonObject(value)) {
      if (isMarkedBlock(value)) types.add(value.type as string)
      for (const member of Object.values(value)) visit(member)
    }
  }
  for (const { value } of source.values) visit(value)
  return [...types, ...findKeys(source, ['system', 'anthropic_version', 'input_schema'])]
}

/** True for a block that only this format has. */
function isMarkedBlock(block: unknown): boolean {
  if (!isJsonObject(block)) return false
  const { type } = block
  if (type === 'thinking') return typeof block.thinking === 'string'
  return isToolType(type) || type === 'redacted_thinking'
}

/** True for a request body that only this API has, whatever its messages are. */
function isBody(body: JsonObject): boolean {
  const { anthropic_version: version, tools, model, system, max_tokens: maxTokens } = body
  // On Bedrock and Vertex AI.
  if (version !== undefined) return true
  const hasInputSchema = (tool: unknown) => isJsonObject(tool) && isJsonObject(tool.input_schema)
  if (Array.isArray(tools) && tools.some(hasInputSchema)) return true
  const isClaude = typeof model === 'string' && /claude/i.test(model)
  return system !== undefined && (isClaude || typeof maxTokens === 'number')
}

/** Returns the first model that a message names; session files of Cline have it in `modelInfo`, threads of Amp in `usage`. */
function modelIn(messages: readonly unknown[]): string | undefined {
  for (const message of messages) {
    const { model, modelInfo, usage } = membersOf(message)
    for (const name of [model, membersOf(modelInfo).id, membersOf(usage).model])
      if (typeof name === 'string') return name
  }
  return undefined
}
