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
 * instead; its `context.jsonl` is read as `openai-chat`. The log is of changes to a context, which is made here again.
 */

import { type ReadConversation, readTime } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { phrase } from '../../words/words'
import { buildConversation, type MessagePiece } from '../reading/conversation'
import { type Format, requireConversations } from '../reading/format'
import { findKeys, skippedMessageProblem } from '../reading/lists'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { lineOrPath, reportWrongTypesTo } from '../reading/report'
import type { SourceValue } from '../reading/source-document'

const MESSAGE = 'context.append_message'
const EVENT = 'context.append_loop_event'

export const kimiCode: Format<'kimi-code'> = {
  id: 'kimi-code',
  label: 'Kimi Code session',
  expects: 'lines of type "context.append_message" and "context.append_loop_event"',
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
    const { [key]: member, time } = record
    const body = new MessageBody(report)
    const place = (role: string, more: Partial<RawMessage> = {}): MessagePiece => {
      const raw = { ...rawMessage(role, body), writtenAt: readTime(time), ...more }
      return { source, path: [key], raw }
    }
    if (!isJsonObject(member)) report([], member, `the_${key}_object`)
    else if (key === 'message') {
      const role = readMessage(body, member)
      const pieces: Pieces = [place(role)]
      const { kind = 'user' } = membersOf(member.origin)
      if (role === 'user' && kind === 'user') this.#prompts.add(pieces)
      if (this.#open.size > 0) this.#deferred.push(pieces)
      else this.#place(pieces)
    } else this.#readEvent(body, member, place)
  }

  #readEvent(
    body: MessageBody,
    event: JsonObject,
    place: (role: string, more?: Partial<RawMessage>) => MessagePiece,
  ): void {
    const { type, toolCallId: id, part } = event
    if (type === 'step.begin') this.#step = undefined
    else if (type === 'content.part') {
      if (isJsonObject(part)) readPart(body, part, ['part'])
      else body.report(['part'], part, 'part_with_type')
      this.#continueStep(place('assistant'))
    } else if (type === 'tool.call') {
      body.addCall(event, [], ['toolCallId', 'name', 'args'], 'id_of_a_call')
      this.#open.add(id)
      this.#continueStep(place('assistant'))
    } else if (type === 'step.end') {
      const at = place('assistant').raw.writtenAt
      const usage = readUsage(event.usage, 'kimiCode', { model: this.#model, at })
      if (usage !== undefined)
        this.#continueStep(place('assistant', { usage, writtenAt: undefined }))
    } else if (type === 'tool.result') {
      body.requireId(id, ['toolCallId'], 'id_of_a_call')
      const { output, isError } = membersOf(event.result)
      readResult(body, id, output, isError, ['result', 'output'])
      this.#place([place('tool')])
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
  #undo(count: unknown, source: SourceValue): void {
    const prompts = this.#placed.filter((pieces) => this.#prompts.has(pieces))
    const from = prompts.at(-(typeof count === 'number' ? count : 1))
    if (from === undefined) return
    const removed = this.#placed.splice(this.#placed.indexOf(from))
    const undone = this.#build(removed, {
      label: phrase('taken_back', { place: lineOrPath(source, []) }),
      isSecondary: true,
    })
    if (undone.results.length > 0 || undone.messages.some(({ usage }) => usage))
      this.#undone.push(undone)
  }

  #startContext(key: 'after_a_clear_at' | 'after_a_compaction_at', source: SourceValue): void {
    this.#finish()
    this.#details = {
      label: phrase(key, { label: 'session', place: lineOrPath(source, []) }),
      followsCompaction: key === 'after_a_compaction_at',
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

function readMessage(body: MessageBody, message: JsonObject): string {
  const { role, content, toolCalls, toolCallId, isError } = message
  if (typeof role !== 'string') body.report(['role'], role, 'text')
  if (role === 'tool') readResult(body, toolCallId, content, isError, ['content'])
  else if (content !== '')
    body.addContent(content, ['content'], 'text_or_list_of_parts', (part, path) => {
      if (isJsonObject(part)) readPart(body, part, path)
      else body.report(path, part, 'part_with_type')
    })
  for (const [index, call] of itemsOf(toolCalls).entries())
    body.addCall(membersOf(call), ['toolCalls', index], ['id', 'name', 'arguments'], null)
  return typeof role === 'string' ? role : 'user'
}

function readPart(body: MessageBody, part: JsonObject, path: JsonPath): void {
  if (part.type === 'text') body.contents.push(...memberText(part, 'text', path))
  else if (part.type === 'think') body.reasoning.push(...memberText(part, 'think', path))
  else body.nonTextParts++
}

function readResult(
  body: MessageBody,
  callId: unknown,
  output: unknown,
  isError: unknown,
  path: JsonPath,
): void {
  if (typeof output !== 'string' && !Array.isArray(output))
    body.report(path, output, 'text_or_list_of_parts')
  body.addPartsResult(callId, textsOfContent(output, path), isError === true)
}
