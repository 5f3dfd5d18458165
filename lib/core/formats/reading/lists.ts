import { errorOf, type Problem, type ReadError } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import { type JsonPath, readablePath } from '../../text/json-path'
import { phrase, type Said, type WordKey, type Words } from '../../words/words'
import type { Evidence } from './format'
import { joinGrowth, MESSAGE_LISTS } from './join-growth'
import { describeJson, lineOrPath, placeOf, wrongTypeProblem } from './report'
import type { SourceDocument, SourceValue } from './source-document'

/** A value, such as an item of a message list, with its path. */
export interface ListItem<Value = unknown> {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: Value
}

/** Returns the items of a list at a path; any other value has none, and is reported. */
export function expectItemsAt(
  source: SourceValue,
  path: JsonPath,
  list: unknown,
  expected: Said,
  problems: Problem[],
): ListItem[] {
  if (!Array.isArray(list)) problems.push(wrongTypeProblem(source, path, list, expected))
  return itemsAt(source, path, list)
}

/** Returns the items of a list at a path; any other value has none. */
export function itemsAt(source: SourceValue, path: JsonPath, list: unknown): ListItem[] {
  return itemsOf(list).map((value, index) => ({ source, path: [...path, index], value }))
}

export interface MessageList {
  /** Name shown in the picker: the position of the list, such as `messages` or `line 3`. */
  readonly label: Words
  /** In JSON Lines of messages, each item has its own source value. */
  readonly items: readonly ListItem[]
  /** The object that has the list as a property; undefined for lines and for lists in lists. */
  readonly owner: Readonly<Record<string, unknown>> | undefined
}

export interface MessageLists {
  readonly shape: Evidence['shape']
  readonly lists: readonly MessageList[]
}

/** Rules by which a format recognises its message lists. */
export interface MessageListKind {
  readonly isMessage: (value: unknown) => boolean
  /** True if the messages, or the object that owns their list, are typical of this format. */
  readonly hasFormatMarks: (messages: readonly unknown[], owner: MessageList['owner']) => boolean
  /**
   * True if messages without format marks can be of this format, such as the first request of a log. They are accepted
   * only at a path where another list has marks. When absent, lists without marks are never accepted.
   */
  readonly isCompatible?: (messages: readonly unknown[]) => boolean
}

interface FoundList {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly list: readonly unknown[]
  readonly owner: MessageList['owner']
  readonly hasFormatMarks: boolean
}

/**
 * Finds the message lists of a source: its lines, when more than half of them are messages; otherwise every list of which
 * at least half are messages. Lists inside a message list are not searched.
 */
export function findMessageLists(source: SourceDocument, kind: MessageListKind): MessageLists {
  const lines = source.values.map(({ value }) => value).filter(kind.isMessage)
  if (lines.length * 2 > source.values.length && kind.hasFormatMarks(lines, undefined)) {
    const items = () => source.values.map((from) => ({ source: from, path: [], value: from.value }))
    return { shape: 'message_lines', lists: [lazyList('messages', undefined, items)] }
  }
  const { values, items } = joinGrowth(source.values)
  const found = dropUnmarkedLists(values.flatMap((from) => listsIn(from, kind)))
  const lists = found.map(({ source, path, list, owner }) =>
    lazyList(labelOf(source, path), owner, () => items.get(list) ?? itemsAt(source, path, list)),
  )
  return { shape: shapeOf(source, found), lists }
}

/** Returns the problem for a list item that is not a message and was skipped. */
export function skippedMessageProblem({ source, path, value }: ListItem): Problem {
  const isLine = source.line !== undefined && source.basePath.length + path.length === 0
  const offset = source.tree.find(path)?.start
  return {
    code: 'skipped_message',
    values: {
      path: isLine ? lineOrPath(source, path) : placeOf(source, path),
      found: describeJson(value),
    },
    offset,
  }
}

/** Returns the values of a source, or the items of its only list; sessions of Claude Code on the web have it in `loglines`. */
export function linesOf({ values }: SourceDocument): ListItem[] {
  const [only, ...others] = values
  const { loglines } = membersOf(only?.value)
  if (only !== undefined && others.length === 0 && Array.isArray(loglines))
    return itemsAt(only, ['loglines'], loglines)
  return only !== undefined && others.length === 0 && Array.isArray(only.value)
    ? itemsAt(only, [], only.value)
    : values.map((source) => ({ source, path: [], value: source.value }))
}

/** Drops lists without format marks, unless a list with marks has the same path (indexes aside). */
function dropUnmarkedLists(found: readonly FoundList[]): FoundList[] {
  const placeOf = ({ path }: FoundList) =>
    JSON.stringify(path.map((step) => (typeof step === 'number' ? 0 : step)))
  const places = new Set(found.filter(({ hasFormatMarks }) => hasFormatMarks).map(placeOf))
  return found.filter((list) => list.hasFormatMarks || places.has(placeOf(list)))
}

function listsIn(
  source: SourceValue,
  { isMessage, hasFormatMarks, isCompatible }: MessageListKind,
): FoundList[] {
  const found: FoundList[] = []
  /** True or false: a list of messages with or without marks; undefined: not a list of messages. */
  const marksOf = (list: readonly unknown[], owner: FoundList['owner']): boolean | undefined => {
    const messages = list.filter(isMessage)
    if (messages.length === 0 || messages.length * 2 < list.length) return undefined
    if (hasFormatMarks(messages, owner)) return true
    return isCompatible?.(messages) === true ? false : undefined
  }
  const visit = (value: unknown, owner: FoundList['owner'], path: JsonPath): void => {
    if (Array.isArray(value)) {
      const hasFormatMarks = marksOf(value, owner)
      const before = found.length
      if (hasFormatMarks !== true) {
        for (const [index, item] of value.entries())
          if (canHaveLists(item)) visit(item, undefined, [...path, index])
      }
      // A list that contains another message list is not itself a list of messages.
      if (hasFormatMarks !== undefined && found.length === before) {
        found.push({ source, path, list: value, owner, hasFormatMarks })
      }
    } else if (isJsonObject(value)) {
      for (const key of Object.keys(value))
        if (canHaveLists(value[key])) visit(value[key], value, [...path, key])
    }
  }
  visit(source.value, source.owner, [])
  return found
}

/** No path is made for other values, of which an object can have hundreds of thousands. */
function canHaveLists(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}

/** Most formats only ask how many lists there are; the items of a long list take much memory. */
function lazyList(label: Words, owner: MessageList['owner'], itemsOf: () => readonly ListItem[]) {
  let items: readonly ListItem[] | undefined
  return {
    label,
    owner,
    get items() {
      items ??= itemsOf()
      return items
    },
  }
}

function labelOf({ line, owner, basePath }: SourceValue, path: JsonPath): Words {
  if (line === undefined && owner !== undefined) return readablePath([...basePath, ...path])
  const place = path.length === 0 ? 'messages' : readablePath(path)
  if (line === undefined) return place
  return path.length <= 1
    ? phrase('line', { n: line })
    : phrase('line_and_place', { n: line, place })
}

function shapeOf(source: SourceDocument, lists: readonly FoundList[]): Evidence['shape'] {
  const isBody = ({ path: [key, ...rest] }: FoundList) =>
    key !== undefined && rest.length === 0 && MESSAGE_LISTS.some((name) => name === key)
  if (source.layout === 'jsonl') return lists.every(isBody) ? 'body_lines' : 'nested_lists'
  const [only] = lists
  if (only === undefined || (lists.length === 1 && isBody(only))) return 'request_body'
  return lists.length === 1 && only.path.length === 0 ? 'message_array' : 'nested_lists'
}

/** Returns those of the keys that occur anywhere in a source, in the given order. */
export function findKeys(source: SourceDocument, keys: readonly string[]): string[] {
  const missing = new Set(keys)
  const visit = (value: unknown): void => {
    if (missing.size === 0) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item)
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) {
        missing.delete(key)
        visit(member)
      }
    }
  }
  for (const { value } of source.values) visit(value)
  return keys.filter((key) => !missing.has(key))
}

/** The problem of a value that is no list of messages; of a list, its first item that is none. */
function misplacedProblem(source: SourceValue, path: JsonPath, value: unknown, expected: WordKey) {
  const [member, item]: readonly [string, WordKey] =
    expected === 'list_of_messages_with_parts'
      ? ['parts', 'content_with_parts']
      : ['role', 'message_with_role']
  const items = itemsOf(value)
  if (items.length === 0) return wrongTypeProblem(source, path, value, expected)
  const wrong = items.findIndex((one) => !isJsonObject(one) || !Object.hasOwn(one, member))
  return wrong === -1 ? undefined : wrongTypeProblem(source, [...path, wrong], items[wrong], item)
}

/**
 * Returns the error for the first request body that has something other than a list of messages under `key`; a list of
 * messages may be of another format.
 */
export function findMisplacedMessages(
  source: SourceDocument,
  isBody: (value: JsonObject) => boolean,
  key = 'messages',
  expected: WordKey = 'list_of_messages_with_role',
): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, key) || !isBody(value)) continue
    const problem = misplacedProblem(from, [key], value[key], expected)
    if (problem !== undefined) return errorOf(problem)
  }
  return undefined
}

/** True for a message of chat completions; it can contain blocks of another format by mistake, or to repeat its calls. */
export function isChatMessage(message: unknown): boolean {
  const { role, tool_calls: calls } = membersOf(message)
  return role === 'tool' || Array.isArray(calls)
}

export function blocksOf(message: unknown): readonly unknown[] {
  return itemsOf(membersOf(message).content)
}

/** True for a message without calls and results: of one of the roles, with a text or parts of these types. */
export function isPlainMessage(
  message: unknown,
  roles: readonly unknown[],
  types: readonly unknown[],
): boolean {
  const { role, content } = membersOf(message)
  if (isChatMessage(message) || !roles.includes(role)) return false
  if (typeof content === 'string') return true
  return Array.isArray(content) && content.every((part) => types.includes(membersOf(part).type))
}
