/**
 * The output of `codex exec --json`, one event per line:
 * https://github.com/openai/codex/blob/main/codex-rs/exec/src/exec_events.rs (`ThreadEvent`)
 * A call is the first event of an item of type `command_execution`, `mcp_tool_call`, `collab_tool_call`, `file_change`
 * or `web_search`. Its result is the item's `item.completed` event: `aggregated_output`, the texts of an MCP `result`,
 * or the message of an `error`. Changed files and searches have results without text. A turn is everything between two
 * results: calls that started together, `agent_message` and `reasoning`. A result is flagged as an error if its status
 * is `failed` or `declined`, its exit code is not 0, or it has an `error`.
 * Duplicates: outputs in `item.started` and `item.updated`, and `structured_content`, where they repeat the result.
 * Ignored: `todo_list`, items of type `error`. Prompt, instructions and model are not in this output.
 */

import { argumentsText } from '../../conversation/chat-message'
import { sumUsage } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import type { JsonObject } from '../../text/json'
import { isJsonObject, itemsOf, membersOf, ownMember, scalarText } from '../../text/json'
import { buildConversation, joinAnswerPieces, type MessagePiece } from '../reading/conversation'
import type { FormatReading } from '../reading/format'
import { type ListItem, skippedMessageProblem } from '../reading/lists'
import { MessageBody, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type ReportWrongType, reportWrongTypesTo, wrongTypeProblem } from '../reading/report'
import { hasFailed } from './codex-lines'

/** The key of a call's arguments, by the item's type. */
const ARGUMENTS_KEYS: Readonly<Record<string, string>> = {
  command_execution: 'command',
  mcp_tool_call: 'arguments',
  collab_tool_call: 'prompt',
  file_change: 'changes',
  web_search: 'query',
}

const EVENT_TYPE =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed)|error)$/
const ITEM_EVENT_TYPE = /^item\./

/** True where most lines are events of `codex exec`, and one has a thread id or an item. */
export function areExecEvents(lines: readonly ListItem[]): boolean {
  const events = lines.flatMap(({ value }) =>
    isJsonObject(value) && EVENT_TYPE.test(scalarText(value.type)) ? [value] : [],
  )
  return events.length * 2 > lines.length && events.some(hasExecMarks)
}

function hasExecMarks({ type, thread_id: id, item }: JsonObject): boolean {
  if (type === 'thread.started') return typeof id === 'string'
  return ITEM_EVENT_TYPE.test(scalarText(type)) && isJsonObject(item)
}

/** Reads lines for which `areExecEvents` is true. */
export function readExecEvents(lines: readonly ListItem[]): FormatReading {
  const problems: Problem[] = []
  const pieces: MessagePiece[] = []
  /** Ids of items that have not ended. */
  const begun = new Set<unknown>()
  /** Usage by thread: each turn states that of its thread so far. */
  const totals = new Map<unknown, unknown>()
  let thread: unknown
  for (const line of lines) {
    const { source, path, value } = line
    if (!isJsonObject(value) || typeof value.type !== 'string') {
      problems.push(skippedMessageProblem(line))
      continue
    }
    if (value.type === 'thread.started') thread = value.thread_id
    if (value.type === 'turn.completed') totals.set(thread, value.usage)
    if (!ITEM_EVENT_TYPE.test(value.type)) continue
    const { item } = value
    const at = [...path, 'item']
    if (!isJsonObject(item)) {
      problems.push(wrongTypeProblem(source, at, item, 'item_with_type'))
      continue
    }
    const report = reportWrongTypesTo(problems, source, at)
    const { id, type } = item
    const isCompleted = value.type === 'item.completed'
    const argumentsKey = ownMember(ARGUMENTS_KEYS, scalarText(type))
    if (argumentsKey === undefined) {
      const raw = isCompleted ? readText(item, report) : undefined
      if (raw !== undefined) pieces.push({ raw, source, path: at })
      continue
    }
    if (!begun.has(id)) pieces.push({ raw: readCall(item, argumentsKey), source, path: at })
    begun.add(id)
    if (!isCompleted) continue
    begun.delete(id)
    pieces.push({ raw: rawMessage('tool', readResult(item, report)), source, path: at })
  }
  const usageTotal = sumUsage(
    [...totals.values()].flatMap((total) => readUsage(total, 'codex') ?? []),
  )
  const details = { label: 'session', usageTotal }
  return { conversations: [buildConversation(joinAnswerPieces(pieces), details)], problems }
}

function readText({ type, text }: JsonObject, report: ReportWrongType): RawMessage | undefined {
  const isReasoning = type === 'reasoning'
  if (!isReasoning && type !== 'agent_message') return undefined
  if (typeof text !== 'string') report(['text'], text, 'text')
  if (typeof text !== 'string') return undefined
  return rawMessage('assistant', {
    [isReasoning ? 'reasoning' : 'contents']: [{ text, path: ['text'] }],
  })
}

function readCall(item: JsonObject, argumentsKey: string): RawMessage {
  const { id, type, server, tool } = item
  const qualified = typeof server === 'string' ? `${server}.${scalarText(tool)}` : tool
  const name = typeof tool === 'string' ? qualified : type
  const written = item[argumentsKey]
  const place = written !== undefined && { path: [argumentsKey] }
  const call = { id, name, arguments: argumentsText(written), ...place }
  return rawMessage('assistant', { calls: [call] })
}

/** Reads the result of a completed item; its paths are relative to the item. */
function readResult(item: JsonObject, report: ReportWrongType): MessageBody {
  const { id, type, error, result, aggregated_output: output } = item
  const body = new MessageBody(report)
  const { content, is_error } = membersOf(result)
  const isFlaggedError = hasFailed(item) || isJsonObject(error) || is_error === true
  if (type === 'command_execution')
    body.addTextResult(id, output, ['aggregated_output'], isFlaggedError)
  else {
    const message = membersOf(error).message
    const { texts, others } =
      typeof message === 'string'
        ? { texts: [{ text: message, path: ['error', 'message'] }], others: 0 }
        : textsOfContent(itemsOf(content), ['result', 'content'])
    // Masking empties all texts but the first: read again, the empty ones do not count.
    const filled = texts.filter(({ text }, index) => index === 0 || text !== '')
    body.addResult(id, others > 0 ? [] : filled, isFlaggedError)
  }
  return body
}
