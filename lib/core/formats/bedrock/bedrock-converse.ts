/**
 * Amazon Bedrock's Converse API, request bodies and lists of its messages:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * A turn is an assistant message with a `toolUse` block, which is the call. A result is a `toolResult` block of a user
 * message; `status: "error"` marks an error. The text of a result is its text blocks and the strings of its JSON blocks.
 * A result with an image, a document or a video is not text. `system` is sent before the messages.
 * There are no duplicates. Ignored: inference settings, guardrails, and everything in an answer except its message.
 */

import type { ReadConversation } from '../../conversation/conversation'
import type { Problem } from '../../problem'
import { isJsonObject, membersOf, type Unchecked } from '../../text/json-object'
import { readSystemPrompt } from '../anthropic/anthropic-message'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { findKeys } from '../reading/find-keys'
import { findMisplacedMessages } from '../reading/find-misplaced-messages'
import type { Format } from '../reading/format'
import {
  findMessageLists,
  type MessageList,
  type MessageListKind,
  skippedMessageProblem,
} from '../reading/message-lists'
import { type BedrockMessage, readBedrockMessage } from './bedrock-message'

interface RequestBody {
  readonly modelId?: string
  readonly messages: readonly BedrockMessage[]
  readonly system?: readonly { readonly text?: string }[]
  readonly toolConfig?: { readonly tools?: readonly object[] }
  readonly inferenceConfig?: object
  readonly additionalModelRequestFields?: object
}

const MARKED_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent']
const BODY_KEYS = ['toolConfig', 'inferenceConfig', 'additionalModelRequestFields'] as const

/** Messages with a block that only this format has, or in a body that only this format has. */
const CONVERSE_MESSAGES: MessageListKind = {
  isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
  hasFormatMarks: (messages, owner) =>
    !messages.some(isChatMessage) &&
    (messages.some((message) => blocksOf(message).some(isMarkedBlock)) ||
      (owner !== undefined && isBody(owner) && messages.every(isPlainMessage))),
  isCompatible: (messages) => messages.every(isPlainMessage),
}

export const bedrockConverse: Format = {
  id: 'bedrock-converse',
  label: 'Bedrock Converse',
  expects: 'expects_bedrock_converse',
  recognise: (source) => {
    const { lists, shape } = findMessageLists(source, CONVERSE_MESSAGES)
    if (lists.length === 0 && findMisplacedMessages(source, isBodyWithoutList) === undefined)
      return null
    const marks = findKeys(source, [...MARKED_BLOCKS, ...BODY_KEYS])
    return { shape, lists: lists.length, marks }
  },
  read: (source) => {
    const { lists } = findMessageLists(source, CONVERSE_MESSAGES)
    const misplaced = findMisplacedMessages(source, isBodyWithoutList)
    if (lists.length === 0 && misplaced !== undefined) throw misplaced
    const readings = lists.map(readList)
    return {
      conversations: readings.map(({ conversation }) => conversation),
      problems: readings.flatMap(({ problems }) => problems),
    }
  },
}

/** True for a message of chat completions; it can contain a block of this format by mistake. */
function isChatMessage(message: unknown): boolean {
  return isJsonObject(message) && (message.role === 'tool' || Array.isArray(message.tool_calls))
}

function blocksOf(message: unknown): readonly unknown[] {
  return isJsonObject(message) && Array.isArray(message.content) ? message.content : []
}

/** True for a block that only this format has: its key is its type. */
function isMarkedBlock(block: unknown): boolean {
  if (!isJsonObject(block) || Object.hasOwn(block, 'type')) return false
  return MARKED_BLOCKS.some((key) => Object.hasOwn(block, key))
}

/** True for a message whose blocks have no `type`. */
function isPlainMessage(message: unknown): boolean {
  const blocks = blocksOf(message)
  return blocks.length > 0 && blocks.every((block) => isJsonObject(block) && !('type' in block))
}

function isBody(body: Unchecked<RequestBody>): boolean {
  return BODY_KEYS.some((key) => isJsonObject(body[key]))
}

/** An empty list of messages is accepted. */
function isBodyWithoutList(body: Unchecked<RequestBody>): boolean {
  return isBody(body) && !Array.isArray(body.messages)
}

function readList(list: MessageList): { conversation: ReadConversation; problems: Problem[] } {
  const { items, label } = list
  const owner: Unchecked<RequestBody> = list.owner ?? {}
  const problems: Problem[] = []
  const messages: MessagePieces[] = []
  const system = readSystemPrompt(owner.system)
  const [first] = items
  if (system !== undefined && first !== undefined) {
    const path = [...first.path.slice(0, -2), 'system']
    messages.push([{ raw: system, source: first.source, path }])
  }
  for (const item of items) {
    const { source, path, value } = item
    if (isJsonObject(value) && typeof value.role === 'string') {
      const { raw, problems: found } = readBedrockMessage(source, path, value, value.role)
      messages.push([{ raw, source, path }])
      problems.push(...found)
    } else problems.push(skippedMessageProblem(item))
  }
  const { modelId, toolConfig } = owner
  const tools = membersOf(toolConfig).tools
  return {
    conversation: buildConversation(messages, {
      label,
      model: typeof modelId === 'string' ? modelId : undefined,
      toolSchemas: Array.isArray(tools) ? JSON.stringify(tools) : '',
    }),
    problems,
  }
}
