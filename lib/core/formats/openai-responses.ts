/**
 * OpenAI Responses: https://platform.openai.com/docs/api-reference/responses/create
 * A conversation is a list of items: a request's `input`, a bare list, JSON Lines of items or of bodies; a response's
 * `output` where the document has no input, since a later input repeats it. What call and result are: `response-item.ts`.
 * A turn is one answer of the model with a call: its items (reasoning, message, calls, and what the provider ran for it)
 * stand together and are pieces of one message. `instructions` is a system text before the items.
 * Ignored: `previous_response_id` (what it stands for is not here), usage, and all settings but `model` and `tools`.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { findKeys } from './find-keys'
import type { Format } from './format'
import { groupItems } from './group-items'
import {
  findMessageLists,
  type MessageKind,
  type MessageList,
  type MessageLists,
} from './message-lists'
import { isResponseItem, isTypedItem, textMessage } from './response-item'
import type { SourceDocument, SourceValue } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** Keys of a request that only the Responses API has beside `input`. */
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

const RESPONSE_ITEMS: MessageKind = {
  isMessage: isResponseItem,
  isTelling: (items, owner) => {
    const objects = items.filter(isJsonObject)
    if (objects.some(isTellingItem)) return true
    // An input of messages without types is told by the body around it; `messages` would be chat completions.
    return owner?.input !== undefined && isBody(owner) && !objects.some(isChatItem)
  },
}

export const openaiResponses: Format = {
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
    const { lists } = findItemLists(source)
    const readings = lists.map(readList)
    const problems: Problem[] = []
    const texts = textBodies(source).flatMap((from) => {
      const reading = readTextBody(from)
      if ('code' in reading) problems.push(reading)
      return 'code' in reading ? [] : [reading]
    })
    const conversations = [...readings.map(({ conversation }) => conversation), ...texts]
    const [first] = problems
    if (conversations.length === 0 && first !== undefined) {
      throw new ReadError(first.code, first.values, first.offset)
    }
    return {
      conversations,
      problems: [...readings.flatMap((reading) => reading.problems), ...problems],
    }
  },
}

function marksIn(source: SourceDocument): string[] {
  const types = new Set<string>()
  const marks = findKeys(source, ['input', 'call_id', 'encrypted_content', 'instructions'])
  for (const { items } of findItemLists(source).lists) {
    for (const { value } of items) {
      if (isJsonObject(value) && isTypedItem(value)) types.add(value.type as string)
    }
  }
  return [...[...types].slice(0, 4), ...marks]
}

function findItemLists(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, RESPONSE_ITEMS)
  const inputs = lists.filter(({ owner }) => !isOutputOf(owner))
  return { shape, lists: inputs.length === 0 ? lists : inputs }
}

/** Whether a list's owner is a response: it then is an answer, no request. */
function isOutputOf(owner: MessageList['owner']): boolean {
  return owner !== undefined && Array.isArray(owner.output) && !Object.hasOwn(owner, 'input')
}

function isTellingItem(item: JsonObject): boolean {
  if (isTypedItem(item)) return true
  if (item.type === 'reasoning') {
    return Array.isArray(item.summary) || Object.hasOwn(item, 'encrypted_content')
  }
  return (
    Array.isArray(item.content) &&
    item.content.some(
      (part) => isJsonObject(part) && (part.type === 'input_text' || part.type === 'output_text'),
    )
  )
}

function isChatItem(item: JsonObject): boolean {
  return item.role === 'tool' || Object.hasOwn(item, 'tool_calls')
}

function isBody(value: JsonObject): boolean {
  if (Object.hasOwn(value, 'messages')) return false
  return typeof value.model === 'string' || BODY_KEYS.some((key) => Object.hasOwn(value, key))
}

/** Request bodies whose `input` is no list of items: a text, which is one message of the user, or what it must not be. */
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

function readTextBody(from: SourceValue): ReadConversation | Problem {
  const owner = from.value as JsonObject
  const { input } = owner
  if (typeof input !== 'string') {
    return wrongType(
      from,
      ['input'],
      input,
      'a text or a list of items, objects with a "type" or a "role"',
    )
  }
  const label = from.line === undefined ? 'input' : `line ${from.line}`
  const message = textMessage('user', input, 'input')
  return converse(label, owner, [
    ...systemOf(owner, from, []),
    [{ raw: message, source: from, path: [] }],
  ])
}

function readList({ label, items, owner }: MessageList): {
  conversation: ReadConversation
  problems: Problem[]
} {
  const { placed, problems } = groupItems(items)
  const [first] = items
  const system = first === undefined ? [] : systemOf(owner, first.source, first.path.slice(0, -2))
  const place = label === 'messages' ? 'items' : label
  return { conversation: converse(place, owner, [...system, ...placed]), problems }
}

/** The `instructions` beside the items as the first message. */
function systemOf(
  owner: MessageList['owner'],
  source: SourceValue,
  path: MessageList['items'][number]['path'],
): PlacedMessage[] {
  const instructions = owner?.instructions
  if (typeof instructions !== 'string' || instructions === '') return []
  return [[{ raw: textMessage('system', instructions, 'instructions'), source, path }]]
}

function converse(
  label: string,
  owner: MessageList['owner'],
  placed: readonly PlacedMessage[],
): ReadConversation {
  return buildConversation(placed, {
    label,
    model: typeof owner?.model === 'string' ? owner.model : undefined,
    toolSchemas: Array.isArray(owner?.tools) ? JSON.stringify(owner.tools) : '',
  })
}
