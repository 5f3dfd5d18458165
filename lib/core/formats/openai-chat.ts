/**
 * OpenAI chat completions: https://platform.openai.com/docs/api-reference/chat/create
 * A turn is an assistant message with at least one tool call that has an id, a result a message of role `tool`.
 * Shapes: a message array, a request body, JSON Lines of messages or of bodies, lists of messages anywhere in a larger document.
 * Ignored: answers (`choices`), and everything beside `messages` but `model`, `tools` and `functions`.
 */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { describeJson } from './describe-json'
import { findKeys } from './find-keys'
import type { Evidence, Format, FormatReading } from './format'
import type { SourceDocument, SourceValue } from './source-document'

const CHAT_ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

interface MessageList {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly list: readonly unknown[]
  /** The object the list is a property of. */
  readonly owner: Readonly<Record<string, unknown>> | undefined
}

export const openaiChat: Format = {
  id: 'openai-chat',
  label: 'OpenAI chat',
  expects: 'a list of messages, objects with a "role", whose tool results have the role "tool"',
  recognise: (source) => {
    if (areMessageLines(source)) return { shape: 'message_lines', lists: 1, marks: marksIn(source) }
    const lists = findLists(source)
    if (lists.length === 0 && misplacedMessages(source) === undefined) return null
    return { shape: shapeOf(source, lists), lists: lists.length, marks: marksIn(source) }
  },
  read: (source) => {
    if (areMessageLines(source)) return readLines(source)
    const lists = findLists(source)
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
  return findKeys(source, ['tool_calls', 'tool_call_id', 'role'])
}

function shapeOf(source: SourceDocument, lists: readonly MessageList[]): Evidence['shape'] {
  const isBody = (found: MessageList) => found.path.length === 1 && found.path[0] === 'messages'
  if (source.layout === 'jsonl') return lists.every(isBody) ? 'body_lines' : 'nested_lists'
  const [only] = lists
  if (only === undefined || (lists.length === 1 && isBody(only))) return 'request_body'
  return lists.length === 1 && only.path.length === 0 ? 'message_array' : 'nested_lists'
}

function hasRole(value: unknown): boolean {
  return isJsonObject(value) && typeof value.role === 'string'
}

/** One message a line; a single line is plain JSON to the reader of lines. */
function areMessageLines(source: SourceDocument): boolean {
  const withRole = source.values.filter(({ value }) => hasRole(value))
  const isMostly = withRole.length * 2 > source.values.length
  return isMostly && isMessageList(withRole.map(({ value }) => value))
}

/** A list at least half of objects with a role, one of them a chat role with `content` or `tool_calls`. */
function isMessageList(list: readonly unknown[]): boolean {
  const messages = list.filter(isJsonObject).filter(hasRole)
  if (messages.length === 0 || messages.length * 2 < list.length) return false
  return messages.some(
    (message) =>
      CHAT_ROLES.has(message.role as string) &&
      (Object.hasOwn(message, 'content') || Object.hasOwn(message, 'tool_calls')),
  )
}

function findLists(source: SourceDocument): MessageList[] {
  const lists: MessageList[] = []
  const visit = (
    value: unknown,
    owner: MessageList['owner'],
    path: JsonPath,
    from: SourceValue,
  ): void => {
    if (Array.isArray(value)) {
      if (isMessageList(value)) lists.push({ source: from, path, list: value, owner })
      else
        for (const [index, item] of value.entries()) visit(item, undefined, [...path, index], from)
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) visit(member, value, [...path, key], from)
    }
  }
  for (const from of source.values) visit(from.value, undefined, [], from)
  return lists
}

/** The error for a body whose `messages` is there but no list of messages. */
function misplacedMessages(source: SourceDocument): ReadError | undefined {
  for (const { value, tree } of source.values) {
    if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) continue
    const expected = 'a list of messages, objects with a "role"'
    const found = describeJson(value.messages)
    return new ReadError(
      'wrong_type',
      { path: 'messages', found, expected },
      nodeAt(tree, ['messages'])?.start,
    )
  }
  return undefined
}

function readLines(source: SourceDocument): FormatReading {
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  for (const from of source.values) {
    const raw = readChatMessage(from.value)
    if (raw !== undefined) placed.push([{ raw, source: from, path: [] }])
    else problems.push(skipped(`line ${from.line}`, from.value, from.tree.start))
  }
  const frame = { label: 'messages', model: undefined, toolSchemas: '' }
  return { conversations: [buildConversation(placed, frame)], problems }
}

function readList(found: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const { source, path, list, owner } = found
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  for (const [index, value] of list.entries()) {
    const at = [...path, index]
    const raw = readChatMessage(value)
    if (raw !== undefined) placed.push([{ raw, source, path: at }])
    else problems.push(skipped(readablePath(at), value, nodeAt(source.tree, at)?.start))
  }
  const isPlainLine = source.line !== undefined && path.length <= 1
  const place = path.length === 0 ? 'messages' : readablePath(path)
  const label =
    source.line === undefined
      ? place
      : isPlainLine
        ? `line ${source.line}`
        : `line ${source.line}, ${place}`
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

function skipped(path: string, value: unknown, offset: number | undefined): Problem {
  return { code: 'skipped_message', values: { path, found: describeJson(value) }, offset }
}
