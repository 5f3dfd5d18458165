/**
 * OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat/create
 * Reads message arrays, request bodies, JSON Lines of messages or bodies, and message lists anywhere in a larger document.
 * A turn is an assistant message with a tool call that has an id. A result is a message of role `tool` whose content is a
 * string, or a list of text parts with the setting `text_parts`; a result with other parts is not text.
 * Calls without ids, such as the older `function_call`, open turns only in conversations without any id; their results
 * are then linked by order (`linkByOrder`) and masked with the setting `link_by_order` alone.
 * Of sessions of Hermes Agent, saved or exported, the `system_prompt` and the sums beside the messages are read too:
 * https://github.com/NousResearch/hermes-agent/blob/main/hermes_state_portability.py (`export_session`)
 * Of the lines `_usage` and `_checkpoint` that Kimi CLI writes between messages, only the usage is read.
 * There are no duplicates. Values of a wrong type are reported and skipped. Of answers (`choices`), only the usage is read;
 * `network/streamed-answers.ts` reads streamed ones. Ignored: everything beside `messages` except `model`, `tools` and `functions`.
 */

import { readChatMessage } from '../../conversation/chat-message'
import type { Usage } from '../../conversation/conversation'
import { linkByOrder, type RawMessage } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { readSystemPrompt } from '../anthropic/anthropic-message'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys, findMisplacedMessages } from '../reading/lists'
import { readUsage } from '../reading/read-usage'
import { expectKind, type ReportWrongType } from '../reading/report'

/**
 * Roles of the lines that Kimi CLI writes between the messages of a session; no model receives them:
 * https://github.com/MoonshotAI/kimi-cli/blob/main/src/kimi_cli/soul/context.py
 */
const KIMI_MARKS: readonly unknown[] = ['_usage', '_checkpoint']
const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

export const openaiChat = listFormat({
  id: 'openai-chat',
  label: 'OpenAI chat',
  expects: 'a list of messages, objects with a "role", whose tool results have the role "tool"',
  // Messages of which one has a chat role and `content` or `tool_calls`.
  kind: {
    isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
    hasFormatMarks: (messages) =>
      messages.some(
        (message) =>
          isJsonObject(message) &&
          CHAT_ROLES.has(message.role as string) &&
          (Object.hasOwn(message, 'content') || Object.hasOwn(message, 'tool_calls')),
      ),
  },
  misplaced: (source) => findMisplacedMessages(source, () => true),
  marks: (source) => findKeys(source, ['tool_calls', 'tool_call_id', 'role']),
  readList: (list, problems) => {
    const { items, label, owner = {} } = list
    const kimiUsage = usageOfKimiAnswers(items.map(({ value }) => value))
    const sent = items.filter(({ value }) => !KIMI_MARKS.includes(membersOf(value).role))
    const placed = readItems(sent, problems, (value, place, report) => {
      const raw = readChatMessage(value)
      if (raw === undefined) return undefined
      reportWrongChatTypes(value, report)
      const usage = kimiUsage.get(value)
      return [[{ raw: usage === undefined ? raw : { ...raw, usage }, ...place }]]
    })
    const linked = linkByOrder(placed.map(([{ raw }]) => raw))
    const messages = placed.map(
      ([piece], index): MessagePieces => [{ ...piece, raw: linked[index] as RawMessage }],
    )
    const { model, tools, functions } = owner
    const details = { label, model, tools: tools ?? functions }
    // What a session of Hermes begins with.
    if (owner.session_start === undefined && owner.started_at === undefined)
      return buildConversation(messages, details)
    const usageTotal = readUsage(owner, 'hermes')
    const system =
      placed[0]?.[0].raw.role === 'system' ? [] : readSystemPrompt(list, 'system_prompt')
    return buildConversation([...system, ...messages], { ...details, usageTotal })
  },
})

/**
 * The usage of each answer, by the `_usage` lines around it. The line before an answer states the tokens of its input,
 * the line after it those of input and output together.
 */
function usageOfKimiAnswers(values: readonly unknown[]): ReadonlyMap<unknown, Usage | undefined> {
  const found = new Map<unknown, Usage | undefined>()
  let input: number | undefined
  let answer: unknown
  for (const value of values) {
    if (!isJsonObject(value) || value.role === '_checkpoint') continue
    const tokens = value.role === '_usage' ? readUsage(value, 'kimi')?.totalTokens : undefined
    if (value.role === 'assistant') {
      answer = value
    } else if (tokens !== undefined && answer !== undefined) {
      const isSplit = input !== undefined && tokens >= input
      const parts = isSplit ? { input, output: tokens - Number(input) } : {}
      found.set(answer, readUsage({ token_count: tokens, ...parts }, 'kimi'))
      answer = undefined
      input = undefined
    } else {
      answer = undefined
      input = tokens
    }
  }
  return found
}

/** Reports the values of a wrong type in a message; absent values and null are accepted, since clients write both. */
function reportWrongChatTypes(message: JsonObject, report: ReportWrongType): void {
  expectKind(report, message, 'content', ['text', 'list', 'absent'], 'text_list_of_parts_or_null')
  for (const [index, part] of itemsOf(message.content).entries()) {
    const { type, text } = membersOf(part)
    if (typeof type !== 'string') report(['content', index], part, 'part_with_type')
    else if (type === 'text' && typeof text !== 'string')
      report(['content', index, 'text'], text, 'text')
  }
  expectKind(report, message, 'tool_calls', ['list', 'absent'], 'list_of_calls')
  for (const [index, call] of itemsOf(message.tool_calls).entries()) {
    const { id } = membersOf(call)
    if (!isJsonObject(call)) report(['tool_calls', index], call, 'call_with_id_and_function')
    else if (typeof (id ?? '') !== 'string')
      report(['tool_calls', index, 'id'], id, 'id_of_the_call_text')
  }
  if (message.role === 'tool')
    expectKind(report, message, 'tool_call_id', ['text', 'absent'], 'id_of_a_call_text')
}
