/**
 * Sessions of Goose: `goose session export --format json`, and session files of one message per line:
 * https://github.com/block/goose/blob/main/crates/goose/src/conversation/message.rs
 * A turn is a message of role `assistant` with a `toolRequest` that has an id. A result is a `toolResponse` part of a user
 * message: the text parts of its value, or its error. Other parts of a result stay.
 * Messages with `agentVisible: false` were sent until a compaction; they are a conversation of their own.
 * Duplicates: strings of `structuredContent` that repeat the result. Usage is stated for the session as a whole.
 * Ignored: confirmations and notifications, which no model receives. There are no system prompt and no tool schemas.
 * It is longer than most readers because calls and results are parts with an outcome, a value or an error, of two versions.
 */

import { argumentsText } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonPath,
  membersOf,
  type Unchecked,
} from '../../text/json-object'
import { phrase } from '../../words/words'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { findKeys } from '../reading/find-keys'
import { findRepeats } from '../reading/find-repeats'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import {
  EMPTY_PART_TEXT,
  emptyBody,
  type MessageBody,
  memberText,
  rawMessage,
  textBlocks,
  withoutEmptyParts,
} from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

interface GooseMessage {
  readonly role: 'user' | 'assistant'
  /** In seconds. */
  readonly created: number
  readonly content: readonly Part[]
  readonly metadata?: { readonly agentVisible?: boolean }
}

/** The members of all types of parts that are read. */
interface Part {
  readonly type: string
  readonly text?: string
  readonly thinking?: string
  readonly id?: string
  readonly toolCall?: { readonly value?: { readonly name: string; readonly arguments?: object } }
  /** The value of older sessions is the list of contents itself. */
  readonly toolResult?: {
    readonly status?: 'success' | 'error'
    readonly value?:
      | { readonly content: readonly object[]; readonly isError?: boolean }
      | readonly object[]
    readonly error?: string
  }
}

const CALLS: readonly unknown[] = ['toolRequest', 'frontendToolRequest']
const MARKS: readonly unknown[] = [...CALLS, 'toolResponse']

const GOOSE_MESSAGES: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) && typeof value.role === 'string' && Array.isArray(value.content),
  hasFormatMarks: (messages) =>
    messages.some((message) =>
      itemsOf(membersOf(message).content).some((part) => MARKS.includes(membersOf(part).type)),
    ),
}

export const goose: Format = {
  id: 'goose',
  label: 'Goose session',
  expects: 'expects_goose',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, GOOSE_MESSAGES)
    if (lists.length === 0) return null
    return { shape, lists: lists.length, marks: findKeys(source, ['toolCall', 'toolResult']) }
  },
  read: (source) => {
    const problems: Problem[] = []
    const { lists } = findMessageLists(source, GOOSE_MESSAGES)
    return { conversations: lists.flatMap((list) => readList(list, problems)), problems }
  },
}

function readList(
  { label, items, owner = {} }: MessageList,
  problems: Problem[],
): ReadConversation[] {
  const before: MessagePieces[] = []
  const placed: MessagePieces[] = []
  for (const item of items) {
    const { source, path, value } = item
    if (!isJsonObject(value) || typeof value.role !== 'string') {
      // The first line of a session file describes the session.
      if (source.line !== 1) problems.push(skippedMessageProblem(item))
      continue
    }
    const { metadata, created }: Unchecked<GooseMessage> = value
    const raw = readMessage(value, value.role, reportWrongTypesTo(problems, source, path))
    const members = itemsOf(value.content).map((_, index) => [
      'content',
      index,
      'toolResult',
      'value',
      'structuredContent',
    ])
    const duplicates = findRepeats(
      { source, path },
      members,
      raw.results.map(({ texts }) => texts),
    )
    const isSent = membersOf(metadata).agentVisible !== false
    const list = isSent ? placed : before
    list.push([{ source, path, raw: { ...raw, writtenAt: readTime(created) }, duplicates }])
  }
  const total = readUsage(owner, 'goose')
  const details = {
    model: nonEmptyString(membersOf(owner.model_config).model_name),
    toolSchemas: '',
  }
  const usageTotal = total && { ...total, requests: undefined }
  const session = { ...details, label, usageTotal, followsCompaction: before.length > 0 }
  return [
    ...(before.length > 0
      ? [buildConversation(before, { ...details, label: phrase('before_a_compaction', { label }) })]
      : []),
    buildConversation(placed, session),
  ]
}

function readMessage(
  { content }: Unchecked<GooseMessage>,
  role: string,
  report: ReportWrongType,
): RawMessage {
  const body = emptyBody()
  if (!Array.isArray(content)) report(['content'], content, 'list_of_parts')
  for (const [index, part] of itemsOf(content).entries()) {
    const path = ['content', index]
    if (!isJsonObject(part)) {
      report(path, part, 'part_with_type')
      continue
    }
    const { type, id, toolCall, toolResult }: Unchecked<Part> = part
    const isCall = CALLS.includes(type)
    if ((isCall || type === 'toolResponse') && nonEmptyString(id) === undefined)
      report([...path, 'id'], id, 'id')
    if (type === 'text') body.contents.push(...memberText(part, 'text', path))
    else if (type === 'thinking') body.reasoning.push(...memberText(part, 'thinking', path))
    else if (type === 'image') body.nonTextParts++
    else if (isCall) {
      const { name, arguments: written } = membersOf(membersOf(toolCall).value)
      const place =
        written === undefined ? {} : { path: [...path, 'toolCall', 'value', 'arguments'] }
      body.calls.push({ id, name, arguments: argumentsText(written), ...place })
    } else if (type === 'toolResponse')
      readResult(body, id, toolResult, [...path, 'toolResult'], report)
  }
  return rawMessage(role, body)
}

function readResult(
  body: MessageBody,
  callId: unknown,
  result: unknown,
  path: JsonPath,
  report: ReportWrongType,
): void {
  const outcome = membersOf(result)
  const { value } = outcome
  const [blocks, below] = Array.isArray(value)
    ? [value, [...path, 'value']]
    : [membersOf(value).content, [...path, 'value', 'content']]
  const isFailed = outcome.status === 'error'
  const texts = isFailed ? memberText(outcome, 'error', path) : textBlocks(blocks, below)
  if (!isFailed && !Array.isArray(blocks)) report(below, blocks, 'list_of_parts')
  body.nonTextParts += isFailed ? 0 : itemsOf(blocks).length - texts.length
  body.results.push({
    callId,
    shape: texts.length > 0 ? 'text' : 'other',
    texts: withoutEmptyParts(texts),
    filler: EMPTY_PART_TEXT,
    isFlaggedError: isFailed || membersOf(value).isError === true,
  })
}
