/**
 * Claude Code: session files (`~/.claude/projects/…/*.jsonl`) and what `--output-format stream-json` prints, one JSON
 * object a line, or as one list: https://docs.anthropic.com/en/docs/claude-code/sdk/sdk-headless
 * The lines of type `user` and `assistant` hold messages of Anthropic Messages; call, result and what is no text are as
 * `anthropic-messages` has them. A turn is an assistant message with a call; lines with one message id are pieces of
 * it, results between them or not.
 * Each context is a conversation of its own: the session; every sidechain (`isSidechain`, by `agentId`, else by its
 * first line; `parent_tool_use_id` in streams); and what follows a `compact_boundary` or an `isCompactSummary` line,
 * since the summary is then sent in place of everything before it. Messages that a compaction keeps verbatim stand in
 * the file once, before it, and count there.
 * Twins: strings of `toolUseResult`, of `mcpMeta` and of the call's `progress` lines that share a line of text with the result.
 * A line that stands again in its context (`uuid` and message are the same) is no second message: its strings are twins.
 * Ignored: all other line types (`summary`, `system`, `file-history-snapshot`, `attachment`, `queue-operation` …), and
 * Claude Code's own notes of failed requests (`isApiErrorMessage`), which no model wrote or is sent. The system prompt
 * and the tool schemas are not in the file. Branches left by going back stay in the order of the file, and
 * results that a `microcompact_boundary` cleared in later requests stay what they were.
 */
import { isJsonObject } from '../conversation/chat-message'
import { readTime } from '../conversation/read-time'
import { type Problem, ReadError } from '../problem'
import { readAnthropicMessage } from './anthropic-message'
import { buildConversation } from './build-conversation'
import { LineCopies } from './claude-code-copies'
import { ThreadSorter } from './claude-code-threads'
import { progressOfCalls, type SessionLine, twinsOfResults } from './claude-code-twins'
import { findKeys } from './find-keys'
import type { Format, FormatReading } from './format'
import { skippedItem } from './message-lists'
import type { SourceDocument } from './source-document'
import { wrongType } from './wrong-type'

type JsonObject = Readonly<Record<string, unknown>>

/** Keys around a message that only these lines have. */
const ENVELOPE_KEYS = [
  'parentUuid',
  'isSidechain',
  'toolUseResult',
  'parent_tool_use_id',
  'tool_use_result',
  'sessionId',
  'session_id',
]

export const claudeCode: Format = {
  id: 'claude-code',
  label: 'Claude Code session',
  expects: 'lines of type "user" and "assistant" with a "message" each',
  recognise: (source) => {
    const lines = linesOf(source)
    const typed = lines.filter(({ value }) => isJsonObject(value) && typeof value.type === 'string')
    if (typed.length * 2 < lines.length || !typed.some(isTellingLine)) return null
    const shape = source.layout === 'json' && lines.length !== 1 ? 'event_array' : 'event_lines'
    const marks = ['message', ...findKeys(source, ENVELOPE_KEYS)]
    return { shape, lists: 1, marks }
  },
  read: (source) => {
    const reading = readLines(linesOf(source))
    const [first] = reading.problems
    if (reading.conversations.length === 0 && first !== undefined) {
      throw new ReadError(first.code, first.values, first.offset)
    }
    return reading
  },
}

function linesOf({ values }: SourceDocument): SessionLine[] {
  const [only] = values
  if (values.length === 1 && only !== undefined && Array.isArray(only.value)) {
    return only.value.map((value, index) => ({ source: only, path: [index], value }))
  }
  return values.map((source) => ({ source, path: [], value: source.value }))
}

function isMessageLine(value: JsonObject): boolean {
  return value.type === 'user' || value.type === 'assistant'
}

/** A message with the keys around it that these lines have, or at least with the line's type as its role. */
function isTellingLine({ value }: SessionLine): boolean {
  if (!isJsonObject(value) || !isMessageLine(value) || !Object.hasOwn(value, 'message')) {
    return false
  }
  const { message } = value
  // Sessions in the words of Gemini have the same envelope.
  if (isJsonObject(message) && Object.hasOwn(message, 'parts')) return false
  const hasRole = isJsonObject(message) && message.role === value.type
  return hasRole || ENVELOPE_KEYS.some((key) => Object.hasOwn(value, key))
}

function readLines(lines: readonly SessionLine[]): FormatReading {
  const problems: Problem[] = []
  const sorter = new ThreadSorter()
  const progress = progressOfCalls(lines)
  const copies = new LineCopies()
  for (const line of lines) {
    const { source, path, value } = line
    const chain = sorter.chainOf(line)
    if (!isJsonObject(value) || typeof value.type !== 'string') {
      problems.push(skippedItem(line))
      continue
    }
    if (value.subtype === 'compact_boundary') sorter.compact(chain)
    if (!isMessageLine(value) || value.isApiErrorMessage === true) continue
    const { message } = value
    if (!isJsonObject(message)) {
      const expected = 'a message, an object with a "role" and a "content"'
      problems.push(wrongType(source, [...path, 'message'], message, expected))
      continue
    }
    if (value.isCompactSummary === true) sorter.compact(chain)
    const at = [...path, 'message']
    const { raw: said, problems: found } = readAnthropicMessage(source, at, message, value.type)
    const raw = { ...said, at: readTime(value.timestamp) }
    const twins = twinsOfResults({ ...line, value }, raw.results, progress).map((own) => [...own])
    const piece = { raw, source, path: at, twins }
    if (copies.isCopy(sorter.openThread(chain), value, piece)) continue
    problems.push(...found)
    sorter.add(chain, line, piece, message)
    copies.note(sorter.openThread(chain), value, piece)
  }
  const conversations = sorter.threads.map(({ label, placed, model, isAside }) =>
    buildConversation(placed, { label, model, toolSchemas: '', isAside }),
  )
  return { conversations, problems }
}
