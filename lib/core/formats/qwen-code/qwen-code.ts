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
 * It is longer than most readers because branches, compressions and pieces of messages share one list of records.
 */

import type { ReadConversation } from '../../conversation/conversation'
import { nonEmptyString, type RawResult } from '../../conversation/link-messages'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import {
  isJsonObject,
  type JsonObject,
  type JsonPath,
  membersOf,
  type Unchecked,
} from '../../text/json-object'
import { findDisplayDuplicates } from '../gemini/gemini-displays'
import { type Content, readPartList } from '../gemini/gemini-parts'
import {
  buildConversation,
  type DuplicateString,
  type MessagePiece,
} from '../reading/build-conversation'
import { createCallIds } from '../reading/create-call-ids'
import { findKeys } from '../reading/find-keys'
import { type Format, type FormatReading, requireConversations } from '../reading/format'
import { skippedMessageProblem } from '../reading/message-lists'
import { rawMessage } from '../reading/raw-message'
import { readUsage } from '../reading/read-usage'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { followParents } from '../reading/trace-order'
import { labelAt, reportWrongTypesTo, wrongTypeProblem } from '../reading/wrong-type-problem'

interface RawRecord {
  readonly uuid: string
  readonly parentUuid: string | null
  readonly type: (typeof RECORD_TYPES)[number]
  readonly subtype?: string
  readonly timestamp: string
  readonly message?: Content
  readonly model?: string
  readonly usageMetadata?: object
  /** A call as the screen shows it. */
  readonly toolCallResult?: {
    readonly callId?: string
    readonly status?: string
    readonly resultDisplay?: unknown
    readonly responseParts?: unknown
  }
  readonly systemPayload?: { readonly compressedHistory?: readonly Content[] }
}

const RECORD_TYPES = ['user', 'assistant', 'tool_result', 'system'] as const

interface Entry {
  readonly source: SourceValue
  readonly value: Unchecked<RawRecord> & JsonObject
}

export const qwenCode: Format = {
  id: 'qwen-code',
  label: 'Qwen Code session',
  expects: 'expects_qwen_code',
  recognise: (source) => {
    const entries = entriesOf(source)
    const hasParts = ({ value }: Entry) =>
      value.type !== 'system' && Object.hasOwn(membersOf(value.message), 'parts')
    if (entries.length * 2 < source.values.length || !entries.some(hasParts)) return null
    const marks = ['parts', ...findKeys(source, ['parentUuid', 'usageMetadata', 'toolCallResult'])]
    return { shape: 'event_lines', lists: 1, marks }
  },
  read: (source) => requireConversations(readEntries(source)),
}

function entriesOf({ values }: SourceDocument): Entry[] {
  return values.flatMap((source) => {
    const { value } = source
    const isEntry =
      isJsonObject(value) &&
      typeof value.uuid === 'string' &&
      (RECORD_TYPES as readonly unknown[]).includes(value.type)
    return isEntry ? [{ source, value }] : []
  })
}

function readEntries(source: SourceDocument): FormatReading {
  const problems: Problem[] = []
  for (const value of source.values) {
    if (!isJsonObject(value.value))
      problems.push(skippedMessageProblem({ source: value, path: [], value: value.value }))
  }
  const entries = entriesOf(source)
  const leaf = entries.findLastIndex(
    ({ value }) =>
      value.type !== 'system' || value.subtype === 'rewind' || value.subtype === COMPRESSION,
  )
  const linkOf = ({ value }: Entry) => ({ id: value.uuid, parentId: value.parentUuid })
  const { session, branches } = followParents(entries, linkOf, leaf)
  const read = readContexts(session, 'session', false, problems)
  const left = branches
    .flatMap((branch) => readContexts(branch, 'branch', true, problems))
    .filter(({ results, messages }) => results.length > 0 || messages.some(({ usage }) => usage))
  return { conversations: [...read, ...left], problems }
}

const COMPRESSION = 'chat_compression'

/** Reads entries as one conversation for each compression, and one before. */
function readContexts(
  entries: readonly Entry[],
  name: string,
  isSecondary: boolean,
  problems: Problem[],
): ReadConversation[] {
  const contexts: Entry[][] = [[]]
  for (const entry of entries) {
    if (entry.value.subtype === COMPRESSION) contexts.push([])
    contexts.at(-1)?.push(entry)
  }
  return contexts
    .map((context, index) => {
      const label = labelAt(name, context[0]?.source.line, index > 0, isSecondary)
      const marks = { label, isSecondary, followsCompaction: index > 0 }
      return readContext(context, marks, problems)
    })
    .filter(({ messages }) => messages.length > 0)
}

function readContext(
  entries: readonly Entry[],
  marks: Pick<ReadConversation, 'label' | 'isSecondary' | 'followsCompaction'>,
  problems: Problem[],
): ReadConversation {
  const ids = createCallIds()
  const placed: [MessagePiece, ...MessagePiece[]][] = []
  let model: string | undefined
  let known: unknown
  for (const { source, value } of entries) {
    const at = readTime(value.timestamp)
    for (const [path, content] of contentsOf(value)) {
      if (!isJsonObject(content)) {
        const expected = 'content_with_parts'
        problems.push(wrongTypeProblem(source, path, content, expected))
        continue
      }
      const isContinued = path.length === 1 && value.uuid === known
      known = value.uuid
      const isAssistant = content.role === 'model'
      if (isAssistant && !isContinued) ids.startTurn()
      const report = reportWrongTypesTo(problems, source, path)
      const body = readPartList(content.parts, ['parts'], ids, report)
      const { toolCallResult } = value
      const hasFailed = membersOf(toolCallResult).status === 'error'
      const results = body.results.map((result) =>
        hasFailed ? { ...result, isFlaggedError: true } : result,
      )
      const named = nonEmptyString(value.model)
      if (isAssistant) model ??= named
      const usage = isAssistant
        ? readUsage(value.usageMetadata, 'gemini', { model: named, at })
        : undefined
      const role = isAssistant ? 'assistant' : results.length > 0 ? 'tool' : 'user'
      const raw = { ...rawMessage(role, { ...body, results }), writtenAt: at, usage }
      const duplicates = duplicatesOf(results, toolCallResult, source)
      const piece = { source, path, raw, duplicates }
      if (isContinued) placed.at(-1)?.push(piece)
      else placed.push([piece])
    }
  }
  return buildConversation(placed, { ...marks, model, toolSchemas: '' })
}

/** The contents in a record, each with its path. */
function contentsOf({
  type,
  subtype,
  message,
  systemPayload,
}: Unchecked<RawRecord>): [JsonPath, unknown][] {
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
