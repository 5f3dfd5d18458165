/**
 * OpenAI Responses: https://platform.openai.com/docs/api-reference/responses/create
 * A conversation is a list of items: the `input` of a request, a bare list, or JSON Lines of items or bodies. The `output`
 * of a response is read only when the document has no input, since a later input repeats it.
 * A turn is one answer of the model with a call: its consecutive items (reasoning, message, calls, results of hosted
 * tools) are pieces of one message. `response-item.ts` says which items are calls, results and results without text.
 * `instructions` is a system message before the items.
 * There are no duplicates. Ignored: `previous_response_id`, whose items are not in the document, and all settings
 * except `model` and `tools`.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { buildConversation, joinAnswerPieces, type MessagePieces } from '../reading/conversation'
import { type Format, requireConversations } from '../reading/format'
import { readItems } from '../reading/list-format'
import type { MessageList, MessageListKind, MessageLists } from '../reading/lists'
import { findKeys, findMessageLists } from '../reading/lists'
import { lineOrPath, wrongTypeProblem } from '../reading/report'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import {
  createItemReader,
  isResponseItem,
  isTypedItem,
  readRunItem,
  textMessage,
} from './response-item'

/** Keys of a request beside `input` that only the Responses API has. */
const BODY_KEYS = [
  'instructions',
  'previous_response_id',
  'max_output_tokens',
  'parallel_tool_calls',
  'reasoning',
  'include',
  'store',
  'truncation',
]

const RESPONSE_ITEMS: MessageListKind = {
  isMessage: isResponseItem,
  hasFormatMarks: (items, owner) => {
    const objects = items.filter(isJsonObject)
    if (objects.some(isTypedItem)) return true
    // Chat messages can have parts that are called as in Responses.
    if (objects.some((item) => item.role === 'tool' || Object.hasOwn(item, 'tool_calls')))
      return false
    if (objects.some(isMarkedItem)) return true
    // Messages without types are recognised by the body around them; in chat completions the list is `messages`.
    return owner?.input !== undefined && isBody(owner)
  },
}

export const openaiResponses: Format<'openai-responses'> = {
  id: 'openai-responses',
  label: 'OpenAI Responses',
  expects:
    'a list of items, objects with a "type" such as "function_call" and "function_call_output", as in the "input" of a request',
  recognise: (source) => {
    const { lists, shape } = findItemLists(source)
    const bodies = textBodies(source)
    if (lists.length === 0 && bodies.length === 0) return null
    return { shape, lists: lists.length + bodies.length, marks: marksIn(source) }
  },
  read: (source) => {
    const problems: Problem[] = []
    const { lists } = findItemLists(source)
    const conversations = [
      ...lists.map((list) => readList(list, problems)),
      ...textBodies(source).flatMap((from) => readTextBody(from, problems)),
    ]
    return requireConversations({ conversations, problems })
  },
}

function marksIn(source: SourceDocument): string[] {
  const values = findItemLists(source).lists.flatMap(({ items }) => items.map(({ value }) => value))
  const typed = values.filter(isJsonObject).filter(isTypedItem)
  const types = new Set(typed.map(({ type }) => type as string))
  const marks = findKeys(source, ['input', 'call_id', 'encrypted_content', 'instructions'])
  return [...[...types].slice(0, 4), ...marks]
}

function findItemLists(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, RESPONSE_ITEMS)
  // A list of a response has no input beside it.
  const inputs = lists.filter(
    ({ owner = {} }) => !Array.isArray(owner.output) || Object.hasOwn(owner, 'input'),
  )
  return { shape, lists: inputs.length === 0 ? lists : inputs }
}

const TEXT_PARTS: readonly unknown[] = ['input_text', 'output_text']

function isMarkedItem(item: JsonObject): boolean {
  const { type, summary, encrypted_content: encrypted, content } = item
  if (type === 'reasoning') return Array.isArray(summary) || encrypted !== undefined
  return itemsOf(content).some((part) => TEXT_PARTS.includes(membersOf(part).type))
}

function isBody(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'messages')) return false
  return typeof value.model === 'string' || BODY_KEYS.some((key) => Object.hasOwn(value, key))
}

/** Returns request bodies whose `input` is a text, which is one user message, or has a wrong type. */
function textBodies(source: SourceDocument): SourceValue[] {
  return source.values.filter(
    ({ value }) =>
      isJsonObject(value) &&
      Object.hasOwn(value, 'input') &&
      !(Array.isArray(value.input) && value.input.length > 0) &&
      !Object.hasOwn(value, 'messages') &&
      BODY_KEYS.some((key) => Object.hasOwn(value, key)),
  )
}

function readTextBody(from: SourceValue, problems: Problem[]): ReadConversation[] {
  const owner = from.value as JsonObject
  const { input, model, tools } = owner
  if (typeof input !== 'string') {
    problems.push(wrongTypeProblem(from, ['input'], input, 'text_or_list_of_typed_items'))
    return []
  }
  const raw = textMessage('user', input, 'input')
  const messages = [...systemOf(owner, from, []), [{ raw, source: from, path: [] }] as const]
  const label = from.line === undefined ? 'input' : lineOrPath(from, [])
  return [buildConversation(messages, { label, model, tools })]
}

function readList({ label, items, owner = {} }: MessageList, problems: Problem[]) {
  const readItem = createItemReader()
  const { model, tools } = owner
  const system = items
    .slice(0, 1)
    .flatMap(({ source, path }) => systemOf(owner, source, path.slice(0, -2)))
  const pieces = readItems(items, problems, (value, place, report) => {
    const isOfSdk = Object.hasOwn(value, 'callId')
    const raw = isOfSdk ? readRunItem(value, readItem, report) : readItem(value, report)
    return raw && [[{ raw, ...place }]]
  })
  const details = { label: label === 'messages' ? 'items' : label, model, tools }
  return buildConversation([...system, ...joinAnswerPieces(pieces.flat())], details)
}

/** Reads `instructions` as the first message. */
function systemOf(
  { instructions }: JsonObject,
  source: SourceValue,
  path: JsonPath,
): MessagePieces[] {
  if (typeof instructions !== 'string' || instructions === '') return []
  return [[{ raw: textMessage('system', instructions, 'instructions'), source, path }]]
}
