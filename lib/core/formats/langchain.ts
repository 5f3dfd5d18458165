/**
 * LangChain messages, and the state of LangGraph threads that hold them: https://docs.langchain.com/oss/python/langchain/messages
 * Three writings: serialised (`lc: 1`, the class in `id`, the fields in `kwargs`), stored (`type` and `data`), and plain
 * (`type` beside the fields, as LangGraph's API gives `values.messages`). Each list is a conversation: a thread's history
 * has one a state, LangSmith's runs one a call.
 * A turn is an AI message with at least one entry of `tool_calls` or `invalid_tool_calls` that has an id, a result a tool
 * message. Its text is its content when that is a string; a list of text blocks is `text_parts`, as in chat completions;
 * with other blocks, or none, it is no text. `status: "error"` is the format's own flag.
 * Ignored: `artifact` (never sent to a model), `additional_kwargs` and content blocks that repeat calls, RemoveMessage.
 * `additional_kwargs.tool_calls` is read where a message has no other calls. There are no twins of results.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { Problem } from '../problem'
import { buildConversation, type PlacedMessage } from './build-conversation'
import type { Format } from './format'
import { type LangchainMessage, readLangchainFields, unwrapLangchain } from './langchain-messages'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  skippedItem,
} from './message-lists'
import { wrongType } from './wrong-type'

/** `system` and `function` name messages elsewhere too; `human` and `ai` are LangChain's own words. */
const LANGCHAIN_MESSAGES: MessageKind = {
  isMessage: (value) => unwrapLangchain(value) !== undefined || isRemoval(value),
  isTelling: (messages) => messages.some(isTelling),
}

export const langchain: Format = {
  id: 'langchain',
  label: 'LangChain',
  expects:
    'a list of messages with "lc": 1, or with a "type" of "human", "ai", "tool" or "system" and their fields beside it or in "data"',
  recognise: (source) => {
    const { shape, lists } = findMessageLists(source, LANGCHAIN_MESSAGES)
    return lists.length === 0 ? null : { shape, lists: lists.length, marks: marksOf(lists) }
  },
  read: (source) => {
    const readings = findMessageLists(source, LANGCHAIN_MESSAGES).lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function isTelling(value: unknown): boolean {
  const message = unwrapLangchain(value)
  if (message === undefined) return false
  const { role, below, fields } = message
  if (below[0] === 'kwargs' || role === 'user' || role === 'assistant') return true
  return role === 'tool' && isJsonObject(fields) && Object.hasOwn(fields, 'tool_call_id')
}

/** LangGraph's order to take a message out of the state: no message itself. */
function isRemoval(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (value.lc === 1 && Array.isArray(value.id)) return value.id.at(-1) === 'RemoveMessage'
  return value.type === 'remove'
}

function marksOf(lists: readonly MessageList[]): string[] {
  const marks = new Set<string>()
  for (const { items } of lists) {
    for (const { value } of items) {
      const message = unwrapLangchain(value)
      if (message === undefined) continue
      const [wrapping] = message.below
      if (wrapping !== undefined) marks.add(wrapping === 'kwargs' ? 'lc' : String(wrapping))
      marks.add(message.type)
    }
  }
  return [...marks].slice(0, 5)
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  let model: string | undefined
  for (const item of list.items) {
    const message = unwrapLangchain(item.value)
    if (message === undefined) {
      if (!isRemoval(item.value)) problems.push(skippedItem(item))
      continue
    }
    const { source, path } = item
    const { fields, below } = message
    if (!isJsonObject(fields)) {
      problems.push(
        wrongType(source, [...path, ...below], fields, "an object, the message's fields"),
      )
      continue
    }
    problems.push(...wrongFields(item, message, fields))
    placed.push([{ raw: readLangchainFields(message, fields), source, path }])
    model = modelOf(fields) ?? model
  }
  const frame = { label: list.label, model, toolSchemas: '' }
  return { conversation: buildConversation(placed, frame), problems }
}

/** What of a message's fields was left alone because it is not what it should be. */
function wrongFields(
  { source, path }: ListItem,
  { role, below }: LangchainMessage,
  fields: Readonly<Record<string, unknown>>,
): Problem[] {
  const problems: Problem[] = []
  const expect = (key: string, isRight: boolean, expected: string): void => {
    if (!isRight) problems.push(wrongType(source, [...path, ...below, key], fields[key], expected))
  }
  const { content, tool_calls: calls, tool_call_id: callId } = fields
  const isContent = typeof content === 'string' || Array.isArray(content)
  expect('content', isContent || (content ?? null) === null, 'a text or a list of blocks')
  if (role === 'assistant')
    expect('tool_calls', Array.isArray(calls) || (calls ?? null) === null, 'a list of calls')
  if (role === 'tool')
    expect('tool_call_id', typeof callId === 'string', 'a text, the id of the call it answers')
  return problems
}

function modelOf({ response_metadata: metadata }: Readonly<Record<string, unknown>>) {
  if (!isJsonObject(metadata)) return undefined
  const { model_name: name, model } = metadata
  if (typeof name === 'string') return name
  return typeof model === 'string' ? model : undefined
}
