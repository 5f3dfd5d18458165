/**
 * Codex: the rollout files of its sessions (`~/.codex/sessions/.../rollout-....jsonl`), one JSON object per line, and
 * the output of `codex exec --json`, which `codex-exec` reads:
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs (`RolloutLine`)
 * Lines of type `response_item` have the items of the Responses API that were sent and received. Turns, calls, results
 * and results without text are those of `openai-responses` and `response-item.ts`. Older files have an item directly on
 * each line; drafts of the format have calls without ids, which are matched to a `function_result` by name and order.
 * Each context is a conversation. What follows a `compacted` line is sent without the messages before it: it starts
 * with the line's `replacement_history`, or with its summary (`message`) where there is none. The `base_instructions`
 * (older: `instructions`) of the first `session_meta` line are the system text of every context.
 * Duplicates: outputs in `event_msg` lines (`exec_command_end`, `mcp_tool_call_end`, `patch_apply_end`,
 * `item_completed` and others) and in `guardian_history`. Status `failed` or an exit code other than 0 in an event flags
 * the result as an error (`codex-events`).
 * `token_count` events have the usage of the answer before them.
 * Ignored: all other events, `world_state`, `turn_context` except its model, snapshots of files. Turns that the user
 * took back (`thread_rolled_back`) stay where they are. Of the tools, only `dynamic_tools` are in the file.
 */

import { readTime, type Usage } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import { type Problem, ReadError } from '../../problem'
import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { phrase, type Words } from '../../words/words'
import { createItemReader, textMessage } from '../openai/response-item'
import { buildConversation, joinAnswerPieces, type MessagePiece } from '../reading/conversation'
import { type Format, type FormatReading, requireConversations } from '../reading/format'
import { findKeys, itemsAt, type ListItem, linesOf, skippedMessageProblem } from '../reading/lists'
import { mapPaths } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { lineOrPath, reportWrongTypesTo, wrongTypeProblem } from '../reading/report'
import { areExecEvents, readExecEvents } from './codex-exec'
import {
  convertOldLines,
  FailedCalls,
  hasFormatMarks,
  isCodexLine,
  isOldSessionMeta,
  isRolloutLine,
  isState,
  marksOf,
  OLD_KEYS,
} from './codex-lines'

interface CodexPiece extends MessagePiece {
  /** The last call before it with the id of its result. */
  readonly call: string
  /** Of an answer. */
  usage?: Usage | undefined
}

/** Messages that were sent in the same requests. */
interface Context {
  readonly label: Words
  readonly pieces: CodexPiece[]
  readonly followsCompaction: boolean
  model: string | undefined
}

export const codex: Format<'codex'> = {
  id: 'codex',
  label: 'Codex session',
  expects: 'lines of type "response_item" with an item of the Responses API in "payload"',
  recognise: (source) => {
    const lines = linesOf(source)
    const shape = source.layout === 'json' && lines.length !== 1 ? 'event_array' : 'event_lines'
    if (areExecEvents(lines)) {
      const marks = findKeys(source, ['thread_id', 'item', 'aggregated_output'])
      return { shape, lists: 1, marks }
    }
    const known = lines.map(({ value }) => membersOf(value)).filter(isCodexLine)
    if (known.length * 2 <= lines.length || !known.some(hasFormatMarks)) return null
    const types = [...new Set(known.flatMap(marksOf))]
    const marks = [...types.slice(0, 5), ...findKeys(source, ['record_type', 'call_id'])]
    return { shape, lists: 1, marks }
  },
  read: (source) => {
    const lines = linesOf(source)
    if (areExecEvents(lines)) return readExecEvents(lines)
    const reading = requireConversations(new RolloutReader().read(lines))
    if (reading.conversations.length > 0) return reading
    const found = phrase('empty_codex_session')
    const values = { path: phrase('document'), found, expected: { name: codex.expects } }
    throw new ReadError('wrong_type', values, 0)
  },
}

class RolloutReader {
  readonly #problems: Problem[] = []
  readonly #contexts: Context[] = [
    { label: 'session', pieces: [], followsCompaction: false, model: undefined },
  ]
  readonly #failedCalls = new FailedCalls()
  readonly #readItem = createItemReader()
  readonly #convertOldLine = convertOldLines()
  #system: MessagePiece | undefined
  #toolSchemas = ''
  #model: string | undefined
  #lastTotal: string | undefined

  read(lines: readonly ListItem[]): FormatReading {
    for (const line of lines) this.#readLine(line)
    const contexts = this.#contexts.filter(({ pieces }) => pieces.length > 0)
    const system = this.#system === undefined ? [] : [this.#system]
    const conversations = contexts.map(({ label, pieces, model, followsCompaction }) => {
      const all = [...system, ...pieces.map((piece) => this.#finish(piece))]
      const details = { label, model, toolSchemas: this.#toolSchemas, followsCompaction }
      return buildConversation(joinAnswerPieces(all), details)
    })
    return { conversations, problems: this.#problems }
  }

  #readLine(line: ListItem): void {
    const { source, path, value } = line
    if (!isJsonObject(value)) {
      this.#problems.push(skippedMessageProblem(line))
    } else if (isRolloutLine(value)) {
      const { type, payload } = value
      const at = [...path, 'payload']
      if (isJsonObject(payload)) this.#readPayload(line, type, payload, at)
      else
        this.#problems.push(
          wrongTypeProblem(source, at, payload, phrase('object_of_type', { type })),
        )
    } else if (isOldSessionMeta(value)) {
      this.#readSystem(line, value.instructions, [...path, 'instructions'])
    } else if (isState(value)) {
      return
    } else if (isCodexLine(value)) {
      if (typeof value.model === 'string') this.#setModel(value.model)
      this.#addItem({ ...line, value: this.#convertOldLine(value) }, timeOf(value), value)
    } else if (typeof value.type !== 'string') {
      this.#problems.push(skippedMessageProblem(line))
    }
  }

  #readPayload(line: ListItem, type: string, payload: JsonObject, path: JsonPath): void {
    const { source } = line
    const { content: text, model } = payload
    if (type === 'session_meta') this.#readSessionMeta(line, payload, path)
    else if (type === 'turn_context' && typeof model === 'string') this.#setModel(model)
    else if (type === 'event_msg' && payload.type === 'token_count') this.#addUsage(line, payload)
    else if (type === 'event_msg') this.#failedCalls.addEvent(payload)
    else if (type === 'response_item')
      this.#addItem({ source, path, value: payload }, timeOf(line.value))
    else if (type === 'compacted') this.#compact(line, payload, path)
    else if (type === 'inter_agent_communication' && typeof text === 'string')
      this.#add(line, path, textMessage('user', text, 'content'))
  }

  /** Adds what the last request used to the answer before it; a repeated count is of the same request. */
  #addUsage({ value }: ListItem, { info }: JsonObject): void {
    if (!isJsonObject(info)) return
    const key = JSON.stringify(info.total_token_usage)
    const { pieces } = this.#context
    const answer = pieces.findLast(({ raw }) => raw.isAssistant)
    if (answer === undefined || key === this.#lastTotal) return
    this.#lastTotal = key
    const facts = { model: this.#model, at: timeOf(value) }
    const usage = readUsage(info.last_token_usage, 'codex', facts)
    if (!answer.path.includes('replacement_history')) answer.usage ??= usage
  }

  #readSessionMeta(line: ListItem, meta: JsonObject, path: JsonPath): void {
    const { base_instructions: base, instructions, dynamic_tools: tools } = meta
    if (isJsonObject(base))
      this.#readSystem(line, base.text, [...path, 'base_instructions', 'text'])
    else this.#readSystem(line, instructions, [...path, 'instructions'])
    if (this.#toolSchemas === '' && tools !== null && tools !== undefined) {
      this.#toolSchemas = JSON.stringify(tools)
    }
  }

  #readSystem({ source, path }: ListItem, text: unknown, at: JsonPath): void {
    if (this.#system !== undefined || typeof text !== 'string' || text === '') return
    const raw = textMessage('system', text, ...at.slice(path.length))
    this.#system = { raw, source, path }
  }

  #setModel(model: string): void {
    this.#model = model
    this.#context.model ??= model
  }

  #compact(line: ListItem, compacted: JsonObject, path: JsonPath): void {
    const { source } = line
    const label = phrase('after_the_compaction', { place: lineOrPath(source, line.path) })
    this.#contexts.push({ label, pieces: [], followsCompaction: true, model: this.#model })
    const { replacement_history: history, message } = compacted
    const at = [...path, 'replacement_history']
    if (Array.isArray(history)) {
      for (const item of itemsAt(source, at, history)) this.#addItem(item)
    } else if (history !== null && history !== undefined) {
      this.#problems.push(wrongTypeProblem(source, at, history, 'list_of_items'))
    } else if (typeof message === 'string' && message !== '') {
      this.#add(line, path, textMessage('user', message, 'message'))
    }
  }

  /** Adds an item; `oldLine` is the line it was converted from. */
  #addItem(item: ListItem, time?: number, oldLine?: JsonObject): void {
    const { source, path, value } = item
    // A commit of the user's files; it is not sent to a model.
    if (membersOf(value).type === 'ghost_snapshot') return
    const write = (inner: JsonPath): JsonPath =>
      oldLine === undefined ? inner : pathInOldLine(inner, oldLine)
    const report = reportWrongTypesTo(this.#problems, source, path)
    const raw = this.#readItem(value, (inner, wrong, expected) =>
      report(write(inner), wrong, expected),
    )
    if (raw === undefined) {
      this.#problems.push(skippedMessageProblem(item))
      return
    }
    for (const { id } of raw.calls) this.#failedCalls.countCall(id)
    this.#add(item, path, { ...mapPaths(raw, write), writtenAt: time })
  }

  #add({ source }: ListItem, path: JsonPath, raw: RawMessage): void {
    const call = this.#failedCalls.keyOf(raw.results[0]?.callId)
    this.#context.pieces.push({ raw, source, path, call })
  }

  /** Adds its usage to an answer; to a result, the error flag from the events of its call. */
  #finish({ call, usage, ...piece }: CodexPiece): MessagePiece {
    const hasFailed = this.#failedCalls.has(call)
    const results = piece.raw.results.map((result) =>
      hasFailed ? { ...result, isFlaggedError: true } : result,
    )
    return { ...piece, raw: { ...piece.raw, results, ...(usage && { usage }) } }
  }

  get #context(): Context {
    return this.#contexts.at(-1) as Context
  }
}

/** Returns the time at which a line was written; older lines have it in `created_at`. */
function timeOf(line: unknown): number | undefined {
  const { timestamp, created_at } = membersOf(line)
  return readTime(timestamp ?? created_at)
}

/** Converts a path in an item to the path in the old line that the item was converted from. */
function pathInOldLine(path: JsonPath, oldLine: JsonObject): JsonPath {
  const isOld = (key: string | number, at: number) => at === 0 && !Object.hasOwn(oldLine, key)
  return path.map((key, at) => (isOld(key, at) ? (OLD_KEYS[key] ?? key) : key))
}
