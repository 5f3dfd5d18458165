/**
 * Sessions of Qwen Code (`~/.qwen/projects/…/chats/*.jsonl`), one record per line; `message` is a content of Gemini:
 * https://github.com/QwenLM/qwen-code/blob/main/packages/core/src/services/chatRecordingService.ts
 * A turn is a message of role `model` with a `functionCall`; records with one `uuid` are pieces of one message. A result is
 * a `functionResponse`, read as in `gemini`; a call with status `error` failed.
 * Records form a tree by `parentUuid`. The path to the last message, rewind or compression is the session; what a rewind
 * left is a conversation of its own where it has results or usage.
 * A `chat_compression` starts a conversation with its `compressedHistory`, which is sent instead of everything before it.
 * Duplicates: strings of `toolCallResult` that repeat the result. Usage: `usageMetadata` of each answer.
 * Ignored: all other records of type `system`. The file has no system prompt and no tool schemas.
 */

import { readTime } from '../../conversation/conversation'
import { nonEmptyString } from '../../conversation/link-messages'
import { isJsonObject, type JsonObject, membersOf } from '../../text/json'
import type { JsonPath } from '../../text/json-path'
import { readPartList } from '../gemini/gemini-parts'
import { createCallIds } from '../reading/create-call-ids'
import { rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import { type LinePart, sessionLines } from '../reading/session-lines'

const RECORD_TYPES = ['user', 'assistant', 'tool_result', 'system'] as const

const COMPRESSION = 'chat_compression'

export const qwenCode = sessionLines({
  id: 'qwen-code',
  label: 'Qwen Code session',
  expects: 'lines with a "uuid" each, and a "message" with "parts"',
  isLine: ({ uuid, type }) =>
    typeof uuid === 'string' && (RECORD_TYPES as readonly unknown[]).includes(type),
  isMarked: ({ type, message }) => type !== 'system' && Object.hasOwn(membersOf(message), 'parts'),
  marks: ['parts', 'parentUuid', 'usageMetadata', 'toolCallResult'],
  keys: ['uuid', 'parentUuid'],
  leaf: (records) =>
    records.findLastIndex(
      ({ value: { type, subtype } }) =>
        type !== 'system' || subtype === 'rewind' || subtype === COMPRESSION,
    ),
  isCompaction: ({ subtype }) => subtype === COMPRESSION,
  startReading: () => {
    const ids = createCallIds()
    let known: unknown
    return (record, reportAt, facts) => {
      const { uuid, timestamp, toolCallResult, usageMetadata } = record
      const at = readTime(timestamp)
      return contentsOf(record).flatMap(([path, content]): LinePart[] => {
        const report = reportAt(path)
        if (!isJsonObject(content)) {
          report([], content, 'content_with_parts')
          return []
        }
        const isContinued = path.length === 1 && uuid === known
        known = uuid
        const isAssistant = content.role === 'model'
        if (isAssistant && !isContinued) ids.startTurn()
        const body = readPartList(content.parts, ['parts'], ids, report)
        const hasFailed = membersOf(toolCallResult).status === 'error'
        const results = body.results.map((result) =>
          hasFailed ? { ...result, isFlaggedError: true } : result,
        )
        const model = nonEmptyString(record.model)
        if (isAssistant) facts.model ??= model
        const usage = isAssistant ? readUsage(usageMetadata, 'gemini', { model, at }) : undefined
        const role = isAssistant ? 'assistant' : results.length > 0 ? 'tool' : 'user'
        const raw = { ...rawMessage(role, { ...body, results }), usage }
        return [{ raw, path, ...(path.length === 1 && { answer: uuid }) }]
      })
    }
  },
})

/** The contents in a record, each with its path. */
function contentsOf({ type, subtype, message, systemPayload }: JsonObject): [JsonPath, unknown][] {
  if (type !== 'system') return [[['message'], message]]
  if (subtype !== COMPRESSION) return []
  const path = ['systemPayload', 'compressedHistory']
  const { compressedHistory: contents } = membersOf(systemPayload)
  if (!Array.isArray(contents)) return [[path, contents]]
  return contents.map((content, index) => [[...path, index], content])
}
