/**
 * LangChain messages, and the state of LangGraph threads that hold them: https://docs.langchain.com/oss/python/langchain/messages
 * Three writings: serialised (`lc: 1`, the class in `id`, the fields in `kwargs`), stored (`type` and `data`), and plain
 * (`type` beside the fields, as LangGraph's API gives `values.messages`). Each list is a conversation: a thread's history
 * has one a state, LangSmith's runs one a call. A stream of updates is one, and so are the rows of a chat history, which
 * hold a message each (`message`, `History`): see `langchain-lists`.
 * A turn is an AI message with at least one entry of `tool_calls` or `invalid_tool_calls` that has an id, a result a tool
 * message. Its text is its content when that is a string; a list of text blocks is `text_parts`, as in chat completions;
 * with other blocks, or none, it is no text. `status: "error"` is the format's own flag.
 * Ignored: `additional_kwargs` and content blocks that repeat calls, RemoveMessage.
 * `additional_kwargs.tool_calls` is read where a message has no other calls.
 * Twins: strings of a result's `artifact` (never sent to a model) that repeat lines of it, and strings outside of the
 * conversations that equal it, such as what a node wrote.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { RawResult } from '../conversation/link-messages'
import type { Problem } from '../problem'
import { buildConversation, type PlacedMessage, type TwinPlace } from './build-conversation'
import type { Format } from './format'
import { twinsInArtifact } from './langchain-artifact'
import { findLangchainLists, isRemoval } from './langchain-lists'
import { type LangchainMessage, readLangchainFields, unwrapLangchain } from './langchain-messages'
import { type ListItem, type MessageList, skippedItem } from './message-lists'
import { RepeatedResults } from './repeated-results'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

export const langchain: Format = {
  id: 'langchain',
  label: 'LangChain',
  expects:
    'a list of messages with "lc": 1, or with a "type" of "human", "ai", "tool" or "system" and their fields beside it or in "data"',
  recognise: (source) => {
    const { shape, lists } = findLangchainLists(source)
    return lists.length === 0 ? null : { shape, lists: lists.length, marks: marksOf(lists) }
  },
  read: (source) => {
    const { lists } = findLangchainLists(source)
    const readings = lists.map(readList)
    const conversations = readings.map(({ conversation }) => conversation)
    return {
      conversations: withRepeats(source, lists, conversations),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

function marksOf(lists: readonly MessageList[]): string[] {
  const marks = new Set<string>()
  for (const { items } of lists) {
    for (const { value } of items) {
      const message = unwrapLangchain(value)
      if (message === undefined) continue
      const [wrapping] = message.below
      if (wrapping !== undefined) marks.add(wrapping === 'kwargs' ? 'lc' : String(wrapping))
      marks.add(message.type)
    }
  }
  return [...marks].slice(0, 5)
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  let model: string | undefined
  for (const item of list.items) {
    const message = unwrapLangchain(item.value)
    if (message === undefined) {
      if (!isRemoval(item.value)) problems.push(skippedItem(item))
      continue
    }
    const { source, path } = item
    const { fields, below } = message
    if (!isJsonObject(fields)) {
      problems.push(
        wrongType(source, [...path, ...below], fields, "an object, the message's fields"),
      )
      continue
    }
    problems.push(...wrongFields(item, message, fields))
    const raw = readLangchainFields(message, fields)
    placed.push([{ raw, source, path, twins: raw.results.map(twinsOf(item, message, fields)) }])
    model = modelOf(fields) ?? model
  }
  const frame = { label: list.label, model, toolSchemas: '' }
  return { conversation: buildConversation(placed, frame), problems }
}

/** Where what a tool keeps for the program repeats what it gave the model. */
function twinsOf({ source, path }: ListItem, { below }: LangchainMessage, fields: JsonObject) {
  const at = [...path, ...below, 'artifact']
  return ({ texts }: RawResult): TwinPlace[] =>
    twinsInArtifact(fields.artifact, texts).map((twin) => ({ source, path: [...at, ...twin] }))
}

/** Results that stand elsewhere: in what the nodes of a graph wrote, in runs of tools. */
function withRepeats(
  { text, values }: SourceDocument,
  lists: readonly MessageList[],
  conversations: readonly ReadConversation[],
): ReadConversation[] {
  const messages = new Set(lists.flatMap(({ items }) => items.map(({ value }) => value)))
  // Rows that hold messages as JSON in strings have nothing else.
  if (lists.some(({ items }) => items.some(({ source }) => source.encoded > 0)))
    return [...conversations]
  const repeated = new RepeatedResults(text, conversations)
  for (const source of values) {
    repeated.lookThrough(source, [], (value) => messages.has(value))
  }
  return repeated.conversations()
}

/** What of a message's fields was left alone because it is not what it should be. */
function wrongFields(
  { source, path }: ListItem,
  { role, below }: LangchainMessage,
  fields: JsonObject,
): Problem[] {
  const problems: Problem[] = []
  const expect = (key: string, isRight: boolean, expected: string): void => {
    if (!isRight) problems.push(wrongType(source, [...path, ...below, key], fields[key], expected))
  }
  const { content, tool_calls: calls, tool_call_id: callId } = fields
  const isContent = typeof content === 'string' || Array.isArray(content)
  expect('content', isContent || (content ?? null) === null, 'a text or a list of blocks')
  if (role === 'assistant')
    expect('tool_calls', Array.isArray(calls) || (calls ?? null) === null, 'a list of calls')
  if (role === 'tool')
    expect('tool_call_id', typeof callId === 'string', 'a text, the id of the call it answers')
  return problems
}

function modelOf({ response_metadata: metadata }: JsonObject) {
  if (!isJsonObject(metadata)) return undefined
  const { model_name: name, model } = metadata
  if (typeof name === 'string') return name
  return typeof model === 'string' ? model : undefined
}
