/**
 * Claude Code: session files (`~/.claude/projects/…/*.jsonl`) and the output of `--output-format stream-json`, one JSON
 * object per line or all in one list: https://docs.anthropic.com/en/docs/claude-code/sdk/sdk-headless
 * Sessions on the web are one object with the lines in `loglines`, as in
 * https://github.com/simonw/claude-code-transcripts/blob/main/tests/sample_session.json
 * Lines of type `user` and `assistant` contain messages of Anthropic Messages; calls, results and results without text are
 * those of `anthropic-messages`. A turn is an assistant message with a call; lines with the same message id are pieces of
 * one message, even with results between them.
 * Each context is a conversation: the session, every sidechain (by `agentId` or its first line, in streams by
 * `parent_tool_use_id`), every agent whose messages are inside `progress` lines, and what follows a `compact_boundary` or an `isCompactSummary` line, since the summary is sent
 * instead of everything before it. Messages that a compaction repeats are in the file once, before it.
 * Duplicates: strings of `toolUseResult`, `mcpMeta` and the call's `progress` lines that share a line of text with the
 * result, or contain the preview of a long one (`<persisted-output>`); and the results of a line that is in its context twice, with the same `uuid` and message.
 * Ignored: all other lines (`summary`, `system`, `file-history-snapshot` and others) and notes of failed requests
 * (`isApiErrorMessage`). The file has no system prompt and no tool schemas. A branch that the user left, by a prompt that
 * continues a line before another prompt, is a conversation of its own. Attachments are texts of the user.
 * Of results that a `microcompact_boundary` names, later requests have a mark only.
 */

import { readTime } from '../../conversation/conversation'
import type { RawMessage, RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, ownMember } from '../../text/json'
import { valueAtPath } from '../../text/json-path'
import { readAnthropicMessage } from '../anthropic/anthropic-message'
import { buildConversation } from '../reading/conversation'
import { type Format, type FormatReading, requireConversations } from '../reading/format'
import { findKeys, type ListItem, linesOf, skippedMessageProblem } from '../reading/lists'
import { memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { reportWrongTypesTo, wrongTypeProblem } from '../reading/report'
import ATTACHMENTS from './attachments.json' with { type: 'json' }
import type { TypedLine } from './claude-code-contexts'
import { agentLineOf, ContextSorter, ENVELOPE_KEYS, isMessageLine } from './claude-code-contexts'

export const claudeCode: Format<'claude-code'> = {
  id: 'claude-code',
  label: 'Claude Code session',
  expects: 'lines of type "user" and "assistant" with a "message" each',
  recognise: (source) => {
    const lines = linesOf(source)
    const typed = lines.filter(isTypedLine)
    if (typed.length * 2 < lines.length || !typed.some(isFormatLine)) return null
    const shape = source.layout === 'json' && lines.length !== 1 ? 'event_array' : 'event_lines'
    const marks = ['message', ...findKeys(source, ENVELOPE_KEYS)]
    return { shape, lists: 1, marks }
  },
  read: (source) => requireConversations(readLines(linesOf(source))),
}

function isTypedLine(line: ListItem): line is TypedLine {
  return isJsonObject(line.value) && typeof line.value.type === 'string'
}

/** True for a message with a key of these lines around it, or with the line's type as its role. */
function isFormatLine({ value }: TypedLine): boolean {
  if (!isMessageLine(value) || !Object.hasOwn(value, 'message')) return false
  const { message, type } = value
  // Sessions with messages of Gemini have the same envelope.
  if (isJsonObject(message) && Object.hasOwn(message, 'parts')) return false
  const hasRole = isJsonObject(message) && message.role === type
  return hasRole || ENVELOPE_KEYS.some((key) => Object.hasOwn(value, key))
}

function readLines(lines: readonly ListItem[]): FormatReading {
  const problems: Problem[] = []
  const sorter = new ContextSorter()
  for (const outer of lines) {
    const line = (isTypedLine(outer) && agentLineOf(outer)) || outer
    const chain = sorter.chainOf(line)
    if (isTypedLine(line)) readLine(line, chain)
    else problems.push(skippedMessageProblem(line))
    sorter.close(chain, line)
  }
  // Several results are of one session; the last has the sum.
  const stated = lines.findLast(({ value }) => membersOf(value).type === 'result')?.value
  const usageTotal = readUsage(stated, 'claudeResult')
  const conversations = sorter.contexts.map(({ messages, byMessageId: _, ...context }, index) =>
    buildConversation(messages, { ...context, ...(index === 0 && { usageTotal }) }),
  )
  return { conversations, problems }

  function readLine(line: TypedLine, chain: string): void {
    const { source, path, value } = line
    if (value.subtype === 'compact_boundary') sorter.compact(chain)
    if (value.subtype === 'microcompact_boundary') sorter.clear(chain, value)
    if (value.type === 'attachment') {
      const contents = readAttachment(value)
      const raw = rawMessage('user', { contents, writtenAt: readTime(value.timestamp) })
      const piece = { raw, source, path, isAttachment: true }
      if (contents.length > 0) sorter.add(chain, line, piece, {})
    }
    if (!isMessageLine(value) || value.isApiErrorMessage === true) return
    const { type, message } = value
    if (!isJsonObject(message)) {
      const expected = 'message_with_role_and_content'
      problems.push(wrongTypeProblem(source, [...path, 'message'], message, expected))
      return
    }
    if (value.isCompactSummary === true) sorter.compact(chain)
    const at = [...path, 'message']
    if (sorter.isCopy(chain, line)) return
    const read = readAnthropicMessage(message, type, reportWrongTypesTo(problems, source, at))
    const raw: RawMessage = { ...read, writtenAt: readTime(value.timestamp) }
    sorter.add(chain, line, { raw, source, path: at }, message)
  }
}

/** The texts of an attachment that were sent: as they were written, else where its kind has them. */
function readAttachment({ attachment, rendered }: JsonObject): readonly RawText[] {
  if (Array.isArray(rendered))
    return rendered.flatMap((part, at) => memberText(part, 'content', ['rendered', at]))
  const below = ownMember<string>(ATTACHMENTS, String(membersOf(attachment).type))
  if (below === undefined) return []
  const path = ['attachment', ...below.split('/')]
  const value = valueAtPath({ attachment }, path)
  const texts = itemsOf(value).flatMap((text, at) =>
    typeof text === 'string' ? [{ text, path: [...path, at] }] : [],
  )
  return [...textsOfContent(value, path).texts, ...texts].filter(({ text }) => text !== '')
}
