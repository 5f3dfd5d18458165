import type { ReadConversation } from '../../conversation/conversation'
import type { Problem, ReadError } from '../../problem'
import { isJsonObject, type JsonObject } from '../../text/json'
import type { MessagePieces, SourcePath } from './conversation'
import type { Evidence, Format } from './format'
import type { ListItem, MessageList, MessageListKind, MessageLists } from './lists'
import { findMessageLists, skippedMessageProblem } from './lists'
import { type ReportWrongType, reportWrongTypesTo } from './report'
import type { SourceDocument } from './source-document'

/** A format whose documents are lists of messages, read one by one. */
interface ListFormat<Id extends string> extends Pick<Format<Id>, 'id' | 'label' | 'expects'> {
  /** What the lists are recognised by, or what finds them. */
  readonly kind: MessageListKind | ((source: SourceDocument) => MessageLists)
  /** The error for a request body whose member for messages is no list of them. */
  readonly misplaced?: (source: SourceDocument) => ReadError | undefined
  readonly shape?: (found: MessageLists) => Evidence['shape']
  readonly marks: (source: SourceDocument, lists: readonly MessageList[]) => readonly string[]
  readonly readList: (
    list: MessageList,
    problems: Problem[],
  ) => ReadConversation | readonly ReadConversation[]
}

export function listFormat<const Id extends string>(format: ListFormat<Id>): Format<Id> {
  const { kind, misplaced, shape, marks, readList, ...names } = format
  const find = (source: SourceDocument) =>
    typeof kind === 'function' ? kind(source) : findMessageLists(source, kind)
  return {
    ...names,
    recognise: (source) => {
      const found = find(source)
      const { lists } = found
      if (lists.length === 0 && misplaced?.(source) === undefined) return null
      const ownShape = shape?.(found) ?? found.shape
      return { shape: ownShape, lists: lists.length, marks: marks(source, lists) }
    },
    read: (source) => {
      const { lists } = find(source)
      const error = lists.length === 0 ? misplaced?.(source) : undefined
      if (error !== undefined) throw error
      const problems: Problem[] = []
      const conversations = lists.flatMap((list) => readList(list, problems))
      return { conversations, problems }
    },
  }
}

/** Reads the items of a list; one that is no object, or from which nothing is read, is a problem. */
export function readItems(
  items: readonly ListItem[],
  problems: Problem[],
  read: (
    value: JsonObject,
    place: SourcePath,
    report: ReportWrongType,
  ) => readonly MessagePieces[] | undefined,
): MessagePieces[] {
  return items.flatMap((item) => {
    const { source, path, value } = item
    const found = isJsonObject(value)
      ? read(value, { source, path }, reportWrongTypesTo(problems, source, path))
      : undefined
    if (found === undefined) problems.push(skippedMessageProblem(item))
    return found ?? []
  })
}
