/**
 * Sessions of Kimi Code (`sessions/…/agents/…/wire.jsonl`), one record per line; each agent has a file of its own:
 * https://github.com/MoonshotAI/kimi-code/blob/main/packages/agent-core/src/agent/records/types.ts
 * https://github.com/MoonshotAI/kimi-code/blob/main/packages/agent-core/src/loop/events.ts
 * A turn is a step with a `tool.call`; the events of a step are pieces of one message. A result is the `output` of a
 * `tool.result`: a text, or text parts. Messages appended while calls are open follow their results.
 * `context.apply_compaction` starts a conversation with its summary (the messages that it keeps are in the file once,
 * before it), `context.clear` one without. What `context.undo` took back is a conversation of its own where it has results
 * or usage. Usage: `step.end`. Model, system prompt and tools: the last ones logged before.
 * Ignored: all other records. There are no duplicates. The `wire.jsonl` of the older Kimi CLI has the events of its screen
 * instead; its `context.jsonl` is read as `openai-chat`. This reader is longer than most because the log is of changes to
 * a context, which is made here again.
 */

import { argumentsText } from '../../conversation/chat-message'
import type { ReadConversation } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  itemsOf,
  type JsonObject,
  type JsonPath,
  membersOf,
} from '../../text/json-object'
import { phrase } from '../../words/words'
import { buildConversation, type MessagePiece } from '../reading/build-conversation'
import { findKeys } from '../reading/find-keys'
import { type Format, requireConversations } from '../reading/format'
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
import { readUsage } from '../reading/read-usage'
import type { SourceValue } from '../reading/source-document'
import { lineOrPath, type ReportWrongType, reportWrongTypesTo } from '../reading/wrong-type-problem'

const MESSAGE = 'context.append_message'
const EVENT = 'context.append_loop_event'

export const kimiCode: Format = {
  id: 'kimi-code',
  label: 'Kimi Code session',
  expects: 'expects_kimi_code',
  recognise: (source) => {
    const types = source.values.map(({ value }) => membersOf(value).type)
    const marks = [MESSAGE, EVENT].filter((type) => types.includes(type))
    if (marks.length === 0) return null
    const keys = findKeys(source, ['stepUuid', 'toolCallId', 'protocol_version'])
    return { shape: 'event_lines', lists: 1, marks: [...marks, ...keys] }
  },
  read: ({ values }) => {
    const log = new WireLog()
    for (const source of values) log.read(source)
    return requireConversations({ conversations: log.conversations(), problems: log.problems })
  },
}

type Pieces = [MessagePiece, ...MessagePiece[]]
type Details = Pick<ReadConversation, 'label' | 'isSecondary' | 'followsCompaction'>

/** Makes the context of an agent again, record by record. */
class WireLog {
  readonly problems: Problem[] = []
  readonly #done: ReadConversation[] = []
  readonly #undone: ReadConversation[] = []
  #details: Details = { label: 'session' }
  #placed: Pieces[] = []
  /** Messages of the user, which an undo counts. */
  readonly #prompts = new Set<Pieces>()
  #step: Pieces | undefined
  readonly #open = new Set<unknown>()
  #deferred: Pieces[] = []
  #system: MessagePiece | undefined
  #model: string | undefined
  #tools = ''

  read(source: SourceValue): void {
    const { value } = source
    if (!isJsonObject(value)) {
      this.problems.push(skippedMessageProblem({ source, path: [], value }))
      return
    }
    const { type, systemPrompt, tools, count } = value
    this.#model = nonEmptyString(value.model) ?? nonEmptyString(value.modelAlias) ?? this.#model
    if (nonEmptyString(systemPrompt) !== undefined) {
      const raw = rawMessage('system', { contents: memberText(value, 'systemPrompt') })
      this.#system = { source, path: [], raw }
    }
    if (type === 'llm.tools_snapshot') this.#tools = JSON.stringify(tools)
    else if (type === MESSAGE) this.#readMember(source, value, 'message')
    else if (type === EVENT) this.#readMember(source, value, 'event')
    else if (type === 'context.undo') this.#undo(count, source)
    else if (type === 'context.clear') this.#startContext('after_a_clear_at', source)
    else if (type === 'context.apply_compaction') {
      this.#startContext('after_a_compaction_at', source)
      const key = typeof value.contextSummary === 'string' ? 'contextSummary' : 'summary'
      const raw = rawMessage('user', { contents: memberText(value, key) })
      this.#place([{ source, path: [], raw }])
    }
  }

  conversations(): ReadConversation[] {
    this.#finish()
    return [...this.#done, ...this.#undone]
  }

  #readMember(source: SourceValue, record: JsonObject, key: 'message' | 'event'): void {
    const report = reportWrongTypesTo(this.problems, source, [key])
    const member = record[key]
    const at = readTime(record.time)
    if (!isJsonObject(member)) report([], member, `the_${key}_object`)
    else if (key === 'message') {
      const raw = { ...readMessage(member, report), writtenAt: at }
      const pieces: Pieces = [{ source, path: [key], raw }]
      const { kind = 'user' } = membersOf(member.origin)
      if (raw.role === 'user' && kind === 'user') this.#prompts.add(pieces)
      if (this.#open.size > 0) this.#deferred.push(pieces)
      else this.#place(pieces)
    } else this.#readEvent(member, { source, path: [key] }, at, report)
  }

  #readEvent(
    event: JsonObject,
    place: Pick<MessagePiece, 'source' | 'path'>,
    at: number | undefined,
    report: ReportWrongType,
  ): void {
    const { type, toolCallId: id, name, args, result } = event
    const body = emptyBody()
    const isCall = type === 'tool.call'
    if ((isCall || type === 'tool.result') && nonEmptyString(id) === undefined)
      report(['toolCallId'], id, 'id_of_a_call')
    if (type === 'step.begin') this.#step = undefined
    else if (type === 'content.part') {
      const { part } = event
      if (isJsonObject(part)) readParts(body, [part], () => ['part'], report)
      else report(['part'], part, 'part_with_type')
      this.#continueStep({ ...place, raw: { ...rawMessage('assistant', body), writtenAt: at } })
    } else if (isCall) {
      const written = args === undefined ? {} : { path: ['args'] }
      body.calls.push({ id, name, arguments: argumentsText(args), ...written })
      this.#open.add(id)
      this.#continueStep({ ...place, raw: { ...rawMessage('assistant', body), writtenAt: at } })
    } else if (type === 'step.end') {
      const usage = readUsage(event.usage, 'kimiCode', { model: this.#model, at })
      if (usage !== undefined)
        this.#continueStep({ ...place, raw: { ...rawMessage('assistant'), usage } })
    } else if (type === 'tool.result') {
      const { output, isError } = membersOf(result)
      readResult(body, { callId: id, output, isError }, ['result', 'output'], report)
      this.#place([{ ...place, raw: { ...rawMessage('tool', body), writtenAt: at } }])
      this.#open.delete(id)
      if (this.#open.size === 0) this.#placeDeferred()
    }
  }

  #continueStep(piece: MessagePiece): void {
    if (this.#step !== undefined) this.#step.push(piece)
    else {
      this.#step = [piece]
      this.#place(this.#step)
    }
  }

  #place(pieces: Pieces): void {
    if (this.#placed.length === 0 && this.#system !== undefined) this.#placed.push([this.#system])
    this.#placed.push(pieces)
  }

  #placeDeferred(): void {
    for (const pieces of this.#deferred) this.#place(pieces)
    this.#deferred = []
  }

  /** Takes back the last messages of the user, and what followed them. */
  #undo(count: unknown, { line }: SourceValue): void {
    const prompts = this.#placed.filter((pieces) => this.#prompts.has(pieces))
    const from = prompts.at(-(typeof count === 'number' ? count : 1))
    if (from === undefined) return
    const removed = this.#placed.splice(this.#placed.indexOf(from))
    const undone = this.#build(removed, {
      label: phrase('taken_back', { n: line ?? 0 }),
      isSecondary: true,
    })
    if (undone.results.length > 0 || undone.messages.some(({ usage }) => usage))
      this.#undone.push(undone)
  }

  #startContext(key: 'after_a_clear_at' | 'after_a_compaction_at', source: SourceValue): void {
    this.#finish()
    this.#details = {
      label: phrase(key, { label: 'session', place: lineOrPath(source, []) }),
      followsCompaction: true,
    }
  }

  #finish(): void {
    this.#placeDeferred()
    if (this.#placed.length > 0) this.#done.push(this.#build(this.#placed, this.#details))
    this.#placed = []
    this.#step = undefined
    this.#open.clear()
  }

  #build(placed: readonly Pieces[], details: Details): ReadConversation {
    return buildConversation(placed, { ...details, model: this.#model, toolSchemas: this.#tools })
  }
}

function readMessage(message: JsonObject, report: ReportWrongType): ReturnType<typeof rawMessage> {
  const { role, content, toolCalls, toolCallId: callId, isError } = message
  const body = emptyBody()
  if (typeof role !== 'string') report(['role'], role, 'text')
  if (role === 'tool') readResult(body, { callId, output: content, isError }, ['content'], report)
  else if (typeof content === 'string') body.contents.push(...memberText(message, 'content'))
  else if (Array.isArray(content)) readParts(body, content, (index) => ['content', index], report)
  else report(['content'], content, 'text_or_list_of_parts')
  for (const [index, call] of itemsOf(toolCalls).entries()) {
    const { id, name, arguments: written } = membersOf(call)
    const place = written === undefined ? {} : { path: ['toolCalls', index, 'arguments'] }
    body.calls.push({ id, name, arguments: argumentsText(written), ...place })
  }
  return rawMessage(typeof role === 'string' ? role : 'user', body)
}

function readParts(
  body: MessageBody,
  parts: readonly unknown[],
  pathOf: (index: number) => JsonPath,
  report: ReportWrongType,
): void {
  for (const [index, part] of parts.entries()) {
    const path = pathOf(index)
    if (!isJsonObject(part)) report(path, part, 'part_with_type')
    else if (part.type === 'text') body.contents.push(...memberText(part, 'text', path))
    else if (part.type === 'think') body.reasoning.push(...memberText(part, 'think', path))
    else body.nonTextParts++
  }
}

function readResult(
  body: MessageBody,
  { callId, output, isError }: JsonObject,
  path: JsonPath,
  report: ReportWrongType,
): void {
  const isText = typeof output === 'string'
  const texts = isText ? [{ text: output, path }] : textBlocks(output, path)
  if (!isText && !Array.isArray(output)) report(path, output, 'text_or_list_of_parts')
  body.nonTextParts += isText ? 0 : itemsOf(output).length - texts.length
  body.results.push({
    callId,
    shape: texts.length > 0 ? 'text' : 'other',
    texts: withoutEmptyParts(texts),
    filler: EMPTY_PART_TEXT,
    isFlaggedError: isError === true,
  })
}
