/**
 * Inspect (https://inspect.aisi.org.uk/eval-logs.html): logs as JSON, and samples from the `.eval` archive of a log.
 * Each sample is a conversation. Its messages are chat completions, with two differences: a call has the bare name of
 * its function and arguments as an object, and content can have reasoning parts.
 *
 * Turn: an assistant message with a call that has an id.
 * Call: an item of `tool_calls`.
 * Result: a message with role `tool`. Its text is `content`; where `error` has a message, models are sent that message
 * instead: it is the text, and `content` its duplicate. `error` flags an error.
 * Non-text result: a list of text parts has the shape `text_parts`; a list with other parts cannot be masked.
 *
 * Duplicates: strings in `input`, `events`, `events_data`, `attachments` and `store` that equal a result. Sandbox output
 * that differs from what the tool returned is not masked.
 * Ignored: all members beside `messages`, except the model, tools, times and usage in `events`. Files of an archive without
 * messages, such as `header.json` and `summaries.json`, are not transcripts.
 */

import { readChatMessage } from '../../conversation/chat-message'
import { readTime, type Usage } from '../../conversation/conversation'
import type { RawMessage } from '../../conversation/link-messages'
import { errorOf, type Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, ownMember } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { buildConversation } from '../reading/conversation'
import type { Format } from '../reading/format'
import { readItems } from '../reading/list-format'
import { expectItemsAt, itemsAt, type ListItem } from '../reading/lists'
import { memberText } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { expectKind, lineAndPath, type ReportWrongType, wrongTypeProblem } from '../reading/report'
import type { SourceDocument, SourceValue } from '../reading/source-document'

interface PlacedSample extends ListItem<JsonObject> {
  readonly log: JsonObject | undefined
}

export const inspect: Format<'inspect'> = {
  id: 'inspect',
  label: 'Inspect log',
  expects: 'a log with "eval" and "samples", or a sample with "messages" and "epoch"',
  recognise: (source) => {
    if (!source.values.some(({ value }) => isLog(value) || isSample(value) || isSummaries(value)))
      return null
    const lists = samplesIn(source, []).length
    const [first] = source.values
    const marks = isLog(first?.value) ? ['eval', 'samples'] : ['epoch', 'target', 'messages']
    return { shape: 'trace', lists, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    const conversations = samplesIn(source, problems).map((sample) => readSample(sample, problems))
    if (conversations.length === 0) throw errorOf(problems[0] ?? noMessagesProblem(source))
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

/** True for a list of samples, of their summaries, or of their scores. */
function isSummaries(value: unknown): value is readonly object[] {
  if (!Array.isArray(value) || value.length === 0) return false
  const has = (item: unknown, keys: readonly string[]) =>
    isJsonObject(item) && keys.every((key) => Object.hasOwn(item, key))
  return value.every((item) => has(item, ['epoch', 'target']) || has(item, ['scorer', 'samples']))
}

function samplesIn({ values }: SourceDocument, problems: Problem[]): PlacedSample[] {
  return values.flatMap((source): PlacedSample[] => {
    const { value } = source
    if (!isLog(value)) {
      const items = isSummaries(value) ? itemsAt(source, [], value) : [{ source, path: [], value }]
      return items.flatMap((item) =>
        isSample(item.value) ? [{ ...item, value: item.value, log: undefined }] : [],
      )
    }
    const { samples = [] } = value
    const items = expectItemsAt(source, ['samples'], samples, 'list_of_samples', problems)
    return items.flatMap((item): PlacedSample[] => {
      if (isJsonObject(item.value)) return [{ ...item, value: item.value, log: value }]
      problems.push(wrongTypeProblem(source, item.path, item.value, 'sample_with_messages'))
      return []
    })
  })
}

function noMessagesProblem({ values: [source] }: SourceDocument): Problem {
  const value = source?.value
  const path: JsonPath = Array.isArray(value) ? [0, 'messages'] : ['samples']
  const { samples: found } = membersOf(value)
  const inLog = Array.isArray(found) ? 'at_least_one_sample' : 'samples_of_log'
  const expected = Array.isArray(value) ? 'messages_of_sample' : inLog
  return wrongTypeProblem(source as SourceValue, path, found, expected)
}

function readSample({ source, path, value, log }: PlacedSample, problems: Problem[]) {
  const { messages } = value
  const at = [...path, 'messages']
  const items = expectItemsAt(source, at, messages, 'list_of_messages', problems)
  const answers = answersOfModel(value)
  const placed = readItems(items, problems, (message, place, report) => {
    const raw = readMessage(message, report)
    if (raw === undefined) return undefined
    const knownId = [message.id, ...raw.calls.map(({ id }) => id)].find((id) => answers.has(id))
    const answer = raw.isAssistant ? answers.get(knownId) : undefined
    const writtenAt = raw.writtenAt ?? answer?.time
    return [[{ raw: { ...raw, writtenAt, usage: answer?.usage }, ...place }]]
  })
  return buildConversation(placed, {
    label: lineAndPath(source, at),
    model: membersOf(log?.eval).model ?? membersOf(value.output).model,
    toolSchemas: toolsOf(value),
  })
}

function readMessage(value: JsonObject, report: ReportWrongType): RawMessage | undefined {
  const raw = readChatMessage(withCallNames(value))
  if (raw === undefined) return undefined
  const { content, error } = value
  expectKind(report, value, 'content', ['text', 'list'], 'text_or_list_of_parts')
  expectKind(report, value, 'tool_calls', ['list', 'absent'], 'list_of_calls')
  if (raw.role !== 'tool') return withReasoning(raw, content)
  if ((error ?? null) === null) return raw
  const texts = memberText(error, 'message', ['error'])
  const isErrorSent = texts.length > 0
  const results = raw.results.map((result) => ({
    ...result,
    ...(isErrorSent && { texts, shape: 'text' as const, copies: memberText(value, 'content') }),
    isFlaggedError: true,
  }))
  return isErrorSent ? { ...raw, results, contents: [], nonTextParts: 0 } : { ...raw, results }
}

/** Adds `name` to calls, which Inspect writes as `function`. */
function withCallNames(message: JsonObject): JsonObject {
  if (!Array.isArray(message.tool_calls)) return message
  const calls = message.tool_calls.map((call: unknown) => {
    const { function: name } = membersOf(call)
    return typeof name === 'string' ? { ...membersOf(call), name } : call
  })
  return { ...message, tool_calls: calls }
}

function withReasoning(raw: RawMessage, content: unknown): RawMessage {
  const parts = itemsOf(content).flatMap((part, index) =>
    membersOf(part).type === 'reasoning' ? [memberText(part, 'reasoning', ['content', index])] : [],
  )
  return {
    ...raw,
    reasoning: Array.isArray(content) ? parts.flat() : raw.reasoning,
    nonTextParts: raw.nonTextParts - parts.length,
  }
}

/** Times and usage of answers, which only events have, by the ids of the message and of its calls. */
function answersOfModel(sample: JsonObject) {
  const answers = new Map<unknown, { time: number | undefined; usage: Usage | undefined }>()
  for (const { output, completed, timestamp } of modelEvents(sample)) {
    const { choices, model: name, usage: stated } = membersOf(output)
    const [choice] = itemsOf(choices)
    const { message } = membersOf(choice)
    const time = readTime(completed ?? timestamp)
    if (!isJsonObject(message)) continue
    const model = typeof name === 'string' ? name : undefined
    const usage = readUsage(stated, 'inspect', { model, at: time })
    const calls = itemsOf(message.tool_calls)
    for (const { id } of [message, ...calls.filter(isJsonObject)])
      if (typeof id === 'string') answers.set(id, { time, usage })
  }
  return answers
}

/** The tools of the first request that has some, with attached texts inserted. */
function toolsOf(sample: JsonObject): string {
  const { attachments } = sample
  const tools = modelEvents(sample)
    .map((event) => event.tools)
    .find((list) => Array.isArray(list) && list.length > 0)
  if (tools === undefined) return ''
  return JSON.stringify(tools, (_, value: unknown) => {
    if (typeof value !== 'string' || !value.startsWith('attachment://')) return value
    return ownMember(membersOf(attachments), value.slice(13)) ?? value
  })
}

function modelEvents({ events }: JsonObject): JsonObject[] {
  return itemsOf(events)
    .filter(isJsonObject)
    .filter(({ event }) => event === 'model')
}
