/** The message lists of a document of LangChain's: which are conversations, and which only repeat a part of one. */
import { isJsonObject } from '../conversation/chat-message'
import { usableId } from '../conversation/link-messages'
import { type LangchainMessage, unwrapLangchain } from './langchain-messages'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  type MessageLists,
} from './message-lists'
import { embeddedValue, type SourceDocument } from './source-document'

/** `system` and `function` name messages elsewhere too; `human` and `ai` are LangChain's own words. */
const MESSAGES: MessageKind = {
  isMessage: (value) => unwrapLangchain(value) !== undefined || isRemoval(value),
  isTelling: (messages) => messages.some(isTelling),
}

/**
 * Lists of messages; where there is none, rows of a message each, as chat histories lie in databases. What a graph's
 * nodes wrote beside the state that has it already is no conversation; of a stream of such updates all are one.
 */
export function findLangchainLists(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, MESSAGES)
  if (lists.length === 0) return findRows(source)
  if (lists.length === 1) return { shape, lists }
  const facts = lists.map(factsOf)
  const kept = withoutExtracts(facts)
  return { shape, lists: areUpdates(kept) ? [joined(kept)] : kept.map(({ list }) => list) }
}

/** LangGraph's order to take a message out of the state: no message itself. */
export function isRemoval(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (value.lc === 1 && Array.isArray(value.id)) return value.id.at(-1) === 'RemoveMessage'
  return value.type === 'remove'
}

function isTelling(value: unknown): boolean {
  const message = unwrapLangchain(value)
  if (message === undefined) return false
  const { role, below, fields } = message
  if (below[0] === 'kwargs' || role === 'user' || role === 'assistant') return true
  return role === 'tool' && isJsonObject(fields) && Object.hasOwn(fields, 'tool_call_id')
}

/** What tells lists apart: which messages they hold, and whether they answer calls of others. */
interface ListFacts {
  readonly list: MessageList
  /** By message; undefined where nothing names it. */
  readonly keys: readonly (string | undefined)[]
  readonly called: ReadonlySet<string>
  /** Ids of calls it answers and does not make. */
  readonly foreign: readonly string[]
  readonly hasResults: boolean
  readonly begins: string | undefined
}

function factsOf(list: MessageList): ListFacts {
  const messages = list.items.map(({ value }) => unwrapLangchain(value))
  const called = new Set(messages.flatMap(callIdsOf))
  const answered = messages.flatMap((message) => answeredBy(message) ?? [])
  return {
    list,
    keys: messages.map(keyOf),
    called,
    foreign: answered.filter((id) => !called.has(id)),
    hasResults: answered.length > 0,
    begins: messages[0]?.role,
  }
}

function fieldsOf(message: LangchainMessage | undefined): Readonly<Record<string, unknown>> {
  return isJsonObject(message?.fields) ? message.fields : {}
}

function callIdsOf(message: LangchainMessage | undefined): string[] {
  const { tool_calls: calls, invalid_tool_calls: invalid } = fieldsOf(message)
  return [calls, invalid].flatMap((list) =>
    Array.isArray(list)
      ? list.flatMap((call: unknown) => (isJsonObject(call) ? (usableId(call.id) ?? []) : []))
      : [],
  )
}

function answeredBy(message: LangchainMessage | undefined): string | undefined {
  return message?.role === 'tool' ? usableId(fieldsOf(message).tool_call_id) : undefined
}

function keyOf(message: LangchainMessage | undefined): string | undefined {
  const answered = answeredBy(message)
  if (answered !== undefined) return `result ${answered}`
  return usableId(fieldsOf(message).id) ?? callIdsOf(message)[0]
}

/** Without lists of which the largest that has their first message has all, and that are no request by themselves. */
function withoutExtracts(facts: readonly ListFacts[]): readonly ListFacts[] {
  const largest = new Map<string, ListFacts>()
  for (const one of facts) {
    for (const key of one.keys) {
      if (key === undefined) continue
      const known = largest.get(key)
      if (known === undefined || known.keys.length < one.keys.length) largest.set(key, one)
    }
  }
  const keySets = new Map<ListFacts, ReadonlySet<string | undefined>>()
  const isExtract = (one: ListFacts): boolean => {
    const [first] = one.keys
    const whole = first === undefined ? undefined : largest.get(first)
    if (whole === undefined || whole.keys.length <= one.keys.length) return false
    const isWritten = one.list.items[0]?.path.includes('writes') === true
    const isPart = one.begins === 'tool' || (one.begins === 'assistant' && !one.hasResults)
    if (!isWritten && !isPart) return false
    const known = keySets.get(whole) ?? new Set(whole.keys)
    keySets.set(whole, known)
    return one.keys.every((key) => key !== undefined && known.has(key))
  }
  return facts.filter((one) => !isExtract(one))
}

/** Whether lists go on from each other: calls of one are answered in a later one, and no message stands twice. */
function areUpdates(facts: readonly ListFacts[]): boolean {
  const seen = new Set<string>()
  const called = new Set<string>()
  let goesOn = false
  for (const { keys, foreign, called: own } of facts) {
    for (const key of keys) {
      if (key === undefined) continue
      if (seen.has(key)) return false
      seen.add(key)
    }
    if (foreign.some((id) => !called.has(id))) return false
    goesOn ||= foreign.length > 0
    for (const id of own) called.add(id)
  }
  return goesOn
}

function joined(facts: readonly ListFacts[]): MessageList {
  const items = facts.flatMap(({ list }) => list.items)
  return { label: 'messages', items, owner: undefined }
}

/** Keys of the columns that hold a message, and of those that name its conversation. */
const MESSAGE_KEYS = ['message', 'History']
const SESSION_KEYS = ['session_id', 'sessionId', 'SessionId', 'thread_id']

const ROWS: MessageKind = {
  isMessage: (value) => messageIn(value) !== undefined,
  isTelling: (rows) => rows.some((row) => isTelling(messageIn(row)?.value)),
}

function findRows(source: SourceDocument): MessageLists {
  const { shape, lists } = findMessageLists(source, ROWS)
  return { shape, lists: lists.flatMap((list) => sessionsOf(source.text, list)) }
}

/** The message a row holds, as it stands or as JSON in a string. */
function messageIn(row: unknown): { readonly key: string; readonly value: unknown } | undefined {
  if (!isJsonObject(row)) return undefined
  const key = MESSAGE_KEYS.find((name) => Object.hasOwn(row, name))
  if (key === undefined) return undefined
  const written = row[key]
  const value = typeof written === 'string' ? parsed(written) : written
  return unwrapLangchain(value) === undefined ? undefined : { key, value }
}

function parsed(text: string): unknown {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function sessionsOf(text: string, { label, items, owner }: MessageList): MessageList[] {
  const sessions = new Map<unknown, ListItem[]>()
  for (const item of items) {
    const row = isJsonObject(item.value) ? item.value : {}
    const session = SESSION_KEYS.map((key) => row[key]).find((id) => id !== undefined)
    const known = sessions.get(session) ?? []
    sessions.set(session, known)
    known.push(rowItem(text, item))
  }
  const isOne = sessions.size === 1
  return [...sessions].map(([session, messages]) => ({
    label: isOne ? label : `${label}, ${String(session)}`,
    items: messages,
    owner,
  }))
}

/** The message of a row, where it stands; the row itself where it has none. */
function rowItem(text: string, item: ListItem): ListItem {
  const found = messageIn(item.value)
  if (found === undefined) return item
  const { source, path } = item
  const at = [...path, found.key]
  const held = embeddedValue(text, source, at)
  if (held !== undefined) return { source: held, path: [], value: held.value }
  return { source, path: at, value: found.value }
}
