/**
 * Sessions of Gemini CLI, `~/.gemini/tmp/<project>/chats/session-*.json` and `.jsonl`:
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts
 * A turn is a message of type `gemini` with `toolCalls`; the results stand in its calls and are sent after it, as a
 * message of role `tool`. `resultDisplay` is for people: what of it repeats the result is its twin.
 * In lines, a message is appended again when it grows: the last of an id counts, results of earlier ones are twins.
 * What `$rewindTo` takes back, and what `$set.messages` leaves out, is a conversation of its own where it has results.
 * Ignored: messages of type `info`, `error` and `warning`, which no model is sent, `description`, `tokens`.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { RawCall, RawMessage, RawResult, RawText } from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'
import type { Problem } from '../problem'
import type { JsonPath } from '../text/json-pointer'
import {
  buildConversation,
  type MessagePiece,
  type PlacedMessage,
  type TwinPlace,
} from './build-conversation'
import type { FormatReading } from './format'
import { displaysOf } from './gemini-displays'
import { type Report, readPartList } from './gemini-parts'
import { isHead, type Recorded, readLines } from './gemini-session-lines'
import { type CallIds, linkByName } from './link-by-name'
import { type ListItem, skippedItem } from './message-lists'
import type { SourceDocument, SourceValue } from './source-document'
import { structuredResult } from './structured-result'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

const MESSAGE_TYPES = new Set(['user', 'gemini', 'info', 'error', 'warning'])

/** Whether every value is a session, or the values are the lines of one. */
export function areGeminiSessions({ layout, values }: SourceDocument): boolean {
  if (values.every(({ value }) => isSession(value))) return values.length > 0
  return layout === 'jsonl' && values.some(({ value }) => isHead(value))
}

function isSession(value: unknown): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) return false
  const { messages } = value
  const isOwn =
    Array.isArray(messages) &&
    messages.every(isRecord) &&
    messages.some((message) => isRecord(message) && message.type === 'gemini')
  return isOwn || isHead(value)
}

function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && typeof value.type === 'string' && MESSAGE_TYPES.has(value.type)
}

/** Reads what `areGeminiSessions` found. */
export function readGeminiSessions({ layout, values }: SourceDocument): FormatReading {
  const problems: Problem[] = []
  if (layout === 'jsonl' && !values.every(({ value }) => isSession(value))) {
    const { last, takenBack } = readLines(values)
    const asides = takenBack
      .map(({ line, messages }) =>
        readRecorded(messages, `taken back, line ${line}`, problems, true),
      )
      .filter(({ results }) => results.length > 0)
    return { conversations: [readRecorded(last, 'messages', problems), ...asides], problems }
  }
  const conversations = values.map((source) => {
    const label = source.line === undefined ? 'messages' : `line ${source.line}`
    const items = itemsOf(source, ['messages'], problems)
    return readRecorded(
      items.map((item) => ({ item, earlier: [] })),
      label,
      problems,
    )
  })
  return { conversations, problems }
}

function itemsOf(source: SourceValue, path: JsonPath, problems: Problem[]): ListItem[] {
  const list = path.reduce<unknown>(
    (value, step) => (isJsonObject(value) ? value[step] : undefined),
    source.value,
  )
  if (Array.isArray(list))
    return list.map((value, index) => ({ source, path: [...path, index], value }))
  problems.push(wrongType(source, path, list, 'a list of messages, objects with a "type"'))
  return []
}

function readRecorded(
  recorded: readonly Recorded[],
  label: string,
  problems: Problem[],
  isAside = false,
): ReadConversation {
  const ids = linkByName()
  const placed: PlacedMessage[] = []
  let model: string | undefined
  for (const { item, earlier } of recorded) {
    const { value } = item
    if (!isRecord(value)) {
      problems.push(skippedItem(item))
      continue
    }
    if (value.type !== 'user' && value.type !== 'gemini') continue
    if (value.type === 'gemini' && typeof value.model === 'string') model = value.model
    placed.push(...readRecord(value, item, earlier, ids, problems))
  }
  return buildConversation(placed, { label, model, toolSchemas: '', isAside })
}

function readRecord(
  value: JsonObject,
  { source, path }: ListItem,
  earlier: readonly ListItem[],
  ids: CallIds,
  problems: Problem[],
): PlacedMessage[] {
  const report: Report = (at, wrong, expected) =>
    problems.push(wrongType(source, [...path, ...at], wrong, expected))
  const asked: RawCall[] = []
  const pieces: MessagePiece[] = []
  const seen: unknown[] = []
  for (const [index, call] of callsOf(value, report)) {
    const nth = seen.filter((other) => other === call.id).length
    seen.push(call.id)
    const at = ['toolCalls', index]
    if (typeof call.name !== 'string') report([...at, 'name'], call.name, 'a text')
    const id = ids.idOfCall(call.id, call.name)
    asked.push({
      id,
      name: call.name,
      arguments: call.args === undefined ? '' : JSON.stringify(call.args),
      ...(call.args !== undefined && { path: [...at, 'args'] }),
    })
    if (call.result === undefined || call.result === null) continue
    const raw = readResult(call, id, (inner, wrong, expected) =>
      report([...at, 'result', ...inner], wrong, expected),
    )
    const texts = raw.results.flatMap((result) => result.texts.map(({ text }) => text))
    const twins = [
      ...displaysOf(call, { source, path: [...path, ...at] }, texts),
      ...earlier.flatMap((item) => earlierResults(item, call.id, nth, texts)),
    ]
    pieces.push({ raw, source, path: [...path, ...at, 'result'], twins: [twins] })
  }
  const raw = {
    ...readPartList(value.content ?? '', ['content'], ids, report),
    role: String(value.type),
    isAssistant: value.type === 'gemini',
    name: undefined,
    at: readTime(value.timestamp),
    reasoning: thoughtsOf(value),
    calls: asked,
    results: [],
  }
  const [first, ...rest] = pieces
  return [[{ raw, source, path }], ...(first === undefined ? [] : [[first, ...rest] as const])]
}

function callsOf(value: JsonObject, report: Report): (readonly [number, JsonObject])[] {
  const { toolCalls: list } = value
  if (list === undefined || list === null) return []
  if (!Array.isArray(list)) {
    report(['toolCalls'], list, 'a list of calls')
    return []
  }
  return list.flatMap((call, index) => {
    if (isJsonObject(call)) return [[index, call] as const]
    report(['toolCalls', index], call, 'a call, an object with "name"')
    return []
  })
}

function thoughtsOf({ thoughts }: JsonObject): RawText[] {
  if (!Array.isArray(thoughts)) return []
  return thoughts.flatMap((thought, index) =>
    isJsonObject(thought) && typeof thought.description === 'string'
      ? [{ text: thought.description, path: ['thoughts', index, 'description'] }]
      : [],
  )
}

/** A call's result as a message of its own; its paths go on from `result`. */
function readResult(call: JsonObject, callId: string, report: Report): RawMessage {
  const { contents, nonTextParts, results } = readPartList(call.result, [], linkByName(), report)
  const own = [...results.flatMap(({ texts }) => texts), ...contents].filter(
    ({ path }) => path !== undefined,
  )
  const texts = longestFirst(own)
  const isText = texts.length > 0 && nonTextParts === 0
  const [only, ...others] = results
  const valuePath = others.length === 0 && own.length === only?.texts.length && only.valuePath
  const result: RawResult = {
    callId,
    shape: isText ? 'text' : 'other',
    texts: isText ? texts : [],
    ...(valuePath && { valuePath }),
    isFlaggedError: call.status === 'error' || results.some((read) => read.isFlaggedError),
    isErrorObject: results.some((read) => read.isErrorObject === true),
  }
  const frames = contents.filter(({ path }) => path === undefined)
  return {
    role: 'tool',
    isAssistant: false,
    name: undefined,
    contents: isText ? frames : [...frames, ...own],
    reasoning: [],
    nonTextParts,
    calls: [],
    results: [result],
  }
}

/** As for a structured result: without empty texts, unless there are no others. */
function longestFirst(texts: readonly RawText[]): readonly RawText[] {
  const filled = texts.filter(({ text }) => text !== '')
  if (filled.length === 0) return texts.slice(0, 1)
  const longest = filled.reduce((best, text) => (text.text.length > best.text.length ? text : best))
  return [longest, ...filled.filter((text) => text !== longest)]
}

/** The strings of an earlier line that are the result of the nth call with an id. */
function earlierResults(
  { source, path, value }: ListItem,
  id: unknown,
  nth: number,
  texts: readonly string[],
): TwinPlace[] {
  const calls = isJsonObject(value) ? callsOf(value, () => {}) : []
  const [index, call] = calls.filter(([, other]) => other.id === id)[nth] ?? []
  if (index === undefined || call === undefined) return []
  const at = [...path, 'toolCalls', index]
  const same = structuredResult(call.result, [...at, 'result']).texts.filter(({ text }) =>
    texts.includes(text),
  )
  return [
    ...same.flatMap((text) => (text.path === undefined ? [] : [{ source, path: text.path }])),
    ...displaysOf(call, { source, path: at }, texts),
  ]
}
