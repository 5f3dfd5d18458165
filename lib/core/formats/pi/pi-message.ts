/**
 * One message of a pi session:
 * https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/types.ts
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/messages.ts
 */
import { argumentsText } from '../../conversation/chat-message'
import { nonEmptyString, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, scalarText, type Unchecked } from '../../text/json-object'
import type { DuplicateString, SourcePath } from '../reading/build-conversation'
import { findRepeats } from '../reading/find-repeats'
import { skippedMessageProblem } from '../reading/message-lists'
import {
  EMPTY_PART_TEXT,
  emptyBody,
  type MessageBody,
  memberText,
  rawMessage,
  textBlocks,
  withoutEmptyParts,
} from '../reading/raw-message'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

export interface PiMessage {
  readonly role: 'user' | 'assistant' | 'toolResult' | 'bashExecution' | 'custom' | 'hookMessage'
  readonly content: string | readonly Part[]
  readonly timestamp: number
  // Only in role `assistant`:
  readonly model?: string
  readonly usage?: object
  // Only in role `toolResult`:
  readonly toolCallId?: string
  readonly isError?: boolean
  /** For the screen. */
  readonly details?: unknown
  /** In role `bashExecution`: a command that the user ran, instead of a content. */
  readonly command?: string
  readonly output?: string
  readonly excludeFromContext?: boolean
}

/** A content part: the members of all types that are read, by `type`. */
interface Part {
  readonly type: 'text' | 'thinking' | 'toolCall' | 'image'
  readonly text?: string
  readonly thinking?: string
  readonly id?: string
  readonly name?: string
  readonly arguments?: object
}

export interface ReadPiMessage {
  readonly raw: RawMessage
  /** Of each result. */
  readonly duplicates: readonly (readonly DuplicateString[])[]
  readonly isEmpty: boolean
}

/** Roles that are sent as user messages. */
const USER_ROLES: readonly unknown[] = ['user', 'bashExecution', 'custom', 'hookMessage']

/** Reads the message at a place; undefined if no model receives it. */
export function readPiMessage(
  role: unknown,
  message: Unchecked<PiMessage> & Readonly<Record<string, unknown>>,
  place: SourcePath,
  problems: Problem[],
): ReadPiMessage | undefined {
  const report = reportWrongTypesTo(problems, place.source, place.path)
  const body = emptyBody()
  const { content } = message
  let duplicates: DuplicateString[][] = []
  if (role === 'toolResult') {
    readResult(body, message, report)
    duplicates = findRepeats(
      place,
      [['details']],
      body.results.map(({ texts }) => texts),
    )
  } else if (role !== 'assistant' && !USER_ROLES.includes(role)) {
    problems.push(skippedMessageProblem({ ...place, value: message }))
    return undefined
  } else if (message.excludeFromContext === true) return undefined
  else if (content === undefined) {
    const members = ['summary', 'command', 'output']
    body.contents.push(...members.flatMap((member) => memberText(message, member)))
    if (!members.some((member) => typeof message[member] === 'string'))
      report(['content'], content, 'text_or_list_of_parts')
  } else readContent(body, content, report)
  const isUser = USER_ROLES.includes(role)
  const isEmpty = body.contents.length + body.calls.length + body.reasoning.length === 0
  const raw = rawMessage(isUser ? 'user' : scalarText(role), body)
  return { raw, duplicates, isEmpty }
}

function readContent(body: MessageBody, content: unknown, report: ReportWrongType): void {
  if (typeof content === 'string') body.contents.push({ text: content, path: ['content'] })
  else if (!Array.isArray(content)) report(['content'], content, 'text_or_list_of_parts')
  else for (const [index, part] of content.entries()) readPart(body, part, index, report)
}

function readPart(body: MessageBody, part: unknown, index: number, report: ReportWrongType): void {
  const path = ['content', index]
  if (!isJsonObject(part)) {
    report(path, part, 'part_with_type')
    return
  }
  const { type, text, thinking, id, name, arguments: written }: Unchecked<Part> = part
  if (type === 'text') {
    if (typeof text === 'string') body.contents.push({ text, path: [...path, 'text'] })
    else report([...path, 'text'], text, 'text')
  } else if (type === 'thinking') {
    if (typeof thinking === 'string' && thinking !== '')
      body.reasoning.push({ text: thinking, path: [...path, 'thinking'] })
  } else if (type === 'toolCall') {
    if (nonEmptyString(id) === undefined) report([...path, 'id'], id, 'id')
    body.calls.push({
      id,
      name,
      arguments: argumentsText(written),
      path: [...path, 'arguments'],
    })
  } else body.nonTextParts++
}

function readResult(
  body: MessageBody,
  { toolCallId: callId, content, isError }: Unchecked<PiMessage>,
  report: ReportWrongType,
): void {
  if (nonEmptyString(callId) === undefined) report(['toolCallId'], callId, 'id_of_a_call')
  const texts =
    typeof content === 'string'
      ? [{ text: content, path: ['content'] }]
      : textBlocks(content, ['content'])
  const parts = Array.isArray(content) ? content.length : texts.length
  if (texts.length === 0 && !Array.isArray(content))
    report(['content'], content, 'text_or_list_of_parts')
  const isText = texts.length > 0 && texts.length === parts
  if (!isText) {
    body.contents.push(...texts)
    body.nonTextParts += parts - texts.length
  }
  body.results.push({
    callId,
    shape: isText ? 'text' : 'other',
    texts: isText ? withoutEmptyParts(texts) : [],
    filler: EMPTY_PART_TEXT,
    isFlaggedError: isError === true,
  })
}
