/**
 * Inspect (https://inspect.aisi.org.uk/eval-logs.html): logs as JSON, and the samples of a log in its `.eval` archive.
 * The messages of a sample are chat completions with differences: a call has its function's bare name and arguments as
 * an object, content can hold reasoning. Each sample is a conversation. A turn is an assistant message with a call that
 * has an id, a result a message of role `tool`. Its text is the content, and a list of text parts is `text_parts`; but
 * where `error` has a message, which flags an error, that is what models are sent, and the content its twin.
 * Other twins: strings of `input`, `events`, `events_data`, `attachments` and `store` that equal a result. What the sandbox
 * gave a tool is another text than what the tool made of it, and stays.
 * Ignored: everything beside `messages` but the model and the tools its events name. The members of an archive that
 * hold no messages (`header.json`, `summaries.json`, …) are no transcripts.
 */
import { isJsonObject, readChatMessage } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { RawMessage, RawText } from '../conversation/link-messages'
import { readTime } from '../conversation/read-time'
import { type Problem, ReadError } from '../problem'
import { type JsonPath, readablePath } from '../text/json-pointer'
import { buildConversation, type MessagePiece, type SourcePlace } from './build-conversation'
import type { Format } from './format'
import { twinsInSample } from './inspect-twins'
import { type ListItem, skippedItem } from './message-lists'
import { memberText } from './raw-message'
import type { SourceDocument, SourceValue } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

interface Sample {
  readonly source: SourceValue
  readonly path: JsonPath
  readonly value: JsonObject
  readonly log: JsonObject | undefined
}

export const inspect: Format = {
  id: 'inspect',
  label: 'Inspect log',
  expects: 'a log with "eval" and "samples", or a sample with "messages" and "epoch"',
  recognise: (source) => {
    if (!source.values.some(({ value }) => isLog(value) || isSample(value) || isSummaries(value)))
      return null
    const lists = samplesOf(source, []).length
    const [first] = source.values
    const marks = isLog(first?.value) ? ['eval', 'samples'] : ['epoch', 'target', 'messages']
    return { shape: 'trace', lists, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    const conversations = samplesOf(source, problems).map((sample) => readSample(sample, problems))
    const [first] = problems
    if (conversations.length === 0) {
      const { code, values, offset } = first ?? noMessages(source)
      throw new ReadError(code, values, offset)
    }
    return { conversations, problems }
  },
}

function isLog(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value.eval)) return false
  return typeof value.version === 'number' && Object.hasOwn(value.eval, 'task')
}

function isSample(value: unknown): value is JsonObject {
  if (!isJsonObject(value) || typeof value.epoch !== 'number') return false
  return Object.hasOwn(value, 'messages') && Object.hasOwn(value, 'target')
}

/** Samples, what lists of samples show of each, or what a scorer made of them. */
function isSummaries(value: unknown): value is readonly JsonObject[] {
  if (!Array.isArray(value) || value.length === 0) return false
  const has = (item: unknown, keys: readonly string[]) =>
    isJsonObject(item) && keys.every((key) => Object.hasOwn(item, key))
  return value.every((item) => has(item, ['epoch', 'target']) || has(item, ['scorer', 'samples']))
}

function samplesOf({ values }: SourceDocument, problems: Problem[]): Sample[] {
  return values.flatMap((source): Sample[] => {
    const { value } = source
    if (isSample(value)) return [{ source, path: [], value, log: undefined }]
    if (isSummaries(value)) {
      return value.flatMap((sample, index) =>
        isSample(sample) ? [{ source, path: [index], value: sample, log: undefined }] : [],
      )
    }
    if (!isLog(value)) return []
    const { samples } = value
    if (!Array.isArray(samples)) {
      if (samples !== undefined)
        problems.push(wrongType(source, ['samples'], samples, 'a list of samples'))
      return []
    }
    return samples.flatMap((sample: unknown, index): Sample[] => {
      const path = ['samples', index]
      if (isJsonObject(sample)) return [{ source, path, value: sample, log: value }]
      problems.push(wrongType(source, path, sample, 'a sample, an object with "messages"'))
      return []
    })
  })
}

function noMessages({ values: [source] }: SourceDocument): Problem {
  const value = source?.value
  const path: JsonPath = Array.isArray(value) ? [0, 'messages'] : ['samples']
  const found = isJsonObject(value) ? value.samples : undefined
  const ofLog = Array.isArray(found)
    ? 'at least one sample'
    : 'a list of samples; the header of a log has none'
  const expected = Array.isArray(value)
    ? 'the messages of a sample; summaries and scores of samples have none'
    : ofLog
  return wrongType(source as SourceValue, path, found, expected)
}

function readSample({ source, path, value, log }: Sample, problems: Problem[]): ReadConversation {
  const { messages } = value
  const at = [...path, 'messages']
  const isList = Array.isArray(messages)
  if (!isList) problems.push(wrongType(source, at, messages, 'a list of messages'))
  const times = answerTimes(value)
  const pieces: MessagePiece[] = []
  for (const [index, message] of (isList ? messages : []).entries()) {
    const item = { source, path: [...at, index], value: message }
    const raw = readMessage(item, problems)
    if (raw === undefined) continue
    const ids = [(message as JsonObject).id, ...raw.calls.map(({ id }) => id)]
    const known = ids.find((id) => times.has(id))
    const time = raw.isAssistant ? times.get(known) : undefined
    pieces.push({ raw: { ...raw, at: raw.at ?? time }, source, path: item.path })
  }
  const line = source.line === undefined ? '' : `line ${source.line}, `
  const frame = {
    label: `${line}${readablePath(at)}`,
    model: modelOf(value, log),
    toolSchemas: toolsOf(value),
  }
  const placed = withTwins(pieces, source, path, value)
  return buildConversation(
    placed.map((piece) => [piece]),
    frame,
  )
}

function readMessage(item: ListItem, problems: Problem[]): RawMessage | undefined {
  const { source, path, value } = item
  const raw = readChatMessage(value)
  if (raw === undefined || !isJsonObject(value)) {
    problems.push(skippedItem(item))
    return undefined
  }
  const { content, error, tool_calls: calls } = value
  if (typeof content !== 'string' && !Array.isArray(content)) {
    problems.push(wrongType(source, [...path, 'content'], content, 'a text or a list of parts'))
  }
  if ((calls ?? null) !== null && !Array.isArray(calls)) {
    problems.push(wrongType(source, [...path, 'tool_calls'], calls, 'a list of calls'))
  }
  if (raw.role !== 'tool') return withReasoning(raw, content)
  if ((error ?? null) === null) return raw
  const texts = isJsonObject(error) ? memberText(error, 'message', ['error']) : []
  const said = texts.length === 0 ? {} : { texts, shape: 'text' as const }
  const results = raw.results.map((result) => ({ ...result, ...said, isFlaggedError: true }))
  return texts.length === 0
    ? { ...raw, results }
    : { ...raw, results, contents: [], nonTextParts: 0 }
}

function withReasoning(raw: RawMessage, content: unknown): RawMessage {
  if (!Array.isArray(content)) return raw
  const reasoning = content.flatMap((part: unknown, index): RawText[] =>
    isJsonObject(part) && part.type === 'reasoning'
      ? memberText(part, 'reasoning', ['content', index])
      : [],
  )
  const parts = content.filter((part) => isJsonObject(part) && part.type === 'reasoning').length
  return { ...raw, reasoning, nonTextParts: raw.nonTextParts - parts }
}

/** The pieces with what repeats their results: the content an error stands in for, and strings of other parts. */
function withTwins(
  pieces: readonly MessagePiece[],
  source: SourceValue,
  path: JsonPath,
  sample: JsonObject,
): MessagePiece[] {
  const results = pieces.map(
    ({
      raw: {
        results: [result],
      },
    }) => ({
      callId: result?.callId,
      text: (result?.texts ?? []).flatMap(({ text }) => text || []).join('\n'),
    }),
  )
  const twins = twinsInSample(sample, results)
  return pieces.map((piece, index) => {
    const found = (twins.get(index) ?? []).map((at) => ({ source, path: [...path, ...at] }))
    const all = [...contentTwin(piece, sample, path), ...found]
    return all.length === 0 ? piece : { ...piece, twins: [all] }
  })
}

function contentTwin(
  { raw, source, path }: MessagePiece,
  sample: JsonObject,
  samplePath: JsonPath,
): SourcePlace[] {
  const [text] = raw.results[0]?.texts ?? []
  if (text?.path?.[0] !== 'error') return []
  const index = path[samplePath.length + 1] as number
  const message: unknown = Array.isArray(sample.messages) ? sample.messages[index] : undefined
  const isText = isJsonObject(message) && memberText(message, 'content').length > 0
  return isText ? [{ source, path: [...path, 'content'] }] : []
}

function modelOf(sample: JsonObject, log: JsonObject | undefined): string | undefined {
  const named = isJsonObject(log?.eval) ? log.eval.model : undefined
  const answered = isJsonObject(sample.output) ? sample.output.model : undefined
  const model = named ?? answered
  return typeof model === 'string' ? model : undefined
}

/** When each answer came, by the ids of its message and of its calls; events say it, messages do not. */
function answerTimes({ events }: JsonObject): ReadonlyMap<unknown, number> {
  const times = new Map<unknown, number>()
  for (const event of Array.isArray(events) ? events : []) {
    if (!isJsonObject(event) || event.event !== 'model' || !isJsonObject(event.output)) continue
    const [choice]: readonly unknown[] = Array.isArray(event.output.choices)
      ? event.output.choices
      : []
    const message = isJsonObject(choice) ? choice.message : undefined
    const time = readTime(event.completed ?? event.timestamp)
    if (!isJsonObject(message) || time === undefined) continue
    const calls: readonly unknown[] = Array.isArray(message.tool_calls) ? message.tool_calls : []
    for (const { id } of [message, ...calls.filter(isJsonObject)])
      if (typeof id === 'string') times.set(id, time)
  }
  return times
}

/** The tools of the first request that had some, with the texts their long descriptions refer to. */
function toolsOf({ events, attachments }: JsonObject): string {
  const list: readonly unknown[] = Array.isArray(events) ? events : []
  const event = list.find(
    (one) => isJsonObject(one) && one.event === 'model' && isFilled(one.tools),
  )
  if (!isJsonObject(event)) return ''
  return JSON.stringify(event.tools, (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('attachment://')) return value
    const text = isJsonObject(attachments) ? attachments[value.slice(13)] : undefined
    return text ?? value
  })
}

function isFilled(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0
}
