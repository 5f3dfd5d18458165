/**
 * Amazon Bedrock's Converse API, request bodies and lists of its messages, and the messages of Strands sessions, whose
 * records `reading/source-document.ts` opens:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
 * A turn is an assistant message with a `toolUse` block, which is the call. A result is a `toolResult` block of a user
 * message; `status: "error"` marks an error. The text of a result is its text blocks and the strings of its JSON blocks.
 * A result with an image, a document or a video is not text. `system` is sent before the messages.
 * A `cachePoint` is not sent to a model. Every other block (image, document, video) counts as a part that is not text:
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ContentBlock.html
 * There are no duplicates. Ignored: inference settings, guardrails, and everything in an answer except its message.
 */

import { readTime } from '../../conversation/conversation'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { readSystemPrompt } from '../anthropic/anthropic-message'
import { buildConversation } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { blocksOf, findKeys, findMisplacedMessages, isChatMessage } from '../reading/lists'
import {
  EMPTY_PART_TEXT,
  MessageBody,
  memberText,
  rawMessage,
  structuredResult,
  textAt,
  withoutEmptyParts,
} from '../reading/raw-message'

const MARKED_BLOCKS = ['toolUse', 'toolResult', 'reasoningContent', 'cachePoint', 'guardContent']
const BODY_KEYS = ['toolConfig', 'inferenceConfig', 'additionalModelRequestFields'] as const

export const bedrockConverse = listFormat({
  id: 'bedrock-converse',
  label: 'Bedrock Converse',
  expects:
    'a list of messages, objects with a "role" and a list of blocks as "content", with "toolUse" and "toolResult" blocks',
  // Messages with a block that only this format has, or in a body that only this format has.
  kind: {
    isMessage: (value) => isJsonObject(value) && typeof value.role === 'string',
    hasFormatMarks: (messages, owner) =>
      !messages.some(isChatMessage) &&
      (messages.some((message) => blocksOf(message).some(isMarkedBlock)) ||
        (owner !== undefined && isBody(owner) && messages.every(isPlainMessage))),
    isCompatible: (messages) => messages.every(isPlainMessage),
  },
  // An empty list of messages is accepted.
  misplaced: (source) =>
    findMisplacedMessages(source, (body) => isBody(body) && !Array.isArray(body.messages)),
  marks: (source) => findKeys(source, [...MARKED_BLOCKS, ...BODY_KEYS]),
  readList: (list, problems) => {
    const { modelId, toolConfig } = list.owner ?? {}
    const messages = readItems(list.items, problems, (value, place, report) => {
      const { role, content } = value
      if (typeof role !== 'string') return undefined
      const body = new MessageBody(report)
      if (!Array.isArray(content)) report(['content'], content, 'list_of_content_blocks')
      body.eachObject(content, ['content'], 'content_block_object', (block, path) =>
        readBlock(body, block, path),
      )
      const writtenAt = readTime(place.source.owner?.created_at)
      return [[{ raw: { ...rawMessage(role, body), writtenAt }, ...place }]]
    })
    const details = { label: list.label, model: modelId, tools: membersOf(toolConfig).tools }
    return buildConversation([...readSystemPrompt(list, 'system'), ...messages], details)
  },
})

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

function isBody(body: JsonObject): boolean {
  return BODY_KEYS.some((key) => isJsonObject(body[key]))
}

/** Reads a block, which has exactly one of these members, or one that is not read. */
function readBlock(body: MessageBody, block: JsonObject, path: JsonPath): void {
  const { text, toolUse, toolResult, reasoningContent, cachePoint } = block
  if (text !== undefined) body.addText(block, path)
  else if (toolUse !== undefined) {
    const at = [...path, 'toolUse']
    if (isJsonObject(toolUse)) body.addCall(toolUse, at, ['toolUseId', 'name', 'input'])
    else body.report(at, toolUse, 'call_with_tool_use_id')
  } else if (toolResult !== undefined) {
    const at = [...path, 'toolResult']
    if (isJsonObject(toolResult)) readResult(body, toolResult, at)
    else body.report(at, toolResult, 'result_with_tool_use_id')
  } else if (reasoningContent !== undefined) {
    // Redacted reasoning has none.
    const at = [...path, 'reasoningContent', 'reasoningText']
    const inner = membersOf(membersOf(reasoningContent).reasoningText)
    body.reasoning.push(...memberText(inner, 'text', at))
  } else if (cachePoint === undefined) body.nonTextParts++
}

function readResult(
  body: MessageBody,
  { toolUseId: callId, content, status }: JsonObject,
  path: JsonPath,
): void {
  body.requireId(callId, [...path, 'toolUseId'], 'id_of_a_call')
  const at = [...path, 'content']
  if (!Array.isArray(content)) body.report(at, content, 'list_of_content_blocks')
  const blocks = itemsOf(content)
  const hasJson = blocks.some((block) => membersOf(block).json !== undefined)
  const texts = blocks.flatMap((block, index) => textAt(block, 'text', [...at, index]))
  const others = blocks.filter((block) => {
    const { text, json } = membersOf(block)
    return typeof text !== 'string' && json === undefined
  })
  if (others.length === 0 && hasJson) {
    const found = structuredResult(content, at)
    const strings = withoutEmptyParts(found.texts)
    body.contents.push({ text: found.frame })
    const valuePath = strings.length > 0 && { valuePath: at }
    const more = { filler: EMPTY_PART_TEXT, ...valuePath }
    body.addResult(callId, strings, status === 'error', more)
    return
  }
  if (others.length > 0)
    body.eachObject(blocks, at, 'block_object', (block, below) => {
      if (block.text !== undefined && typeof block.text !== 'string')
        body.report([...below, 'text'], block.text, 'text')
    })
  body.addWholeResult(callId, { texts, others: others.length }, status === 'error')
}
