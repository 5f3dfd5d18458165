/**
 * Codex: the rollout files of its sessions (`~/.codex/sessions/…/rollout-….jsonl`), one JSON object a line, and what
 * `codex exec --json` prints, for which see `codex-exec`:
 * https://github.com/openai/codex/blob/main/codex-rs/protocol/src/protocol.rs (`RolloutLine`)
 * Lines of type `response_item` hold the items of the Responses API that were sent and received; what call, result, turn
 * and text are is as `openai-responses` and `response-item.ts` have it. Older files have the items bare on their lines;
 * drafts have calls without ids and a `function_result` by name, which are tied by name and order.
 * Each context is a conversation of its own: what follows a `compacted` line is sent without what stands before it, and
 * begins with the line's `replacement_history`, or with its `message`, a summary, where there is none.
 * `base_instructions` (older: `instructions`) of the first `session_meta` are the system text of each.
 * Twins: what `event_msg` lines (`exec_command_end`, `mcp_tool_call_end`, `patch_apply_end`, `item_completed` …) say
 * of a call's output, by the call's id or, where an event has an id of its own, by its text; and the outputs in a
 * `compacted` line's `guardian_history`. A status `failed` or another exit code than 0 there flags the result.
 * Ignored: all other events, `world_state`, `turn_context` but for its model, snapshots. Turns that were taken back
 * (`thread_rolled_back`) stay in the order of the file; tools but `dynamic_tools` are not in it.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { RawMessage } from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { buildConversation, type MessagePiece, type SourcePlace } from './build-conversation'
import { EventsOfCalls } from './codex-events'
import { areExecEvents, readExecEvents } from './codex-exec'
import {
  isCodexLine,
  isEnvelope,
  isOldMeta,
  isState,
  isTellingLine,
  linesOf,
  OLD_KEYS,
  openOldLines,
} from './codex-lines'
import { findKeys } from './find-keys'
import type { Format, FormatReading } from './format'
import { groupPieces } from './group-items'
import { type ListItem, skippedItem } from './message-lists'
import { isResponseItem, openItems, textMessage } from './response-item'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** What was sent together. */
interface Context {
  readonly label: string
  readonly pieces: MessagePiece[]
  model: string | undefined
}

export const codex: Format = {
  id: 'codex',
  label: 'Codex session',
  expects: 'lines of type "response_item" with an item of the Responses API in "payload"',
  recognise: (source) => {
    const lines = linesOf(source)
    const layout = source.layout === 'json' && lines.length !== 1 ? 'event_array' : 'event_lines'
    if (areExecEvents(lines)) {
      const marks = findKeys(source, ['thread_id', 'item', 'aggregated_output'])
      return { shape: layout, lists: 1, marks }
    }
    const known = lines.filter(({ value }) => isCodexLine(value))
    if (known.length * 2 <= lines.length || !known.some(({ value }) => isTellingLine(value))) {
      return null
    }
    const types = new Set(known.flatMap(({ value }) => typeIn(value as JsonObject)))
    const marks = [...[...types].slice(0, 5), ...findKeys(source, ['record_type', 'call_id'])]
    return { shape: layout, lists: 1, marks }
  },
  read: (source) => {
    const lines = linesOf(source)
    if (areExecEvents(lines)) return readExecEvents(lines)
    const reading = new RolloutReader(lines).read()
    if (reading.conversations.length > 0) return reading
    const [first] = reading.problems
    if (first !== undefined) throw new ReadError(first.code, first.values, first.offset)
    const found = 'a Codex session in which nothing was sent'
    throw new ReadError('wrong_type', { path: 'the document', found, expected: codex.expects }, 0)
  },
}

function typeIn(value: JsonObject): string[] {
  const isTelling = isEnvelope(value) || value.type === 'function_result'
  return isTelling ? [value.type as string] : []
}

class RolloutReader {
  readonly #lines: readonly ListItem[]
  readonly #problems: Problem[] = []
  readonly #contexts: Context[] = [{ label: 'session', pieces: [], model: undefined }]
  readonly #events = new EventsOfCalls()
  readonly #readItem = openItems()
  readonly #readOld = openOldLines()
  /** By result: the call it is of, to find its events when all are known. */
  readonly #timeOfPiece = new Map<MessagePiece, number>()
  #system: MessagePiece | undefined
  #toolSchemas = ''
  #model: string | undefined

  constructor(lines: readonly ListItem[]) {
    this.#lines = lines
  }

  read(): FormatReading {
    for (const line of this.#lines) this.#readLine(line)
    const contexts = this.#contexts
      .filter(({ pieces }) => pieces.length > 0)
      .map((context) => {
        const pieces = context.pieces.map((piece) => this.#withEvents(piece))
        return { ...context, pieces }
      })
    const results = contexts.flatMap(({ pieces }) => pieces).filter(isResult)
    const texts = results.map(({ raw }) => raw.results[0]?.texts.map(({ text }) => text).join('\n'))
    const unnamed = this.#events.unnamedTwins(texts)
    const twins = new Map(results.map((piece, index) => [piece, unnamed.get(index)]))
    const conversations = contexts.map(({ label, pieces, model }) => {
      const all = [...(this.#system === undefined ? [] : [this.#system]), ...pieces]
      const placed = groupPieces(all.map((piece) => withTwins(piece, twins.get(piece))))
      return buildConversation(placed, { label, model, toolSchemas: this.#toolSchemas })
    })
    return { conversations, problems: this.#problems }
  }

  #readLine(line: ListItem): void {
    const { source, path, value } = line
    if (!isJsonObject(value)) {
      this.#problems.push(skippedItem(line))
    } else if (isEnvelope(value)) {
      const { payload } = value
      const at = [...path, 'payload']
      if (isJsonObject(payload)) this.#readPayload(line, value.type as string, payload, at)
      else this.#problems.push(wrongType(source, at, payload, `a ${value.type}, an object`))
    } else if (isOldMeta(value)) {
      this.#readSystem(line, value.instructions, [...path, 'instructions'])
    } else if (isCodexLine(value)) {
      if (isState(value)) return
      if (typeof value.model === 'string') this.#nameModel(value.model)
      this.#addItem({ ...line, value: this.#readOld(value) }, value, timeOf(value))
    } else if (typeof value.type !== 'string') {
      this.#problems.push(skippedItem(line))
    }
  }

  #readPayload(line: ListItem, type: string, payload: JsonObject, path: JsonPath): void {
    const { source } = line
    switch (type) {
      case 'session_meta': {
        const { base_instructions: base, instructions, dynamic_tools: tools } = payload
        if (isJsonObject(base))
          this.#readSystem(line, base.text, [...path, 'base_instructions', 'text'])
        else this.#readSystem(line, instructions, [...path, 'instructions'])
        if (this.#toolSchemas === '' && tools !== null && tools !== undefined) {
          this.#toolSchemas = JSON.stringify(tools)
        }
        return
      }
      case 'turn_context':
        if (typeof payload.model === 'string') this.#nameModel(payload.model)
        return
      case 'event_msg':
        this.#events.note(line)
        return
      case 'response_item':
        this.#addItem({ source, path, value: payload }, undefined, timeOf(line.value))
        return
      case 'compacted':
        this.#compact(line, payload, path)
        return
      case 'inter_agent_communication': {
        const { content: text } = payload
        if (typeof text === 'string') this.#add(line, path, textMessage('user', text, 'content'))
      }
    }
  }

  #readSystem({ source, path }: ListItem, text: unknown, at: JsonPath): void {
    if (this.#system !== undefined || typeof text !== 'string' || text === '') return
    const raw = textMessage('system', text, ...at.slice(path.length))
    this.#system = { raw, source, path }
  }

  #nameModel(model: string): void {
    this.#model = model
    const context = this.#context
    context.model ??= model
  }

  #compact(line: ListItem, payload: JsonObject, path: JsonPath): void {
    const { source } = line
    const place = source.line === undefined ? readablePath(line.path) : `line ${source.line}`
    this.#contexts.push({ label: `after the compaction, ${place}`, pieces: [], model: this.#model })
    const { replacement_history: history, message } = payload
    this.#events.noteHistory(line, payload.guardian_history, [...path, 'guardian_history'])
    if (Array.isArray(history)) {
      for (const [index, value] of history.entries()) {
        this.#addItem({ source, path: [...path, 'replacement_history', index], value })
      }
    } else if (history !== null && history !== undefined) {
      const at = [...path, 'replacement_history']
      this.#problems.push(wrongType(source, at, history, 'a list of items'))
    } else if (typeof message === 'string' && message !== '') {
      this.#add(line, path, textMessage('user', message, 'message'))
    }
  }

  /** Adds an item; `written` is how it stands in the document where that differs, `time` when its line was. */
  #addItem(item: ListItem, written?: JsonObject, time?: number): void {
    const { source, path, value } = item
    // A commit of the user's files to go back to; no model is sent it.
    if (isJsonObject(value) && value.type === 'ghost_snapshot') return
    const read = isResponseItem(value) ? this.#readItem(value) : undefined
    if (read === undefined) {
      this.#problems.push(skippedItem(item))
      return
    }
    const place = (inner: JsonPath): JsonPath => placeIn(inner, written)
    for (const { path: inner, value: wrong, expected } of read.wrong) {
      this.#problems.push(wrongType(source, [...path, ...place(inner)], wrong, expected))
    }
    for (const { id } of read.raw.calls) if (typeof id === 'string') this.#events.begin(id)
    const raw = written === undefined ? read.raw : movedIn(read.raw, place)
    this.#add(item, path, { ...raw, at: time })
  }

  #add({ source }: ListItem, path: JsonPath, raw: RawMessage): void {
    const piece = { raw, source, path }
    this.#context.pieces.push(piece)
    if (isResult(piece)) this.#events.countResult()
    const id = raw.results[0]?.callId
    if (typeof id === 'string') this.#timeOfPiece.set(piece, this.#events.timeOf(id))
  }

  /** The piece with the twins of its result, which go to the first result of a call. */
  #withEvents(piece: MessagePiece): MessagePiece {
    const [result] = piece.raw.results
    const time = this.#timeOfPiece.get(piece)
    if (result === undefined || time === undefined) return piece
    const events = this.#events.take(result.callId as string, time)
    if (events === undefined) return piece
    const results = [{ ...result, isFlaggedError: result.isFlaggedError || events.isError }]
    const twins = result.texts.length === 0 ? [] : [events.twins]
    return { ...piece, raw: { ...piece.raw, results }, twins }
  }

  get #context(): Context {
    return this.#contexts.at(-1) as Context
  }
}

function isResult({ raw }: MessagePiece): boolean {
  return raw.results.length > 0
}

function withTwins(piece: MessagePiece, more: readonly SourcePlace[] | undefined): MessagePiece {
  if (more === undefined || piece.raw.results[0]?.texts.length === 0) return piece
  return { ...piece, twins: [[...(piece.twins?.[0] ?? []), ...more]] }
}

/** When a line was written; older ones have another word for it. */
function timeOf(line: unknown): number | undefined {
  return isJsonObject(line) ? readTime(line.timestamp ?? line.created_at) : undefined
}

/** A path of an item as the line has it. */
function placeIn([key, ...rest]: JsonPath, written: JsonObject | undefined): JsonPath {
  if (key === undefined) return []
  const old = OLD_KEYS[key]
  const isOld = written !== undefined && !Object.hasOwn(written, key) && old !== undefined
  return [isOld ? old : key, ...rest]
}

function movedIn(raw: RawMessage, place: (path: JsonPath) => JsonPath): RawMessage {
  const move = <Text extends { readonly path?: JsonPath }>(text: Text): Text =>
    text.path === undefined ? text : { ...text, path: place(text.path) }
  return {
    ...raw,
    contents: raw.contents.map(move),
    results: raw.results.map((result) => ({ ...result, texts: result.texts.map(move) })),
  }
}
