import { isJsonObject } from '../conversation/chat-message'
import type { Problem } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { nodeAt } from '../text/json-tree'
import { describeJson } from './describe-json'
import type { Evidence } from './format'
import type { SourceDocument, SourceValue } from './source-document'

/** A value of a message list, and where it stands. */
export interface ListItem {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: unknown
}

export interface MessageList {
  /** What a picker shows: where the list stands, such as `messages` or `line 3`. */
  readonly label: string
  /** In lines of messages each stands in a source value of its own. */
  readonly items: readonly ListItem[]
  /** The object the list is a property of; undefined for lines and for lists in lists. */
  readonly owner: Readonly<Record<string, unknown>> | undefined
}

export interface MessageLists {
  readonly shape: Evidence['shape']
  readonly lists: readonly MessageList[]
}

/** What a format's message lists are made of. */
export interface MessageKind {
  readonly isMessage: (value: unknown) => boolean
  /** Whether messages, or what stands beside them, speak for the format, not only for any list of messages. */
  readonly isTelling: (messages: readonly unknown[], owner: MessageList['owner']) => boolean
  /**
   * Whether messages may be of the format though nothing in them tells, such as the first request of a log: they are,
   * where they stand in the place of telling ones. Without it, only what tells is.
   */
  readonly mayBe?: (messages: readonly unknown[]) => boolean
}

interface FoundList {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly list: readonly unknown[]
  readonly owner: MessageList['owner']
  readonly isTelling: boolean
}

/**
 * The message lists of a source: its lines, when more than half are messages, else every list anywhere in it of which
 * at least half are. Lists inside such a list are not looked for.
 */
export function findMessageLists(source: SourceDocument, kind: MessageKind): MessageLists {
  const lines = source.values.filter(({ value }) => kind.isMessage(value))
  const areMostly = lines.length * 2 > source.values.length
  if (
    areMostly &&
    kind.isTelling(
      lines.map(({ value }) => value),
      undefined,
    )
  ) {
    const items = source.values.map((from) => ({ source: from, path: [], value: from.value }))
    return { shape: 'message_lines', lists: [{ label: 'messages', items, owner: undefined }] }
  }
  const found = withoutLone(source.values.flatMap((from) => listsIn(from, kind)))
  return { shape: shapeOf(source, found), lists: found.map(listOf) }
}

/** The problem of an item that is no message and was left alone. */
export function skippedItem({ source, path, value }: ListItem): Problem {
  const inner = [...source.heldAt, ...path]
  const line = source.line === undefined ? [] : [`line ${source.line}`]
  const place = [...line, ...(inner.length > 0 || line.length === 0 ? [readablePath(inner)] : [])]
  const offset = nodeAt(source.tree, path)?.start
  return {
    code: 'skipped_message',
    values: { path: place.join(': '), found: describeJson(value) },
    offset,
  }
}

/** Lists that do not tell stay where they stand in the place of one that does. */
function withoutLone(found: readonly FoundList[]): FoundList[] {
  const placeOf = ({ path }: FoundList) =>
    JSON.stringify(path.map((step) => (typeof step === 'number' ? 0 : step)))
  const places = new Set(found.filter(({ isTelling }) => isTelling).map(placeOf))
  return found.filter((list) => list.isTelling || places.has(placeOf(list)))
}

function listsIn(source: SourceValue, { isMessage, isTelling, mayBe }: MessageKind): FoundList[] {
  const found: FoundList[] = []
  /** Undefined: no list of messages. */
  const tells = (list: readonly unknown[], owner: FoundList['owner']): boolean | undefined => {
    const messages = list.filter(isMessage)
    if (messages.length === 0 || messages.length * 2 < list.length) return undefined
    if (isTelling(messages, owner)) return true
    return mayBe?.(messages) === true ? false : undefined
  }
  const visit = (value: unknown, owner: FoundList['owner'], path: JsonPath): void => {
    if (Array.isArray(value)) {
      const isTelling = tells(value, owner)
      const before = found.length
      if (isTelling !== true) {
        for (const [index, item] of value.entries()) visit(item, undefined, [...path, index])
      }
      // One in which another was found is more than a list of messages.
      if (isTelling !== undefined && found.length === before) {
        found.push({ source, path, list: value, owner, isTelling })
      }
    } else if (isJsonObject(value)) {
      for (const [key, member] of Object.entries(value)) visit(member, value, [...path, key])
    }
  }
  visit(source.value, undefined, [])
  return found
}

function listOf({ source, path, list, owner }: FoundList): MessageList {
  const items = list.map((value, index) => ({ source, path: [...path, index], value }))
  return { label: labelOf(source, path), items, owner }
}

function labelOf({ line }: SourceValue, path: JsonPath): string {
  const place = path.length === 0 ? 'messages' : readablePath(path)
  if (line === undefined) return place
  return path.length <= 1 ? `line ${line}` : `line ${line}, ${place}`
}

/** What request bodies call their list of messages. */
const BODY_KEYS: JsonPath = ['messages', 'contents', 'input']

function shapeOf(source: SourceDocument, lists: readonly FoundList[]): Evidence['shape'] {
  const isBody = ({ path: [key, ...rest] }: FoundList) =>
    key !== undefined && rest.length === 0 && BODY_KEYS.includes(key)
  if (source.layout === 'jsonl') return lists.every(isBody) ? 'body_lines' : 'nested_lists'
  const [only] = lists
  if (only === undefined || (lists.length === 1 && isBody(only))) return 'request_body'
  return lists.length === 1 && only.path.length === 0 ? 'message_array' : 'nested_lists'
}
