/**
 * AI SDK (npm `ai`), messages for models and messages for pages: see `ai-sdk-model-message` and `ai-sdk-ui-message`.
 * A turn is an assistant message, in messages for pages a step, with a tool call; a result is a `tool-result`, or what
 * a call's part holds as `output`, `result`, `errorText` or, where the user denied it, the reason. A text is its text; an
 * output of type `content` is text when its parts are; any other value is read by its strings (keys, numbers and the
 * shape stay). Outputs of type `error-text`, `error-json` and `execution-denied`, `isError` and the states `output-error`
 * and `output-denied` are flagged as errors.
 * Results with images or files, and those of tools that a provider ran, are no text.
 * Shapes: message arrays, bodies (`messages`), JSON Lines of either, lists of messages anywhere in a larger document,
 * such as `response.messages` of what `generateText` gives, whose steps hold each result again: see `ai-sdk-repeats`.
 * Twins besides: `structuredContent` of MCP servers' answers, and strings beside the messages that equal a result.
 * Ignored: ids, metadata, sources, data parts, approvals, `content` beside `parts`; calls still being written.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import type { Problem } from '../problem'
import { readModelMessage } from './ai-sdk-model-message'
import { findRepeats, type TakeRepeats } from './ai-sdk-repeats'
import type { Report } from './ai-sdk-result'
import { readUiMessage } from './ai-sdk-ui-message'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { findKeys } from './find-keys'
import type { Format } from './format'
import {
  findMessageLists,
  type ListItem,
  type MessageKind,
  type MessageList,
  skippedItem,
} from './message-lists'
import { RepeatedResults } from './repeated-results'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

const ROLES = new Set(['system', 'user', 'assistant', 'tool', 'data'])

/** Objects with a role, one of them with a part that only this format has. */
const AI_SDK_MESSAGES: MessageKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  isTelling: (messages) =>
    messages.some((message) => isJsonObject(message) && marksOf(message).length > 0),
  mayBe: (messages) => messages.every(isPlainMessage),
}

/** A message of a prompt that has no calls and no results. */
function isPlainMessage(message: unknown): boolean {
  if (!isJsonObject(message) || Array.isArray(message.tool_calls)) return false
  const { role, content } = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return false
  if (typeof content === 'string') return true
  const isText = (part: unknown) => isJsonObject(part) && part.type === 'text'
  return Array.isArray(content) && content.every(isText)
}

export const aiSdk: Format = {
  id: 'ai-sdk',
  label: 'AI SDK',
  expects:
    'a list of messages with "tool-call" and "tool-result" parts, or with "parts" for a page',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, AI_SDK_MESSAGES)
    if (lists.length === 0) return null
    const messages = lists.flatMap(({ items }) => items.map(({ value }) => value))
    const found = new Set(messages.filter(isJsonObject).flatMap(marksOf))
    const marks = [...found, ...findKeys(source, ['toolCallId'])]
    return { shape, lists: lists.length, marks: marks.slice(0, 3) }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, AI_SDK_MESSAGES)
    const takeRepeats = findRepeats(source, lists)
    // Each step's messages begin with those of the steps before: what stands beside them belongs to the last.
    const readings = lists
      .toReversed()
      .map((list) => readList(list, takeRepeats))
      .toReversed()
    return {
      conversations: withRepeats(
        source,
        lists,
        readings.map(({ conversation }) => conversation),
      ),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

/** Results that stand beside the messages as texts, such as in the request as a provider was sent it. */
function withRepeats(
  { text, values }: SourceDocument,
  lists: readonly MessageList[],
  conversations: readonly ReadConversation[],
): ReadConversation[] {
  const messages = new Set(lists.flatMap(({ items }) => items.map(({ value }) => value)))
  const repeated = new RepeatedResults(text, conversations)
  for (const source of values) repeated.lookThrough(source, [], (value) => messages.has(value))
  return repeated.conversations()
}

const MODEL_PART_TYPES = new Set(['tool-call', 'tool-result'])
const UI_PART_TYPES = new Set(['step-start', 'dynamic-tool', 'tool-invocation'])

/** What in a message no other format has, by its types and keys. */
function marksOf({ role, content, parts, toolInvocations }: JsonObject): string[] {
  if (!ROLES.has(String(role))) return []
  const marks = typesOf(content).filter((type) => MODEL_PART_TYPES.has(type))
  const types = typesOf(parts)
  marks.push(...types.filter((type) => UI_PART_TYPES.has(type) || type.startsWith('tool-')))
  const hasTexts =
    Array.isArray(parts) &&
    parts.some((part) => isJsonObject(part) && part.type === 'text' && Object.hasOwn(part, 'text'))
  if (hasTexts) marks.push('parts')
  if (Array.isArray(toolInvocations) && toolInvocations.length > 0) marks.push('toolInvocations')
  return marks
}

function typesOf(parts: unknown): string[] {
  if (!Array.isArray(parts)) return []
  return parts.flatMap((part) =>
    isJsonObject(part) && typeof part.type === 'string' ? [part.type] : [],
  )
}

function readList(
  list: MessageList,
  takeRepeats: TakeRepeats,
): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const placed = list.items.flatMap((item) => readItem(item, problems, takeRepeats))
  const { label, owner } = list
  const tools = owner?.tools
  const system: PlacedMessage[] = readSystem(list, placed)
  return {
    conversation: buildConversation([...system, ...placed], {
      label,
      model: typeof owner?.model === 'string' ? owner.model : undefined,
      toolSchemas: isJsonObject(tools) || Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}

/** The system prompt that stands beside the messages, as `generateText` takes it. */
function readSystem(
  { owner, items }: MessageList,
  placed: readonly PlacedMessage[],
): PlacedMessage[] {
  const [first] = items
  const base = first?.path.slice(0, -2) ?? []
  if (typeof owner?.system !== 'string' || first === undefined || placed.length === 0) return []
  const path = [...base, 'system']
  const raw = {
    ...{ role: 'system', isAssistant: false, name: undefined, nonTextParts: 0 },
    ...{ contents: [{ text: owner.system, path: [] }], reasoning: [], calls: [], results: [] },
  }
  return [[{ raw, source: first.source, path }]]
}

function readItem(item: ListItem, problems: Problem[], takeRepeats: TakeRepeats): PlacedMessage[] {
  const { source, path, value } = item
  if (!isJsonObject(value) || typeof value.role !== 'string') {
    problems.push(skippedItem(item))
    return []
  }
  const place = { source, path }
  const report: Report = (at, wrong, expected) =>
    problems.push(wrongType(source, [...path, ...at], wrong, expected))
  const isForPage =
    (value.parts !== undefined && value.parts !== null) || Array.isArray(value.toolInvocations)
  if (isForPage) return readUiMessage(value, place, report)
  const { raw, twins } = readModelMessage(value, place, report, takeRepeats)
  return [[{ raw, ...place, twins }]]
}
