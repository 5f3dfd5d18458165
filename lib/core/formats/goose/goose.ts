/**
 * Sessions of Goose: `goose session export --format json`, and session files of one message per line:
 * https://github.com/block/goose/blob/main/crates/goose/src/conversation/message.rs
 * A turn is a message of role `assistant` with a `toolRequest` that has an id. A result is a `toolResponse` part of a user
 * message: the text parts of its value, or its error. Other parts of a result stay.
 * Messages with `agentVisible: false` were sent until a compaction; they are a conversation of their own.
 * Duplicates: strings of `structuredContent` that repeat the result. Usage is stated for the session as a whole.
 * Ignored: confirmations and notifications, which no model receives. There are no system prompt and no tool schemas.
 */

import { readTime } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, itemsOf, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { phrase } from '../../words/words'
import { buildConversation, type MessagePieces } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { blocksOf, findKeys } from '../reading/lists'
import { MessageBody, memberText, rawMessage, textsOfContent } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'

const CALLS: readonly unknown[] = ['toolRequest', 'frontendToolRequest']
const MARKS: readonly unknown[] = [...CALLS, 'toolResponse']

export const goose = listFormat({
  id: 'goose',
  label: 'Goose session',
  expects: 'a list of messages with "toolRequest" and "toolResponse" parts',
  kind: {
    isMessage: (value) =>
      isJsonObject(value) && typeof value.role === 'string' && Array.isArray(value.content),
    hasFormatMarks: (messages) =>
      messages.flatMap(blocksOf).some((part) => MARKS.includes(membersOf(part).type)),
  },
  marks: (source) => findKeys(source, ['toolCall', 'toolResult']),
  readList: ({ label, items, owner = {} }, problems) => {
    const before: MessagePieces[] = []
    // The first line of a session file describes the session.
    const messages = items.filter(
      ({ source, value }) => source.line !== 1 || typeof membersOf(value).role === 'string',
    )
    const placed = readItems(messages, problems, (value, place, report) => {
      const { metadata, created, role, content } = value
      if (typeof role !== 'string') return undefined
      const body = new MessageBody(report)
      if (!Array.isArray(content)) report(['content'], content, 'list_of_parts')
      body.eachObject(content, ['content'], 'part_with_type', (part, path) =>
        readPart(body, part, path),
      )
      const raw = { ...rawMessage(role, body), writtenAt: readTime(created) }
      const pieces: MessagePieces = [{ ...place, raw }]
      if (membersOf(metadata).agentVisible !== false) return [pieces]
      before.push(pieces)
      return []
    })
    const model = nonEmptyString(membersOf(owner.model_config).model_name)
    const usageTotal = readUsage(owner, 'goose')
    const hasBefore = before.length > 0
    const earlier = { label: phrase('before_a_compaction', { label }), model }
    return [
      ...(hasBefore ? [buildConversation(before, earlier)] : []),
      buildConversation(placed, { label, model, usageTotal, followsCompaction: hasBefore }),
    ]
  },
})

function readPart(body: MessageBody, part: JsonObject, path: JsonPath): void {
  const { type, id, toolCall, toolResult } = part
  const isCall = CALLS.includes(type)
  if (isCall || type === 'toolResponse') body.requireId(id, [...path, 'id'], 'id')
  if (type === 'text') body.contents.push(...memberText(part, 'text', path))
  else if (type === 'thinking') body.reasoning.push(...memberText(part, 'thinking', path))
  else if (type === 'image') body.nonTextParts++
  else if (isCall) {
    const call = { ...membersOf(membersOf(toolCall).value), id }
    body.addCall(call, [...path, 'toolCall', 'value'], ['id', 'name', 'arguments'], null)
  } else if (type === 'toolResponse') readResult(body, id, toolResult, [...path, 'toolResult'])
}

function readResult(body: MessageBody, callId: unknown, result: unknown, path: JsonPath): void {
  const outcome = membersOf(result)
  const { value } = outcome
  if (outcome.status === 'error') {
    const content = { texts: memberText(outcome, 'error', path), others: 0 }
    body.addPartsResult(callId, content, true)
    return
  }
  // The value of older sessions is the list of contents itself.
  const [blocks, below] = Array.isArray(value)
    ? [value, [...path, 'value']]
    : [membersOf(value).content, [...path, 'value', 'content']]
  if (!Array.isArray(blocks)) body.report(below, blocks, 'list_of_parts')
  const content = textsOfContent(itemsOf(blocks), below)
  body.addPartsResult(callId, content, membersOf(value).isError === true)
}
