/**
 * OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat/create
 * Reads message arrays, request bodies, JSON Lines of messages or bodies, and message lists anywhere in a larger document.
 * A turn is an assistant message with a tool call that has an id. A result is a message of role `tool` whose content is a
 * string, or a list of text parts with the setting `text_parts`; a result with other parts is not text.
 * Calls without ids, such as the older `function_call`, open turns only in conversations without any id; their results
 * are then linked by order (`linkByOrder`) and masked with the setting `link_by_order` alone.
 * Of the lines `_usage` and `_checkpoint` that Kimi CLI writes between messages, only the usage is read.
 * There are no duplicates. Values of a wrong type are reported and skipped. Of answers (`choices`), only the usage is read;
 * `network/streamed-answers.ts` reads streamed ones. Ignored: everything beside `messages` except `model`, `tools` and `functions`.
 */

import { type ChatMessage, readChatMessage } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import { linkByOrder, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, type Unchecked } from '../../text/json-object'
import {
  buildConversation,
  type MessagePieces,
  type SourcePath,
} from '../reading/build-conversation'
import { findKeys } from '../reading/find-keys'
import { findMisplacedMessages } from '../reading/find-misplaced-messages'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import { reportWrongTypesTo } from '../reading/wrong-type-problem'
import { isKimiMark, usageOfKimiAnswers } from './kimi-lines'
import { reportWrongChatTypes } from './report-wrong-chat-types'

interface RequestBody {
  readonly model?: string
  readonly messages: readonly ChatMessage[]
  readonly tools?: readonly object[]
  /** The older form of `tools`. */
  readonly functions?: readonly object[]
}

const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Messages of which one has a chat role and `content` or `tool_calls`. */
const CHAT_MESSAGES: MessageListKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  hasFormatMarks: (messages) =>
    messages.some(
      (message) =>
        isJsonObject(message) &&
        CHAT_ROLES.has(message.role as string) &&
        (Object.hasOwn(message, 'content') || Object.hasOwn(message, 'tool_calls')),
    ),
}

export const openaiChat: Format = {
  id: 'openai-chat',
  label: 'OpenAI chat',
  expects: 'expects_openai_chat',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, CHAT_MESSAGES)
    if (lists.length === 0 && findMisplacedMessages(source, () => true) === undefined) return null
    const marks = findKeys(source, ['tool_calls', 'tool_call_id', 'role'])
    return { shape, lists: lists.length, marks }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, CHAT_MESSAGES)
    const misplaced = findMisplacedMessages(source, () => true)
    if (lists.length === 0 && misplaced !== undefined) throw misplaced
    const readings = lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const raws: RawMessage[] = []
  const places: SourcePath[] = []
  const kimiUsage = usageOfKimiAnswers(list.items.map(({ value }) => value))
  for (const item of list.items) {
    if (isKimiMark(item.value)) continue
    const { source, path, value } = item
    const read = readChatMessage(value)
    const usage = kimiUsage.get(value)
    const raw = read && usage ? { ...read, usage } : read
    if (raw === undefined) {
      problems.push(skippedMessageProblem(item))
      continue
    }
    raws.push(raw)
    places.push({ source, path })
    reportWrongChatTypes(value as JsonObject, reportWrongTypesTo(problems, source, path))
  }
  const { label } = list
  const messages = linkByOrder(raws).map((raw, index): MessagePieces => {
    return [{ raw, ...(places[index] as SourcePath) }]
  })
  const { model, tools: declared, functions }: Unchecked<RequestBody> = list.owner ?? {}
  const tools = declared ?? functions
  return {
    conversation: buildConversation(messages, {
      label,
      model: typeof model === 'string' ? model : undefined,
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}
