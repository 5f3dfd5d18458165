/**
 * Sessions of pi (`~/.pi/agent/sessions/…/*.jsonl`) and of agents built on it, such as OpenClaw; one entry per line:
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
 * https://github.com/badlogic/pi-mono/blob/main/packages/ai/src/types.ts
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/src/core/messages.ts
 * A turn is a message of role `assistant` with a `toolCall` part that has an id. A result is a message of role `toolResult`
 * with a text or text parts; with an image it is not text.
 * Entries form a tree by `parentId`. The path to the last entry is the session; the entries of another branch are a
 * conversation of their own where they have results or usage. An entry whose parent is not in the file follows the one
 * before it, as all entries do in files of version 1.
 * A `compaction` starts a conversation with its summary. The messages that it keeps are in the file once, before it.
 * Duplicates: strings of `details` that share a line of text with the result.
 * Answers that failed or were aborted stay, with their usage, unless they are empty. Ignored: all other entries, and
 * commands that the user excluded from the context. The file has no system prompt and no tool schemas.
 */

import type { ReadConversation } from '../../conversation/conversation'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  membersOf,
  scalarText,
} from '../../text/json-object'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { findRepeats } from '../reading/find-repeats'
import { type Format, requireConversations } from '../reading/format'
import { findKeys, skippedMessageProblem } from '../reading/message-lists'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { entriesOf, readTree, reportOtherLines, type TreeEntry } from '../reading/trace-order'
import {
  type ReportWrongType,
  reportWrongTypesTo,
  wrongTypeProblem,
} from '../reading/wrong-type-problem'

const ENTRY_TYPES = [
  'session',
  'message',
  'custom_message',
  'compaction',
  'branch_summary',
  'model_change',
  'thinking_level_change',
  'custom',
  'label',
  'session_info',
  'leaf',
] as const

/** Roles that are sent as user messages. */
const USER_ROLES: readonly unknown[] = ['user', 'bashExecution', 'custom', 'hookMessage']

export const pi: Format<'pi'> = {
  id: 'pi',
  label: 'pi session',
  expects: {
    en: 'lines of type "message" with a "message" each, after a line of type "session"',
    fr: 'des lignes de type "message" avec chacune un "message", après une ligne de type "session"',
  },
  recognise: (source) => {
    const entries = entriesOf(source, isEntry)
    if (entries.length * 2 < source.values.length || !entries.some(isPiEntry)) return null
    const marks = ['message', ...findKeys(source, ['parentId', 'toolCallId', 'stopReason'])]
    return { shape: 'event_lines', lists: 1, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    const conversations = readTree(entriesOf(source, isEntry), {
      keys: ['id', 'parentId'],
      isCompaction: ({ type }, isBranch) => type === 'compaction' && !isBranch,
      read: (entries, details) => readContext(entries, details, problems),
    })
    reportOtherLines(source, problems)
    return requireConversations({ conversations, problems })
  },
}

function isEntry({ type }: JsonObject): boolean {
  return (ENTRY_TYPES as readonly unknown[]).includes(type)
}

/** True for a message whose role or parts only these files have, and for the first line. */
function isPiEntry({ value: { type, message, cwd } }: TreeEntry): boolean {
  if (type === 'session') return typeof cwd === 'string'
  const { role, content } = membersOf(message)
  const isCall = (part: unknown) => membersOf(part).type === 'toolCall'
  return type === 'message' && (role === 'toolResult' || itemsOf(content).some(isCall))
}

function readContext(
  entries: readonly TreeEntry[],
  details: Pick<ReadConversation, 'label'>,
  problems: Problem[],
): ReadConversation {
  const placed: MessagePieces[] = []
  let model: string | undefined
  let announced: string | undefined
  for (const { source, value } of entries) {
    const { type, modelId, timestamp, message, summary } = value
    // On entries `session` and `model_change`; a `summary` is sent as a message of the user.
    if (typeof modelId === 'string') announced = modelId
    const isMessage = type === 'message'
    if (!isMessage && type !== 'custom_message' && typeof summary !== 'string') continue
    const inner = isMessage ? message : value
    const path = isMessage ? ['message'] : []
    if (!isJsonObject(inner)) {
      problems.push(wrongTypeProblem(source, path, inner, 'message_with_role_and_content'))
      continue
    }
    const role = isMessage ? inner.role : 'user'
    const place = { source, path }
    const isAssistant = role === 'assistant'
    if (!isAssistant && role !== 'toolResult' && !USER_ROLES.includes(role)) {
      problems.push(skippedMessageProblem({ ...place, value: inner }))
      continue
    }
    if (role !== 'toolResult' && inner.excludeFromContext === true) continue
    const body = readMessage(inner, role, reportWrongTypesTo(problems, source, path))
    const hasFailed = inner.stopReason === 'error' || inner.stopReason === 'aborted'
    const at = readTime(timestamp) ?? readTime(inner.timestamp)
    const named = typeof inner.model === 'string' ? inner.model : undefined
    const usage = isAssistant ? readUsage(inner.usage, 'pi', { model: named, at }) : undefined
    const isEmpty = body.contents.length + body.calls.length + body.reasoning.length === 0
    if (isAssistant && isEmpty && usage === undefined) continue
    if (isAssistant) model ??= named
    const duplicates = findRepeats(place, [['details']], body.results)
    const read = rawMessage(USER_ROLES.includes(role) ? 'user' : scalarText(role), body)
    placed.push([{ raw: { ...read, hasFailed, usage, writtenAt: at }, ...place, duplicates }])
  }
  return buildConversation(placed, { ...details, model: model ?? announced })
}

function readMessage(message: JsonObject, role: unknown, report: ReportWrongType): MessageBody {
  const body = new MessageBody(report)
  const { content, toolCallId, isError } = message
  const isContent = typeof content === 'string' || Array.isArray(content)
  if (role === 'toolResult') {
    body.requireId(toolCallId, ['toolCallId'], 'id_of_a_call')
    if (!isContent) report(['content'], content, 'text_or_list_of_parts')
    body.addWholeResult(toolCallId, textsOfContent(content, ['content']), isError === true)
  } else if (content === undefined) {
    // A summary, or a command that the user ran.
    const members = ['summary', 'command', 'output']
    body.contents.push(...members.flatMap((member) => memberText(message, member)))
    if (!members.some((member) => typeof message[member] === 'string'))
      report(['content'], content, 'text_or_list_of_parts')
  } else {
    body.addContent(content, ['content'], 'text_or_list_of_parts', (part, path) => {
      const { type } = membersOf(part)
      if (!isJsonObject(part)) report(path, part, 'part_with_type')
      else if (type === 'text') body.addText(part, path)
      else if (type === 'thinking') body.reasoning.push(...memberText(part, 'thinking', path))
      else if (type === 'toolCall') body.addCall(part, path, ['id', 'name', 'arguments'])
      else body.nonTextParts++
    })
  }
  return body
}
