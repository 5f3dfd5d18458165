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

import type { ReadConversation } from '../../conversation/conversation'
import { nonEmptyString, type RawResult } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, type JsonPath, membersOf } from '../../text/json-object'
import { findDisplayDuplicates } from '../gemini/gemini-displays'
import { readPartList } from '../gemini/gemini-parts'
import {
  buildConversation,
  type DuplicateString,
  type MessagePiece,
} from '../reading/build-conversation'
import { createCallIds } from '../reading/create-call-ids'
import { type Format, requireConversations } from '../reading/format'
import { findKeys } from '../reading/message-lists'
import { rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import type { SourceValue } from '../reading/source-document'
import { entriesOf, readTree, reportOtherLines, type TreeEntry } from '../reading/trace-order'
import { reportWrongTypesTo, wrongTypeProblem } from '../reading/wrong-type-problem'

const RECORD_TYPES = ['user', 'assistant', 'tool_result', 'system'] as const

const COMPRESSION = 'chat_compression'

export const qwenCode: Format<'qwen-code'> = {
  id: 'qwen-code',
  label: 'Qwen Code session',
  expects: {
    en: 'lines with a "uuid" each, and a "message" with "parts"',
    fr: 'des lignes avec chacune un "uuid" et un "message" avec des "parts"',
  },
  recognise: (source) => {
    const entries = entriesOf(source, isRecord)
    const hasParts = ({ value }: TreeEntry) =>
      value.type !== 'system' && Object.hasOwn(membersOf(value.message), 'parts')
    if (entries.length * 2 < source.values.length || !entries.some(hasParts)) return null
    const marks = ['parts', ...findKeys(source, ['parentUuid', 'usageMetadata', 'toolCallResult'])]
    return { shape: 'event_lines', lists: 1, marks }
  },
  read: (source) => {
    const problems: Problem[] = []
    reportOtherLines(source, problems)
    const entries = entriesOf(source, isRecord)
    const conversations = readTree(entries, {
      keys: ['uuid', 'parentUuid'],
      leaf: entries.findLastIndex(
        ({ value: { type, subtype } }) =>
          type !== 'system' || subtype === 'rewind' || subtype === COMPRESSION,
      ),
      isCompaction: ({ subtype }) => subtype === COMPRESSION,
      read: (part, details) => readContext(part, details, problems),
    })
    return requireConversations({ conversations, problems })
  },
}

function isRecord({ uuid, type }: JsonObject): boolean {
  return typeof uuid === 'string' && (RECORD_TYPES as readonly unknown[]).includes(type)
}

function readContext(
  entries: readonly TreeEntry[],
  details: Pick<ReadConversation, 'label'>,
  problems: Problem[],
): ReadConversation {
  const ids = createCallIds()
  const placed: [MessagePiece, ...MessagePiece[]][] = []
  let model: string | undefined
  let known: unknown
  for (const { source, value } of entries) {
    const { uuid, timestamp, toolCallResult, usageMetadata, ...record } = value
    const at = readTime(timestamp)
    for (const [path, content] of contentsOf(value)) {
      if (!isJsonObject(content)) {
        problems.push(wrongTypeProblem(source, path, content, 'content_with_parts'))
        continue
      }
      const isContinued = path.length === 1 && uuid === known
      known = uuid
      const isAssistant = content.role === 'model'
      if (isAssistant && !isContinued) ids.startTurn()
      const report = reportWrongTypesTo(problems, source, path)
      const body = readPartList(content.parts, ['parts'], ids, report)
      const hasFailed = membersOf(toolCallResult).status === 'error'
      const results = body.results.map((result) =>
        hasFailed ? { ...result, isFlaggedError: true } : result,
      )
      const facts = { model: nonEmptyString(record.model), at }
      if (isAssistant) model ??= facts.model
      const usage = isAssistant ? readUsage(usageMetadata, 'gemini', facts) : undefined
      const role = isAssistant ? 'assistant' : results.length > 0 ? 'tool' : 'user'
      const raw = { ...rawMessage(role, { ...body, results }), writtenAt: at, usage }
      const piece = { source, path, raw, duplicates: duplicatesOf(results, toolCallResult, source) }
      if (isContinued) placed.at(-1)?.push(piece)
      else placed.push([piece])
    }
  }
  return buildConversation(placed, { ...details, model })
}

/** The contents in a record, each with its path. */
function contentsOf({ type, subtype, message, systemPayload }: JsonObject): [JsonPath, unknown][] {
  if (type !== 'system') return [[['message'], message]]
  if (subtype !== COMPRESSION) return []
  const path = ['systemPayload', 'compressedHistory']
  const { compressedHistory: contents } = membersOf(systemPayload)
  if (!Array.isArray(contents)) return [[path, contents]]
  return contents.map((content, index) => [[...path, index], content])
}

/** What a record shows of its call again, for the result of that call. */
function duplicatesOf(
  results: readonly RawResult[],
  shown: unknown,
  source: SourceValue,
): DuplicateString[][] {
  const call = membersOf(shown)
  const own = results.findIndex(({ callId }) => callId === call.callId)
  return results.map(({ texts }, index) => {
    if (index !== Math.max(0, own)) return []
    const written = texts.map(({ text }) => text)
    return ['resultDisplay', 'responseParts'].flatMap((member) =>
      findDisplayDuplicates(call[member], { source, path: ['toolCallResult', member] }, written),
    )
  })
}
