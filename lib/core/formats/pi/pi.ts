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

import { readTime } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import type { ReportWrongType } from '../reading/report'
import { type ReadLine, sessionLines } from '../reading/session-lines'

const ENTRY_TYPE =
  /^(?:session(?:_info)?|(?:custom_)?message|custom|compaction|branch_summary|(?:model|thinking_level)_change|label|leaf)$/

/** Roles that are sent as user messages. */
const USER_ROLES: readonly unknown[] = ['user', 'bashExecution', 'custom', 'hookMessage']

export const pi = sessionLines({
  id: 'pi',
  label: 'pi session',
  expects: 'lines of type "message" with a "message" each, after a line of type "session"',
  isLine: ({ type }) => ENTRY_TYPE.test(scalarText(type)),
  isMarked: isPiEntry,
  marks: ['message', 'parentId', 'toolCallId', 'stopReason'],
  isCompaction: ({ type }, isBranch) => type === 'compaction' && !isBranch,
  startReading: () => readEntry,
})

/** True for a message whose role or parts only these files have, and for the first line. */
function isPiEntry({ type, message, cwd }: JsonObject): boolean {
  if (type === 'session') return typeof cwd === 'string'
  const { role, content } = membersOf(message)
  const isCall = (part: unknown) => membersOf(part).type === 'toolCall'
  return type === 'message' && (role === 'toolResult' || itemsOf(content).some(isCall))
}

const readEntry: ReadLine = (entry, reportAt, facts) => {
  const { type, modelId, timestamp, message, summary } = entry
  // On entries `session` and `model_change`; a `summary` is sent as a message of the user.
  if (typeof modelId === 'string') facts.announced = modelId
  const isMessage = type === 'message'
  if (!isMessage && type !== 'custom_message' && typeof summary !== 'string') return []
  const inner = isMessage ? message : entry
  const path = isMessage ? ['message'] : []
  const report = reportAt(path)
  if (!isJsonObject(inner)) {
    report([], inner, 'message_with_role_and_content')
    return []
  }
  const role = isMessage ? inner.role : 'user'
  const isAssistant = role === 'assistant'
  const isUser = USER_ROLES.includes(role)
  if (!isAssistant && role !== 'toolResult' && !isUser) return [{ raw: undefined, path }]
  if (role !== 'toolResult' && inner.excludeFromContext === true) return []
  const body = readMessage(inner, role, report)
  const at = readTime(timestamp) ?? readTime(inner.timestamp)
  const named = nonEmptyString(inner.model)
  const usage = isAssistant ? readUsage(inner.usage, 'pi', { model: named, at }) : undefined
  const isEmpty = body.contents.length + body.calls.length + body.reasoning.length === 0
  if (isAssistant && isEmpty && usage === undefined) return []
  if (isAssistant) facts.model ??= named
  const read = rawMessage(isUser ? 'user' : scalarText(role), body)
  return [{ raw: { ...read, usage, writtenAt: at }, path }]
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
