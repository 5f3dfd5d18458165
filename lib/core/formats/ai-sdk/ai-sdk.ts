/**
 * AI SDK (npm `ai`): `ModelMessage` and `UIMessage`, see `ai-sdk-model-message` and `ai-sdk-ui-message`.
 * A turn is an assistant message with a tool call; in a `UIMessage` it is a step. A result is a `tool-result`, or
 * the `output`, `result` or `errorText` in the part of a call, or the user's reason for denying it. Its text is the
 * text itself, the blocks of an output of type `content`, or the strings of any other value; keys and numbers stay.
 * Flagged as errors: outputs of type `error-text`, `error-json` and `execution-denied`, `isError`, and the states
 * `output-error` and `output-denied`. Results with images or files, and those of a provider's own tools, are not text.
 * Shapes: message arrays, bodies (`messages`), JSON Lines of either, and lists of messages anywhere in a larger
 * document, such as `response.messages` in what `generateText` returns.
 * Duplicates: copies of results in its steps (see `ai-sdk-step-copies`), `structuredContent` in answers of MCP servers,
 * and strings outside the messages that equal a result.
 * Usage is stated for all steps together: in `metadata` of messages for a page, and in `totalUsage` or `steps`.
 * Ignored: ids, other metadata, sources, data parts, approvals, `content` beside `parts`, and calls that are still being
 * written.
 */

import type { ReadConversation } from '../../conversation/conversation'
import { sumUsage, type UsageTotal } from '../../conversation/usage'
import type { Problem } from '../../problem'
import { isJsonObject, type Unchecked, valueAtPath } from '../../text/json-object'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { withDuplicatesOutside } from '../reading/duplicate-finder'
import { findKeys } from '../reading/find-keys'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type ListItem,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import { rawMessage } from '../reading/raw-message'
import { readUsage, usageOfAnswer } from '../reading/read-usage'
import { reportWrongTypesTo } from '../reading/wrong-type-problem'
import { readModelMessage } from './ai-sdk-model-message'
import { findStepCopies, type TakeStepCopies } from './ai-sdk-step-copies'
import { readUiMessage } from './ai-sdk-ui-message'

/** The members by which messages of both kinds are recognised. */
interface AiSdkMessage {
  readonly role: string
  readonly content?: string | readonly { readonly type: string }[]
  readonly parts?: readonly { readonly type: string; readonly text?: string }[]
  readonly toolInvocations?: readonly object[]
}

/** An object with a list of messages as a member, such as the arguments of `generateText`. */
interface RequestBody {
  readonly model?: string
  readonly system?: string
  readonly tools?: object | readonly object[]
}

const ROLES: ReadonlySet<unknown> = new Set(['system', 'user', 'assistant', 'tool', 'data'])

const AI_SDK_MESSAGES: MessageListKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  hasFormatMarks: (messages) => messages.some((message) => marksOf(message).length > 0),
  isCompatible: (messages) => messages.every(isPlainMessage),
}

/** True for messages of a prompt without calls and results. */
function isPlainMessage(message: unknown): boolean {
  if (!isJsonObject(message) || Array.isArray(message.tool_calls)) return false
  const { role, content }: Unchecked<AiSdkMessage> = message
  if (role !== 'user' && role !== 'assistant' && role !== 'system') return false
  if (typeof content === 'string') return true
  const isText = (part: unknown) => isJsonObject(part) && part.type === 'text'
  return Array.isArray(content) && content.every(isText)
}

export const aiSdk: Format = {
  id: 'ai-sdk',
  label: 'AI SDK',
  expects: 'expects_ai_sdk',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, AI_SDK_MESSAGES)
    if (lists.length === 0) return null
    const found = new Set(
      lists.flatMap(({ items }) => items.flatMap(({ value }) => marksOf(value))),
    )
    const marks = [...found, ...findKeys(source, ['toolCallId'])]
    return { shape, lists: lists.length, marks: marks.slice(0, 3) }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, AI_SDK_MESSAGES)
    const takeStepCopies = findStepCopies(source, lists)
    // A step repeats the messages of earlier steps. Copies belong to the last list, so it is read first.
    const readings = lists
      .toReversed()
      .map((list) => readList(list, takeStepCopies))
      .toReversed()
    const conversations = readings.map(({ conversation }) => conversation)
    return {
      conversations: withDuplicatesOutside(source, lists, conversations),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

const MODEL_PART_TYPES = new Set(['tool-call', 'tool-result'])
const UI_PART_TYPES = new Set(['step-start', 'dynamic-tool', 'tool-invocation'])

/** Returns the types and keys in a message that no other format has. */
function marksOf(message: unknown): string[] {
  if (!isJsonObject(message)) return []
  const { role, content, parts, toolInvocations }: Unchecked<AiSdkMessage> = message
  if (!ROLES.has(role)) return []
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
  { label, items, owner = {} }: MessageList,
  takeStepCopies: TakeStepCopies,
): { conversation: ReadConversation; problems: Problem[] } {
  const problems: Problem[] = []
  const { model, system, tools }: Unchecked<RequestBody> = owner
  const placed = items.flatMap((item) => readItem(item, problems, takeStepCopies))
  const [first] = items
  if (typeof system === 'string' && first !== undefined && placed.length > 0) {
    const raw = rawMessage('system', { contents: [{ text: system, path: [] }] })
    placed.unshift([{ raw, source: first.source, path: [...first.path.slice(0, -2), 'system'] }])
  }
  const conversation = buildConversation(placed, {
    label,
    model: typeof model === 'string' ? model : undefined,
    toolSchemas: isJsonObject(tools) || Array.isArray(tools) ? JSON.stringify(tools) : '',
    usageTotal: usageOfMessages(items) ?? usageOfSteps(items),
  })
  return { conversation, problems }
}

/** The usage in the metadata of messages for a page, each of all steps of its message. */
function usageOfMessages(items: readonly ListItem[]): UsageTotal | undefined {
  const found = items.flatMap(({ value }) => {
    const isForPage = isJsonObject(value) && Array.isArray(value.parts)
    return isForPage ? (usageOfAnswer({ metadata: value.metadata }) ?? []) : []
  })
  return sumUsage(found)
}

/** The usage of all steps, in what `generateText` returns around `response.messages`. */
function usageOfSteps([first]: readonly ListItem[]): UsageTotal | undefined {
  if (first === undefined || first.path.includes('steps')) return undefined
  const result = valueAtPath(first.source.value, first.path.slice(0, -3))
  if (!isJsonObject(result) || !Array.isArray(result.steps)) return undefined
  const { steps } = result
  const total = readUsage(result.totalUsage, 'aiSdk')
  const ofSteps = sumUsage(steps.flatMap((step) => usageOfAnswer(step) ?? []))
  const found = total ?? ofSteps
  return found && { ...found, requests: steps.length }
}

function readItem(
  item: ListItem,
  problems: Problem[],
  takeStepCopies: TakeStepCopies,
): MessagePieces[] {
  const { source, path, value } = item
  if (!isJsonObject(value) || typeof value.role !== 'string') {
    problems.push(skippedMessageProblem(item))
    return []
  }
  const place = { source, path }
  const report = reportWrongTypesTo(problems, source, path)
  const { parts, toolInvocations }: Unchecked<AiSdkMessage> = value
  const isForPage = (parts !== undefined && parts !== null) || Array.isArray(toolInvocations)
  if (isForPage) return readUiMessage(value, place, report)
  return [[readModelMessage(value, place, report, takeStepCopies)]]
}
