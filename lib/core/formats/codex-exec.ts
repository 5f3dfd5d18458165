/**
 * What `codex exec --json` prints, one JSON object a line:
 * https://github.com/openai/codex/blob/main/codex-rs/exec/src/exec_events.rs (`ThreadEvent`)
 * A call is a `command_execution`, `mcp_tool_call`, `collab_tool_call`, `file_change` or `web_search`, made where it is
 * started; its result stands where it is completed: `aggregated_output`, the texts of an MCP `result`, or the message of
 * an `error`. Changed files and searches have none. A turn is what stands together before a result: calls that were
 * started together, `agent_message`, `reasoning`. A status `failed` or `declined`, an exit code but 0, an `error` flag it.
 * The prompt, the instructions and the model are not in it. Twins: outputs of `item.started` and `item.updated`, and
 * `structured_content`, where they repeat the result. Ignored: `todo_list`, items of type `error`, usage.
 */
import { argumentsText, isJsonObject } from '../conversation/chat-message'
import type { RawResult, RawText } from '../conversation/link-messages'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import { buildConversation, type MessagePiece, type SourcePlace } from './build-conversation'
import type { FormatReading } from './format'
import { groupPieces } from './group-items'
import { type ListItem, skippedItem } from './message-lists'
import { rawMessage } from './raw-message'
import { indexRepeats, repeatedBy } from './repeated-text'
import { structuredResult } from './structured-result'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

const EVENT =
  /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed)|error)$/
const ITEM_EVENT = /^item\./

/** Where each kind of call has its arguments. */
const ARGUMENTS_KEY: Readonly<Record<string, string>> = {
  command_execution: 'command',
  mcp_tool_call: 'arguments',
  collab_tool_call: 'prompt',
  file_change: 'changes',
  web_search: 'query',
}

/** Whether most lines are events of `codex exec`, and one says so. */
export function areExecEvents(lines: readonly ListItem[]): boolean {
  const events = lines.filter(({ value }) => isJsonObject(value) && EVENT.test(String(value.type)))
  return events.length * 2 > lines.length && events.some(({ value }) => isTelling(value))
}

function isTelling(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  if (value.type === 'thread.started') return typeof value.thread_id === 'string'
  return ITEM_EVENT.test(String(value.type)) && isJsonObject(value.item)
}

/** Reads the lines that `areExecEvents` found. */
export function readExecEvents(lines: readonly ListItem[]): FormatReading {
  const problems: Problem[] = []
  const pieces: MessagePiece[] = []
  /** By id of an item that is not completed: where its outputs stood so far. */
  const open = new Map<unknown, (SourcePlace & { readonly text: string })[]>()
  for (const line of lines) {
    const { source, path, value } = line
    if (!isJsonObject(value) || typeof value.type !== 'string') {
      problems.push(skippedItem(line))
      continue
    }
    if (!ITEM_EVENT.test(value.type)) continue
    const { item } = value
    const at = [...path, 'item']
    if (!isJsonObject(item)) {
      problems.push(wrongType(source, at, item, 'an item, an object with a "type"'))
      continue
    }
    const { id, aggregated_output: output } = item
    const isCompleted = value.type === 'item.completed'
    const key = ARGUMENTS_KEY[String(item.type)]
    if (key === undefined) {
      if (isCompleted) pieces.push(...readWords(item, source, at, problems))
      continue
    }
    const earlier = open.get(id)
    if (earlier === undefined) pieces.push(readCall(item, key, source, at))
    if (!isCompleted) {
      const told = typeof output === 'string' && output !== ''
      const place = { source, path: [...at, 'aggregated_output'], text: String(output) }
      open.set(id, [...(earlier ?? []), ...(told ? [place] : [])])
      continue
    }
    open.delete(id)
    const { texts, isError, wrong } = readTexts(item)
    if (wrong !== undefined)
      problems.push(wrongType(source, [...at, ...wrong.path], wrong.value, wrong.expected))
    const index = indexRepeats([texts.map(({ text }) => text).join('\n')])
    const structured = isJsonObject(item.result) ? item.result.structured_content : undefined
    const below = [...at, 'result', 'structured_content']
    const told = [
      ...(earlier ?? []),
      ...structuredResult(structured, below).texts.map((text) => ({ ...text, source })),
    ]
    const twins = told.flatMap(({ source: from, path: inner, text }) =>
      inner !== undefined && repeatedBy(text, index) !== undefined
        ? [{ source: from, path: inner }]
        : [],
    )
    const result: RawResult = {
      callId: id,
      shape: texts.length > 0 ? 'text' : 'other',
      texts,
      isFlaggedError: isError,
    }
    const raw = rawMessage('tool', { results: [result] })
    pieces.push({ raw, source, path: at, twins: [texts.length > 0 ? twins : []] })
  }
  const frame = { label: 'session', model: undefined, toolSchemas: '' }
  return { conversations: [buildConversation(groupPieces(pieces), frame)], problems }
}

function readWords(
  item: JsonObject,
  source: ListItem['source'],
  path: JsonPath,
  problems: Problem[],
): MessagePiece[] {
  const isReasoning = item.type === 'reasoning'
  if (!isReasoning && item.type !== 'agent_message') return []
  if (typeof item.text !== 'string') {
    problems.push(wrongType(source, [...path, 'text'], item.text, 'a text'))
    return []
  }
  const said = [{ text: item.text, path: ['text'] }]
  return [
    {
      raw: rawMessage('assistant', isReasoning ? { reasoning: said } : { contents: said }),
      source,
      path,
    },
  ]
}

function readCall(
  item: JsonObject,
  key: string,
  source: ListItem['source'],
  path: JsonPath,
): MessagePiece {
  const { id, type, server, tool } = item
  const called = typeof server === 'string' ? `${server}.${tool}` : tool
  const name = typeof tool === 'string' ? called : type
  const call = { id, name, arguments: argumentsText(item[key]), path: [key] }
  return { raw: rawMessage('assistant', { calls: [call] }), source, path }
}

interface TextsOfItem {
  readonly texts: readonly RawText[]
  readonly isError: boolean
  readonly wrong?: { readonly path: JsonPath; readonly value: unknown; readonly expected: string }
}

/** What a completed item gives: its paths go on from the item. */
function readTexts(item: JsonObject): TextsOfItem {
  const { status, exit_code: code, error, result, aggregated_output: output, type } = item
  const hasFailed = status === 'failed' || status === 'declined'
  const isError = hasFailed || (typeof code === 'number' && code !== 0) || isJsonObject(error)
  if (type === 'command_execution') {
    if (typeof output === 'string')
      return { texts: [{ text: output, path: ['aggregated_output'] }], isError }
    const wrong = { path: ['aggregated_output'], value: output, expected: 'a text' }
    return { texts: [], isError, wrong }
  }
  if (isJsonObject(error) && typeof error.message === 'string')
    return { texts: [{ text: error.message, path: ['error', 'message'] }], isError }
  if (!isJsonObject(result) || !Array.isArray(result.content)) return { texts: [], isError }
  const texts = result.content.flatMap((part: unknown, index): RawText[] =>
    isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
      ? [{ text: part.text, path: ['result', 'content', index, 'text'] }]
      : [],
  )
  const isWhole = texts.length === result.content.length
  // What masking empties is not read again.
  const [first, ...later] = isWhole ? texts : []
  const filled = first === undefined ? [] : [first, ...later.filter(({ text }) => text !== '')]
  return { texts: filled, isError: isError || result.isError === true || result.is_error === true }
}
