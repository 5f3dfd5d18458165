/**
 * Sessions of Gemini CLI, `~/.gemini/tmp/<project>/chats/session-*.json` and `.jsonl`:
 * https://github.com/google-gemini/gemini-cli/blob/main/packages/core/src/services/chatRecordingTypes.ts
 * A turn is a message of type `gemini`, or `model`, with `toolCalls`. The result of a call is in its `result`, as parts or a text;
 * it is read as a message of role `tool` after the turn. With images or files it is not text. A call with status
 * `error` failed.
 * In JSON Lines, a message is appended again when it grows: the last copy counts.
 * Messages that `$rewindTo` or `$set.messages` removed are a conversation of their own where they have results.
 * Duplicates: strings of `resultDisplay` (for people, not for the model) that repeat the result; results in earlier
 * copies.
 * Ignored: messages of type `info`, `error` and `warning`, which are not sent to a model; `description`.
 */

import { type ReadConversation, readTime } from '../../conversation/conversation'
import type { RawCall, RawMessage, RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { phrase, type Words } from '../../words/words'
import { buildConversation, type MessagePiece, type MessagePieces } from '../reading/conversation'
import { type CallIds, createCallIds } from '../reading/create-call-ids'
import type { FormatReading } from '../reading/format'
import { expectItemsAt, type ListItem, skippedMessageProblem } from '../reading/lists'
import { longestFirst, MessageBody, memberText, rawMessage } from '../reading/raw-message'
import { lineOrPath, type ReportWrongType, reportWrongTypesTo } from '../reading/report'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { callArguments, readPartList } from './gemini-parts'

/** https://github.com/jonathan-kellerai/cross_agent_session_resumer/blob/main/tests/fixtures/gemini/gmi_simple.json has the second. */
const MODEL_TYPES: readonly unknown[] = ['gemini', 'model']
const MESSAGE_TYPES: readonly unknown[] = [...MODEL_TYPES, 'user', 'info', 'error', 'warning']

/** True where every value is a session, or the values are the lines of one. */
export function areGeminiSessions({ layout, values }: SourceDocument): boolean {
  if (values.every(({ value }) => isSession(value))) return values.length > 0
  return layout === 'jsonl' && values.some(({ value }) => isSessionHead(value))
}

function isSession(value: unknown): boolean {
  if (!isJsonObject(value) || !Object.hasOwn(value, 'messages')) return false
  const { messages } = value
  const areSessionMessages =
    Array.isArray(messages) &&
    messages.every(isSessionMessage) &&
    messages.some(({ type }) => MODEL_TYPES.includes(type))
  return areSessionMessages || isSessionHead(value)
}

function isSessionMessage(value: unknown): value is JsonObject {
  return isJsonObject(value) && MESSAGE_TYPES.includes(value.type)
}

/** Reads a source for which `areGeminiSessions` is true. */
export function readGeminiSessions({ layout, values }: SourceDocument): FormatReading {
  const problems: Problem[] = []
  if (layout === 'jsonl' && !values.every(({ value }) => isSession(value))) {
    const { current, removals } = readSessionLines(values)
    const labelOf = (n: number) => phrase('taken_back', { place: phrase('line', { n }) })
    const secondary = removals
      .map(({ line, messages }) => readMessages(messages, labelOf(line), problems, true))
      .filter(({ results }) => results.length > 0)
    return { conversations: [readMessages(current, 'messages', problems), ...secondary], problems }
  }
  const conversations = values.map((source) => {
    const label = source.line === undefined ? 'messages' : lineOrPath(source, [])
    const { messages } = membersOf(source.value)
    const expected = 'list_of_messages_with_type'
    const items = expectItemsAt(source, ['messages'], messages, expected, problems)
    return readMessages(items, label, problems)
  })
  return { conversations, problems }
}

function readMessages(
  messages: readonly ListItem[],
  label: Words,
  problems: Problem[],
  isSecondary = false,
): ReadConversation {
  const ids = createCallIds()
  const placed: MessagePieces[] = []
  let model: string | undefined
  for (const item of messages) {
    const { value } = item
    if (!isSessionMessage(value)) {
      problems.push(skippedMessageProblem(item))
      continue
    }
    const isModel = MODEL_TYPES.includes(value.type)
    if (value.type !== 'user' && !isModel) continue
    if (isModel && typeof value.model === 'string') model = value.model
    placed.push(...readMessage(value, item, ids, problems))
  }
  return buildConversation(placed, { label, model, isSecondary })
}

/** Reads a message, and the results of its calls as a second one. */
function readMessage(
  message: JsonObject,
  { source, path }: ListItem,
  ids: CallIds,
  problems: Problem[],
): MessagePieces[] {
  const report = reportWrongTypesTo(problems, source, path)
  const calls: RawCall[] = []
  const results: MessagePiece[] = []
  const { toolCalls: list = null } = message
  if (list !== null && !Array.isArray(list)) report(['toolCalls'], list, 'list_of_calls')
  new MessageBody(report).eachObject(list, ['toolCalls'], 'call_with_name', (call, at) => {
    if (typeof call.name !== 'string') report([...at, 'name'], call.name, 'text')
    const id = ids.idOfCall(call.id, call.name)
    calls.push({ id, name: call.name, ...callArguments(call.args, at) })
    if (call.result === undefined || call.result === null) return
    const place = { source, path: [...path, ...at, 'result'] }
    const raw = readResult(call, id, reportWrongTypesTo(problems, source, place.path))
    results.push({ raw, ...place })
  })
  const body = readPartList(message.content ?? '', ['content'], ids, report)
  const raw = rawMessage(scalarText(message.type), {
    ...body,
    isAssistant: MODEL_TYPES.includes(message.type),
    writtenAt: readTime(message.timestamp),
    reasoning: itemsOf(message.thoughts).flatMap((thought, index) =>
      memberText(thought, 'description', ['thoughts', index]),
    ),
    calls,
    results: [],
  })
  const [first, ...others] = results
  // The CLI writes the results of `toolCalls` once more, as the message that it sends.
  const isCopy = body.results.length > 0 && body.contents.every((text) => text.path === undefined)
  return [
    ...(isCopy ? [] : [[{ raw, source, path }] as const]),
    ...(first === undefined ? [] : [[first, ...others] as const]),
  ]
}

/** Reads the result of a call as a message; its paths are relative to `result`. */
function readResult(call: JsonObject, callId: string, report: ReportWrongType): RawMessage {
  const { contents, nonTextParts, results } = readPartList(call.result, [], createCallIds(), report)
  const hasPath = ({ path }: RawText): boolean => path !== undefined
  const found = [...results.flatMap(({ texts }) => texts), ...contents].filter(hasPath)
  const frames = contents.filter((text) => !hasPath(text))
  const isText = found.length > 0 && nonTextParts === 0
  const [only, ...others] = results
  const valuePath = others.length === 0 && found.length === only?.texts.length && only.valuePath
  const body = new MessageBody(report)
  body.nonTextParts = nonTextParts
  body.contents.push(...frames, ...(isText ? [] : found))
  const hasFailed = call.status === 'error' || results.some((read) => read.isFlaggedError)
  body.addResult(callId, isText ? longestFirst(found) : [], hasFailed, {
    ...(valuePath && { valuePath }),
    isErrorObject: results.some((read) => read.isErrorObject === true),
  })
  return rawMessage('tool', body)
}

function isSessionHead(value: unknown): value is JsonObject {
  const { sessionId, projectHash } = membersOf(value)
  return typeof sessionId === 'string' && typeof projectHash === 'string'
}

/** Sorts the lines of a session into messages; a message recorded again after its removal is not removed. */
function readSessionLines(values: readonly SourceValue[]) {
  let current = new Map<unknown, ListItem>()
  const removals: { readonly line: number; readonly messages: Map<unknown, ListItem> }[] = []
  const removalOf = new Map<unknown, Map<unknown, ListItem>>()

  const record = (id: unknown, item: ListItem): void => {
    removalOf.get(id)?.delete(id)
    current.set(id, item)
  }
  const remove = (removed: readonly (readonly [unknown, ListItem])[], line: number): void => {
    const messages = new Map(removed)
    for (const id of messages.keys()) {
      current.delete(id)
      removalOf.set(id, messages)
    }
    removals.push({ line, messages })
  }

  for (const source of values) {
    const { value, line = 1 } = source
    const { $rewindTo, $set } = membersOf(value)
    if (typeof $rewindTo === 'string') {
      const all = [...current]
      const from = all.findIndex(([id]) => id === $rewindTo)
      remove(all.slice(Math.max(0, from)), line)
    } else if (isJsonObject($set)) {
      const { messages } = $set
      if (!Array.isArray(messages)) continue
      const before = current
      current = new Map()
      for (const [index, message] of messages.entries()) {
        const item = { source, path: ['$set', 'messages', index], value: message }
        record(membersOf(message).id ?? item, item)
      }
      remove(
        [...before].filter(([id]) => !current.has(id)),
        line,
      )
    } else if (!isSessionHead(value)) {
      const item = { source, path: [], value }
      record(isJsonObject(value) && typeof value.id === 'string' ? value.id : item, item)
    }
  }
  return {
    /** The messages that Gemini CLI itself would load. */
    current: [...current.values()],
    /** Messages that a line removed for good; they were sent once, and are still in the file. */
    removals: removals.map(({ line, messages }) => ({ line, messages: [...messages.values()] })),
  }
}
