/**
 * Amazon Bedrock's Converse API, request bodies and lists of its messages:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * A turn is an assistant message with a `toolUse` block, a call is such a block, a result a `toolResult` block of a user
 * message. A result's text is that of its text blocks and the strings of its JSON blocks; one with an image, a document or
 * a video is no text. `status: "error"` marks an error. The system prompt beside the messages is sent before them.
 * Ignored: inference settings, guardrails, and what an answer carries beside its message. Nothing repeats a result.
 */
import { isJsonObject } from '../conversation/chat-message'
import type { ReadConversation } from '../conversation/conversation'
import { type Problem, ReadError } from '../problem'
import { readSystemPrompt } from './anthropic-message'
import { readBedrockMessage } from './bedrock-message'
import { buildConversation, type PlacedMessage } from './build-conversation'
import { findKeys } from './find-keys'
import type { Format } from './format'
import { findMessageLists, type MessageKind, type MessageList, skippedItem } from './message-lists'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

const TELLING_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent']
const BODY_KEYS = ['toolConfig', 'inferenceConfig', 'additionalModelRequestFields']

/** Objects with a role, one of them with a block that only this format has, or in a body that only it has. */
const CONVERSE_MESSAGES: MessageKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  isTelling: (messages, owner) =>
    !messages.some(isChatMessage) &&
    (messages.some((message) => blocksOf(message).some(isTellingBlock)) ||
      (owner !== undefined && isBody(owner) && messages.every(isPlainMessage))),
  mayBe: (messages) => messages.every(isPlainMessage),
}

export const bedrockConverse: Format = {
  id: 'bedrock-converse',
  label: 'Bedrock Converse',
  expects:
    'a list of messages, objects with a "role" and a list of blocks as "content", with "toolUse" and "toolResult" blocks',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, CONVERSE_MESSAGES)
    if (lists.length === 0 && misplacedMessages(source) === undefined) return null
    const marks = findKeys(source, [...TELLING_BLOCKS, ...BODY_KEYS])
    return { shape, lists: lists.length, marks }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, CONVERSE_MESSAGES)
    const misplaced = misplacedMessages(source)
    if (lists.length === 0 && misplaced !== undefined) throw misplaced
    const readings = lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

/** A message of chat completions, which may hold a block of this format by mistake. */
function isChatMessage(message: unknown): boolean {
  return isJsonObject(message) && (message.role === 'tool' || Array.isArray(message.tool_calls))
}

function blocksOf(message: unknown): readonly unknown[] {
  return isJsonObject(message) && Array.isArray(message.content) ? message.content : []
}

/** A block that no other format writes: named by its key, without a type. */
function isTellingBlock(block: unknown): boolean {
  if (!isJsonObject(block) || Object.hasOwn(block, 'type')) return false
  return TELLING_BLOCKS.some((key) => Object.hasOwn(block, key))
}

/** A message of blocks without a type that has no calls and no results. */
function isPlainMessage(message: unknown): boolean {
  const blocks = blocksOf(message)
  return blocks.length > 0 && blocks.every((block) => isJsonObject(block) && !('type' in block))
}

function isBody(owner: JsonObject): boolean {
  return BODY_KEYS.some((key) => isJsonObject(owner[key]))
}

/** The error for a body of this format whose `messages` is no list of messages. */
function misplacedMessages(source: SourceDocument): ReadError | undefined {
  for (const from of source.values) {
    const { value } = from
    if (!isJsonObject(value) || !Object.hasOwn(value, 'messages') || !isBody(value)) continue
    if (Array.isArray(value.messages)) continue
    const expected = 'a list of messages, objects with a "role"'
    const { code, values, offset } = wrongType(from, ['messages'], value.messages, expected)
    return new ReadError(code, values, offset)
  }
  return undefined
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const { items, label, owner = {} } = list
  const problems: Problem[] = []
  const placed: PlacedMessage[] = []
  const system = readSystemPrompt(owner.system)
  const [first] = items
  if (system !== undefined && first !== undefined) {
    const path = [...first.path.slice(0, -2), 'system']
    placed.push([{ raw: system, source: first.source, path }])
  }
  for (const item of items) {
    const { source, path, value } = item
    if (isJsonObject(value) && typeof value.role === 'string') {
      const { raw, problems: found } = readBedrockMessage(source, path, value, value.role)
      placed.push([{ raw, source, path }])
      problems.push(...found)
    } else problems.push(skippedItem(item))
  }
  const { modelId, toolConfig } = owner
  const tools = isJsonObject(toolConfig) ? toolConfig.tools : undefined
  return {
    conversation: buildConversation(placed, {
      label,
      model: typeof modelId === 'string' ? modelId : undefined,
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}
