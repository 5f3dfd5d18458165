/**
 * Sessions of pi (`~/.pi/agent/sessions/…/*.jsonl`) and of agents built on it, such as OpenClaw; one entry per line:
 * https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/session.md
 * A turn is a message of role `assistant` with a `toolCall` part that has an id. A result is a message of role `toolResult`
 * with a text or text parts; with an image it is not text.
 * Entries form a tree by `parentId`. The path to the last entry is the session; the entries of another branch are a
 * conversation of their own where they have results or usage. An entry whose parent is not in the file follows the one
 * before it, as all entries do in files of version 1.
 * A `compaction` starts a conversation with its summary. The messages that it keeps are in the file once, before it.
 * Duplicates: strings of `details` that share a line of text with the result.
 * Answers that failed or were aborted stay, with their usage, unless they are empty. Ignored: all other entries, and
 * commands that the user excluded from the context. The file has no system prompt and no tool schemas.
 */

import type { ReadConversation } from '../../conversation/conversation'
import { readTime } from '../../conversation/read-time'
import type { Problem } from '../../problem'
import { isJsonObject, type JsonObject, type Unchecked } from '../../text/json-object'
import type { Words } from '../../words/words'
import { buildConversation, type MessagePieces } from '../reading/build-conversation'
import { findKeys } from '../reading/find-keys'
import { type Format, type FormatReading, requireConversations } from '../reading/format'
import { skippedMessageProblem } from '../reading/message-lists'
import { readUsage } from '../reading/read-usage'
import type { SourceDocument, SourceValue } from '../reading/source-document'
import { followParents } from '../reading/trace-order'
import { labelAt, wrongTypeProblem } from '../reading/wrong-type-problem'
import { type PiMessage, readPiMessage } from './pi-message'

interface RawEntry {
  readonly type: (typeof ENTRY_TYPES)[number]
  /** In files of version 1, only the first entry has an id. */
  readonly id?: string
  readonly parentId?: string | null
  readonly timestamp: string
  readonly message?: PiMessage
  /** On `session` and `model_change`. */
  readonly modelId?: string
  /** On `compaction` and `branch_summary`: sent as a user message. */
  readonly summary?: string
}

const ENTRY_TYPES = [
  'session',
  'message',
  'custom_message',
  'compaction',
  'branch_summary',
  'model_change',
  'thinking_level_change',
  'custom',
  'label',
  'session_info',
  'leaf',
] as const

interface Entry {
  readonly source: SourceValue
  readonly value: Unchecked<RawEntry> & JsonObject
}

export const pi: Format = {
  id: 'pi',
  label: 'pi session',
  expects: 'expects_pi',
  recognise: (source) => {
    const entries = entriesOf(source)
    if (entries.length * 2 < source.values.length || !entries.some(isPiEntry)) return null
    const marks = ['message', ...findKeys(source, ['parentId', 'toolCallId', 'stopReason'])]
    return { shape: 'event_lines', lists: 1, marks }
  },
  read: (source) => requireConversations(readEntries(source)),
}

function entriesOf({ values }: SourceDocument): Entry[] {
  return values.flatMap((source) => {
    const { value } = source
    const isEntry = isJsonObject(value) && (ENTRY_TYPES as readonly unknown[]).includes(value.type)
    return isEntry ? [{ source, value }] : []
  })
}

/** True for a message whose role or parts only these files have, and for the first line. */
function isPiEntry({ value: { type, message, cwd } }: Entry): boolean {
  if (type === 'session') return typeof cwd === 'string'
  if (type !== 'message' || !isJsonObject(message)) return false
  const { role, content } = message
  const isCall = (part: unknown) => isJsonObject(part) && part.type === 'toolCall'
  return role === 'toolResult' || (Array.isArray(content) && content.some(isCall))
}

function readEntries(source: SourceDocument): FormatReading {
  const problems: Problem[] = []
  const { session, branches } = followParents(entriesOf(source), ({ value }) => ({
    id: value.id,
    parentId: value.parentId,
  }))
  const contexts = splitAtCompactions(session).map((entries, index) => {
    const label = labelAt('session', lineOf(entries), index > 0, false)
    return readContext(entries, label, { followsCompaction: index > 0 }, problems)
  })
  const left = branches
    .map((entries) =>
      readContext(
        entries,
        labelAt('branch', lineOf(entries), false, true),
        { isSecondary: true },
        problems,
      ),
    )
    .filter(({ results, messages }) => results.length > 0 || messages.some(({ usage }) => usage))
  for (const value of source.values) {
    if (!isJsonObject(value.value))
      problems.push(skippedMessageProblem({ source: value, path: [], value: value.value }))
  }
  const conversations = contexts.filter(({ messages }) => messages.length > 0)
  return { conversations: [...conversations, ...left], problems }
}

function lineOf([first]: readonly Entry[]): number | undefined {
  return first?.source.line
}

function splitAtCompactions(entries: readonly Entry[]): Entry[][] {
  const contexts: Entry[][] = [[]]
  for (const entry of entries) {
    if (entry.value.type === 'compaction') contexts.push([])
    contexts.at(-1)?.push(entry)
  }
  return contexts
}

function readContext(
  entries: readonly Entry[],
  label: Words,
  marks: { readonly followsCompaction?: boolean; readonly isSecondary?: boolean },
  problems: Problem[],
): ReadConversation {
  const placed: MessagePieces[] = []
  let model: string | undefined
  let announced: string | undefined
  for (const { source, value } of entries) {
    const { type, modelId, timestamp, message } = value
    if (typeof modelId === 'string') announced = modelId
    const isMessage = type === 'message'
    if (!isMessage && type !== 'custom_message' && typeof value.summary !== 'string') continue
    if (isMessage && !isJsonObject(message)) {
      const expected = 'message_with_role_and_content'
      problems.push(wrongTypeProblem(source, ['message'], message, expected))
      continue
    }
    const path = isMessage ? ['message'] : []
    const inner: Unchecked<PiMessage> = isMessage && isJsonObject(message) ? message : value
    const read = readPiMessage(isMessage ? inner.role : 'user', inner, { source, path }, problems)
    if (read === undefined) continue
    const at = readTime(timestamp) ?? readTime(inner.timestamp)
    const named = typeof inner.model === 'string' ? inner.model : undefined
    const usage = read.raw.isAssistant
      ? readUsage(inner.usage, 'pi', { model: named, at })
      : undefined
    if (read.raw.isAssistant && read.isEmpty && usage === undefined) continue
    if (read.raw.isAssistant) model ??= named
    placed.push([{ ...read, raw: { ...read.raw, usage, writtenAt: at }, source, path }])
  }
  return buildConversation(placed, { label, model: model ?? announced, toolSchemas: '', ...marks })
}
