/**
 * LangChain messages, and states of LangGraph threads: https://docs.langchain.com/oss/python/langchain/messages
 * A message is serialised (`lc: 1`, the class in `id`, the fields in `kwargs`), stored (`type` and `data`) or plain
 * (`type` beside the fields, as in `values.messages` of LangGraph's API). Each list of messages is a conversation: a
 * thread's history has one per state, runs of LangSmith have one per call.
 * A turn is an AI message with a call that has an id: in `tool_calls` or `invalid_tool_calls`, or else in
 * `additional_kwargs`. A result is a tool message. Its text is its content if that is a string; a list of text blocks
 * is `text_parts`, as in chat completions; with other blocks, or without any, it is not text. `status: "error"` flags
 * it as an error.
 * Duplicates: strings of a result's `artifact` (not sent to a model) that repeat its lines; and strings outside the
 * conversations that equal it, such as output of a node.
 * Ignored: content blocks that repeat calls, RemoveMessage.
 * Lists that repeat a part of another are dropped; those in a stream of updates are joined into one conversation. Rows of a
 * chat history table (`message`, `History`) have one message each, and are grouped by session.
 */
import { addToGroup } from '../../conversation/add-to-group'
import { nonEmptyString } from '../../conversation/link-messages'
import type { JsonObject } from '../../text/json'
import { isJsonObject, itemsOf, membersOf, parseJson, scalarText } from '../../text/json'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import type { ListItem, MessageList, MessageListKind, MessageLists } from '../reading/lists'
import { findMessageLists } from '../reading/lists'
import { expectKind, type ReportWrongType, reportWrongTypesTo } from '../reading/report'
import { embeddedValue, type SourceDocument } from '../reading/source-document'
import { type LangchainMessage, readFields, unwrapMessage } from './langchain-messages'

/** Columns of a chat history, as different databases name them. */
const MESSAGE_KEYS = ['message', 'History'] as const
const SESSION_KEYS = ['session_id', 'sessionId', 'SessionId', 'thread_id'] as const

const MESSAGES: MessageListKind = {
  isMessage: (value) => unwrapMessage(value) !== undefined || isRemoval(value),
  hasFormatMarks: (messages) => messages.some(hasMessageMarks),
}

const ROWS: MessageListKind = {
  isMessage: (row) => messageIn(row) !== undefined,
  hasFormatMarks: (rows) => rows.some((row) => hasMessageMarks(messageIn(row)?.value)),
}

/** Finds the conversations of a source; without message lists, it finds rows with a message each. */
export function findLangchainLists(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, MESSAGES)
  if (lists.length === 0) {
    const rows = findMessageLists(source, ROWS)
    return { shape: rows.shape, lists: rows.lists.flatMap(sessionsOf) }
  }
  if (lists.length === 1) return { shape, lists }
  const summaries = withoutExtracts(lists.map(summarise))
  const found = summaries.map(({ list }) => list)
  if (!areUpdates(summaries)) return { shape, lists: found }
  const items = found.flatMap((list) => list.items)
  return { shape, lists: [{ label: 'messages', items, owner: undefined }] }
}

/** True for RemoveMessage, LangGraph's instruction to remove a message from the state. */
export function isRemoval(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (value.lc === 1 && Array.isArray(value.id)) return value.id.at(-1) === 'RemoveMessage'
  return value.type === 'remove'
}

/** True for messages that only LangChain writes: other formats have types `system` and `function` too. */
function hasMessageMarks(value: unknown): boolean {
  const message = unwrapMessage(value)
  if (message === undefined) return false
  const { role, fieldsPath, fields } = message
  if (fieldsPath[0] === 'kwargs' || role === 'user' || role === 'assistant') return true
  return role === 'tool' && isJsonObject(fields) && Object.hasOwn(fields, 'tool_call_id')
}

/** Facts about a list, compared to find lists that repeat or continue each other. */
type ListSummary = ReturnType<typeof summarise>

function summarise(list: MessageList) {
  const messages = list.items.map(({ value }) => unwrapMessage(value))
  const callIds = new Set(messages.flatMap(callIdsOf))
  const answeredIds = messages.flatMap((message) => answeredIdOf(message) ?? [])
  return {
    list,
    /** A key for each message, from the id that it has or answers; undefined without one. */
    keys: messages.map(keyOf),
    callIds,
    /** Ids that its results answer and none of its calls has. */
    foreignIds: answeredIds.filter((id) => !callIds.has(id)),
    hasResults: answeredIds.length > 0,
    firstRole: messages[0]?.role,
  }
}

function fieldsOf(message: LangchainMessage | undefined): JsonObject {
  return isJsonObject(message?.fields) ? message.fields : {}
}

function callIdsOf(message: LangchainMessage | undefined): string[] {
  const { tool_calls: calls, invalid_tool_calls: invalid } = fieldsOf(message)
  const all = [calls, invalid].flatMap(itemsOf)
  return all.flatMap((call) => nonEmptyString(membersOf(call).id) ?? [])
}

function answeredIdOf(message: LangchainMessage | undefined): string | undefined {
  return message?.role === 'tool' ? nonEmptyString(fieldsOf(message).tool_call_id) : undefined
}

function keyOf(message: LangchainMessage | undefined): string | undefined {
  const answeredId = answeredIdOf(message)
  if (answeredId !== undefined) return `result ${answeredId}`
  return nonEmptyString(fieldsOf(message).id) ?? callIdsOf(message)[0]
}

/** Drops lists fully contained in a longer one, unless they are requests themselves. */
function withoutExtracts(summaries: readonly ListSummary[]): readonly ListSummary[] {
  const longestOfKey = new Map<string, ListSummary>()
  for (const summary of summaries) {
    for (const key of summary.keys) {
      if (key === undefined) continue
      const known = longestOfKey.get(key)
      if (known === undefined || known.keys.length < summary.keys.length)
        longestOfKey.set(key, summary)
    }
  }
  const keySets = new Map<ListSummary, ReadonlySet<string | undefined>>()
  const isExtract = ({ list, keys, firstRole, hasResults }: ListSummary): boolean => {
    const [first] = keys
    const longer = first === undefined ? undefined : longestOfKey.get(first)
    if (longer === undefined || longer.keys.length <= keys.length) return false
    const isWrittenByNode = list.items[0]?.path.includes('writes') === true
    const startsInside = firstRole === 'tool' || (firstRole === 'assistant' && !hasResults)
    if (!isWrittenByNode && !startsInside) return false
    const longerKeys = keySets.get(longer) ?? new Set(longer.keys)
    keySets.set(longer, longerKeys)
    return keys.every((key) => key !== undefined && longerKeys.has(key))
  }
  return summaries.filter((summary) => !isExtract(summary))
}

/** True where lists continue each other: later ones answer calls of earlier ones, and no message occurs twice. */
function areUpdates(summaries: readonly ListSummary[]): boolean {
  const seenKeys = new Set<string>()
  const seenCallIds = new Set<string>()
  let isContinued = false
  for (const { keys, foreignIds, callIds } of summaries) {
    for (const key of keys) {
      if (key === undefined) continue
      if (seenKeys.has(key)) return false
      seenKeys.add(key)
    }
    if (foreignIds.some((id) => !seenCallIds.has(id))) return false
    isContinued ||= foreignIds.length > 0
    for (const id of callIds) seenCallIds.add(id)
  }
  return isContinued
}

/** Finds the column of a row that has a message, and the message itself. */
function messageIn(row: unknown): { readonly key: string; readonly value: unknown } | undefined {
  if (!isJsonObject(row)) return undefined
  const key = MESSAGE_KEYS.find((name) => Object.hasOwn(row, name))
  if (key === undefined) return undefined
  const cell = row[key]
  const value =
    typeof cell === 'string' && cell.trimStart().startsWith('{') ? parseJson(cell) : cell
  return unwrapMessage(value) === undefined ? undefined : { key, value }
}

/** Groups rows by session; each is a list of messages. */
function sessionsOf({ label, items, owner }: MessageList): MessageList[] {
  const sessions = new Map<unknown, ListItem[]>()
  for (const item of items) {
    const row = membersOf(item.value)
    const session = SESSION_KEYS.map((key) => row[key]).find((id) => id !== undefined)
    addToGroup(sessions, session, messageOfRow(item))
  }
  const isOnly = sessions.size === 1
  return [...sessions].map(([session, messages]) => ({
    label: isOnly ? label : [label, scalarText(session)],
    items: messages,
    owner,
  }))
}

/** Returns the message of a row as an item; without a message, the row. */
function messageOfRow(row: ListItem): ListItem {
  const found = messageIn(row.value)
  if (found === undefined) return row
  const { source } = row
  const path = [...row.path, found.key]
  const embedded = embeddedValue(source, path)
  if (embedded !== undefined) return { source: embedded, path: [], value: embedded.value }
  return { source, path, value: found.value }
}

export const langchain = listFormat({
  id: 'langchain',
  label: 'LangChain',
  expects:
    'a list of messages with "lc": 1, or with a "type" of "human", "ai", "tool" or "system" and their fields beside it or in "data"',
  kind: findLangchainLists,
  marks: (_, lists) => marksOf(lists),
  readList: ({ label, items }, problems) => {
    let model: string | undefined
    const sent = items.filter(
      ({ value }) => !isRemoval(value) || unwrapMessage(value) !== undefined,
    )
    const placed = readItems(sent, problems, (value, place): MessagePieces[] | undefined => {
      const message = unwrapMessage(value)
      if (message === undefined) return undefined
      const { role, fields, fieldsPath } = message
      const { source, path } = place
      const report = reportWrongTypesTo(problems, source, [...path, ...fieldsPath])
      if (!isJsonObject(fields)) {
        report([], fields, 'object_fields_of_message')
        return []
      }
      reportWrongFields(fields, role, report)
      const raw = readFields(message, fields)
      model = modelOf(fields) ?? model
      return [[{ raw, ...place }]]
    })
    return buildConversation(placed, { label, model })
  },
})

function marksOf(lists: readonly MessageList[]): string[] {
  const values = lists.flatMap(({ items }) => items.map(({ value }) => value))
  const marks = values.flatMap((value) => {
    const { fieldsPath = [], type = [] } = unwrapMessage(value) ?? {}
    return [...fieldsPath.map((key) => (key === 'kwargs' ? 'lc' : key)), type].flat()
  })
  return [...new Set(marks)].slice(0, 5)
}

function reportWrongFields(fields: JsonObject, role: string, report: ReportWrongType): void {
  expectKind(report, fields, 'content', ['text', 'list', 'absent'], 'text_or_list_of_blocks')
  if (role === 'assistant')
    expectKind(report, fields, 'tool_calls', ['list', 'absent'], 'list_of_calls')
  if (role === 'tool')
    expectKind(report, fields, 'tool_call_id', ['text'], 'text_id_of_answered_call')
}

function modelOf({ response_metadata: metadata }: JsonObject): string | undefined {
  const { model_name: name, model } = membersOf(metadata)
  return [name, model].find((one) => typeof one === 'string')
}
