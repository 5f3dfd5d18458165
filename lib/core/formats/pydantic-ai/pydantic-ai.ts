/**
 * Messages of Pydantic AI, as `ModelMessagesTypeAdapter` and `all_messages_json` write them:
 * https://github.com/pydantic/pydantic-ai/blob/main/pydantic_ai_slim/pydantic_ai/messages.py
 * A response is a message of the assistant; each part of a request is a message of its own. A turn is a response with a
 * `tool-call` that has an id. A result is a `tool-return`, or a `retry-prompt` that names a tool: its text, or the strings
 * of its value. Files in it stay. Results of tools that the provider runs are never masked.
 * `instructions` are read where a request first states them; the model receives those of the newest request.
 * Duplicates: strings of a result's `metadata` that repeat it. There are no tool schemas.
 * Ignored: cache points, and the sentence that Pydantic AI adds to a retry prompt.
 */
import { argumentsText } from '../../conversation/chat-message'
import { readTime } from '../../conversation/conversation'
import { nonEmptyString, type RawMessage, type RawText } from '../../conversation/link-messages'
import type { Problem } from '../../problem'
import { isJsonObject, itemsOf, type JsonObject, membersOf, scalarText } from '../../text/json'
import { buildConversation, type MessagePieces, type SourcePath } from '../reading/conversation'
import { listFormat, readItems } from '../reading/list-format'
import { findKeys, type MessageListKind } from '../reading/lists'
import { MessageBody, memberText, rawMessage, structuredResult } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type ReportWrongType, reportWrongTypesTo } from '../reading/report'

/** Kinds of files in a prompt or a result. */
const FILE = /^(?:(?:image|audio|document|video)-url|binary|uploaded-file)$/

const isRequest = (value: JsonObject) => value.kind === 'request'

const PYDANTIC_AI_MESSAGES: MessageListKind = {
  isMessage: (value) =>
    isJsonObject(value) &&
    (isRequest(value) || value.kind === 'response') &&
    Array.isArray(value.parts),
  hasFormatMarks: (messages) =>
    messages.some((message) =>
      itemsOf(membersOf(message).parts).some((part) => nonEmptyString(membersOf(part).part_kind)),
    ),
}

export const pydanticAi = listFormat({
  id: 'pydantic-ai',
  label: 'Pydantic AI messages',
  expects: 'a list of messages with "kind" and "parts", whose parts have a "part_kind"',
  kind: PYDANTIC_AI_MESSAGES,
  marks: (source) => findKeys(source, ['part_kind', 'tool_call_id']),
  readList: ({ label, items }, problems) => {
    let model: string | undefined
    let hasInstructions = false
    const placed = readItems(items, problems, (value, place, report) => {
      if (!PYDANTIC_AI_MESSAGES.isMessage(value)) return undefined
      if (!isRequest(value)) {
        model ??= nonEmptyString(value.model_name)
        return [[{ ...place, raw: readResponse(value, report) }]]
      }
      const contents: RawText[] = hasInstructions ? [] : memberText(value, 'instructions')
      const request = readRequest(value, place, problems)
      if (contents.length === 0) return request
      hasInstructions = true
      return [[{ ...place, raw: rawMessage('system', { contents }) }], ...request]
    })
    return buildConversation(placed, { label, model })
  },
})

function readRequest({ parts }: JsonObject, { source, path }: SourcePath, problems: Problem[]) {
  return itemsOf(parts).map((part, index): MessagePieces => {
    const place = { source, path: [...path, 'parts', index] }
    const raw = readRequestPart(part, reportWrongTypesTo(problems, source, place.path))
    return [{ ...place, raw }]
  })
}

function readRequestPart(value: unknown, report: ReportWrongType): RawMessage {
  const part = readPart(value, report)
  const body = new MessageBody(report)
  const { part_kind: kind, tool_name: toolName, tool_call_id: id, outcome } = part
  const isRetry = kind === 'retry-prompt'
  const isResult = kind === 'tool-return' || (isRetry && nonEmptyString(toolName) !== undefined)
  const { texts, frame } = readContent(body, part.content)
  body.contents.push(...(isResult ? [] : texts), ...frame)
  if (isResult) {
    body.requireId(id, ['tool_call_id'], 'id')
    const hasFailed = isRetry || outcome === 'failed' || outcome === 'denied'
    body.addResult(id, texts, hasFailed, { toolName })
  } else if (kind !== undefined && part.content === undefined)
    report(['content'], undefined, 'text_or_list')
  const role = isResult ? 'tool' : kind === 'system-prompt' ? 'system' : 'user'
  return { ...rawMessage(role, body), writtenAt: readTime(part.timestamp) }
}

function readResponse(message: JsonObject, report: ReportWrongType): RawMessage {
  const body = new MessageBody(report)
  for (const [index, value] of itemsOf(message.parts).entries()) {
    const at = ['parts', index]
    const part = readPart(value, (path, ...rest) => report([...at, ...path], ...rest))
    const { part_kind: kind, tool_name: toolName, tool_call_id: id } = part
    if (kind === 'thinking') body.reasoning.push(...memberText(part, 'content', at))
    else if (kind === 'file') body.nonTextParts++
    else if (isKind(kind, 'tool-call'))
      body.addCall(part, at, ['tool_call_id', 'tool_name', 'args'])
    else if (isKind(kind, 'tool-return')) {
      body.contents.push({ text: argumentsText(part.content) })
      body.requireId(id, [...at, 'tool_call_id'], 'id')
      body.addResult(id, [], part.outcome === 'failed', { toolName })
    } else body.contents.push(...memberText(part, 'content', at))
  }
  const writtenAt = readTime(message.timestamp)
  const model = nonEmptyString(message.model_name)
  const usage = readUsage(message.usage, 'pydanticAi', { model, at: writtenAt })
  return { ...rawMessage('assistant', body), writtenAt, usage }
}

/** True for a part of an own tool, or of one that the provider runs. */
function isKind(kind: unknown, own: string): boolean {
  return kind === own || kind === `builtin-${own}` || kind === `native-${own}`
}

function readPart(value: unknown, report: ReportWrongType): JsonObject {
  if (nonEmptyString(membersOf(value).part_kind) === undefined)
    report([], value, 'part_with_part_kind')
  return membersOf(value)
}

/** The texts that masking replaces, and what else a model receives of a content; counts its files. */
function readContent(body: MessageBody, content: unknown) {
  const items = Array.isArray(content) ? content : [content]
  const files = items.filter((item) => FILE.test(scalarText(membersOf(item).kind)))
  body.nonTextParts += files.length
  const texts = items.flatMap((item, index): RawText[] => {
    const path = Array.isArray(content) ? ['content', index] : ['content']
    const { kind, content: text } = membersOf(item)
    if (typeof item === 'string') return [{ text: item, path }]
    const isText = kind === 'text-content' && typeof text === 'string'
    return isText ? [{ text, path: [...path, 'content'] }] : []
  })
  const others = items.filter((item) => membersOf(item).kind === 'cache-point' || item === null)
  if (texts.length + files.length + others.length === items.length) return { texts, frame: [] }
  // A file in a list of values leaves a null, so that the others keep their places.
  const values = Array.isArray(content)
    ? content.map((item: unknown) => (files.includes(item) ? null : item))
    : content
  const found = structuredResult(values, ['content'])
  return { texts: found.texts, frame: found.frame === '' ? [] : [{ text: found.frame }] }
}
