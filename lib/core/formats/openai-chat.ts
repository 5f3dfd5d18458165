/**
 * OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat/create
 * A turn is an assistant message with at least one tool call that has an id, a result a message of role `tool`: a text,
 * or with `text_parts` a list of text parts; any other content is no text. The older `function_call` bears no id, so it
 * opens no turn, and the message of role `function` that answers it is no result: it is counted and never masked.
 * Shapes: a message array, a request body, JSON Lines of messages or of bodies, lists of messages anywhere in a larger document.
 * Twins: none. What is of a wrong type is left alone and said.
 * Ignored: answers (`choices`) and the chunks of streamed ones, and everything beside `messages` but `model`, `tools` and `functions`.
 */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { complaintsAbout } from './chat-complaints'
import { findKeys } from './find-keys'
import type { Format } from './format'
import { findMessageLists, type MessageKind, type MessageList, skippedItem } from './message-lists'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Objects with a role, one of them a chat role with `content` or `tool_calls`. */
const CHAT_MESSAGES: MessageKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  isTelling: (messages) =>
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
  expects: 'a list of messages, objects with a "role", whose tool results have the role "tool"',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, CHAT_MESSAGES)
    if (lists.length === 0 && misplacedMessages(source) === undefined) return null
    const marks = findKeys(source, ['tool_calls', 'tool_call_id', 'role'])
    return { shape, lists: lists.length, marks }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, CHAT_MESSAGES)
    const misplaced = misplacedMessages(source)
    if (lists.length === 0 && misplaced !== undefined) throw misplaced
    const readings = lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

/** The error for a body whose `messages` is there but no list of messages. */
function misplacedMessages(source: SourceDocument): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) continue
    const expected = 'a list of messages, objects with a "role"'
    const { code, values, offset } = wrongType(from, ['messages'], value.messages, expected)
    return new ReadError(code, values, offset)
  }
  return undefined
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  for (const item of list.items) {
    const { source, path, value } = item
    const raw = readChatMessage(value)
    if (raw === undefined) {
      problems.push(skippedItem(item))
      continue
    }
    placed.push([{ raw, source, path }])
    for (const { path: inner, value: wrong, expected } of complaintsAbout(value as JsonObject)) {
      problems.push(wrongType(source, [...path, ...inner], wrong, expected))
    }
  }
  const { label, owner } = list
  const tools = owner?.tools ?? owner?.functions
  return {
    conversation: buildConversation(placed, {
      label,
      model: typeof owner?.model === 'string' ? owner.model : undefined,
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}
