/**
 * Counts of the published transcripts by an independent script, from the README beside them. `DIFFERENT` has the counts in
 * which the readers differ from the script, with the reason.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS_FOLDER, type TranscriptFile } from './transcripts'

/** Columns of the README's table that the readers are compared with. */
export interface PublishedCounts {
  readonly conversations: number
  readonly messages: number
  readonly 'tool turns': number
  readonly calls: number
  readonly results: number
  readonly 'result characters': number
  /** Turns with more than one call. */
  readonly 'parallel turns': number
  /** Results with an id without a call. */
  readonly 'orphan results': number
  /** Calls without a result. */
  readonly 'unanswered calls': number
}

const DIFFERENT: Readonly<Record<string, Partial<PublishedCounts>>> = {
  // A UI message contains a complete answer; a model receives a message for each of its 46 steps, each followed by a
  // message of results, and the last text: as in `model-messages-v5.json`, the same session.
  'ai-sdk/ui-messages-v4.json': { messages: 94 },
  'ai-sdk/ui-messages-v5.json': { messages: 94 },
  // The system prompt is sent too. Seven results are records: the reader counts their strings, the script their JSON.
  'anthropic-messages/cline-session.json': { messages: 32 + 1, 'result characters': 19275 },
  // Each compaction starts a conversation. One result has two blocks, which the script joined.
  'claude-code/session-long.jsonl': { conversations: 1 + 2 },
  'claude-code/session-orphan-result.jsonl': {
    conversations: 1 + 1,
    'result characters': 55455 - 1,
  },
  // The results of a web search are encrypted, so they have no text to mask.
  'anthropic-messages/server-web-search.json': { 'result characters': 0 },
  // The script counted the one message of type `info`, which no model receives, and no message for the results
  // inside 9 calls, which are sent after it. It counted results as JSON, with keys, quotes and escapes.
  'gemini/gemini-cli-session.json': { messages: 13 - 1 + 9, 'result characters': 4040 },
  'gemini/gemini-cli-trajectory.json': { 'result characters': 181072 },
  'gemini/multimodal-return.json': { 'result characters': 319 },
  // 94 lines `_usage` and 48 lines `_checkpoint` are no messages. 37 results have two text parts; the script joined them
  // with a line end.
  'openai-chat/kimi-cli-scikit-learn.jsonl': {
    messages: 236 - 94 - 48,
    'result characters': 81705 - 37,
  },
  // The history ends with `submit`: its output is only in the last step, and no model received it. The script
  // counted the outputs of steps, without the lines about open file and directory that the history has below them.
  'swe-agent/observations-gpt4.traj': {
    results: 11,
    'unanswered calls': 1,
    'result characters': 21583,
  },
  // One list of messages without tool calls; the script counted each message as a conversation. Ten messages have a
  // bash block, and each is followed by its output.
  'swe-agent/mini-swe-agent.traj.json': {
    conversations: 1,
    messages: 22,
    'tool turns': 10,
    calls: 10,
    results: 10,
    'result characters': 2341,
  },
  // The script counted events; eight of the eighteen are changes of state, which no model receives.
  'other/openhands-events.json': { messages: 10 },
  // The script counted contents; where a tool failed, models receive the error message instead.
  'openai-chat/inspect-orphan-results.json': { 'result characters': 75 },
  // The script did not search strings for message lists: the first request is in one. The
  // second, with the tool's result, was not logged.
  'other/langfuse-trace.json': { conversations: 1, messages: 3 },
  // The context after a compaction is another conversation: its messages are in the line of the compaction, after the
  // session's instructions. Tools that the provider runs (a web search, an image) are calls and results too, each in its
  // own turn. Each result has its call in its context; the script required the call to come first.
  // It counted lists and objects as JSON; the reader counts the texts in them.
  'codex/session-small.jsonl': {
    conversations: 7,
    messages: 160,
    'tool turns': 5 + 2,
    calls: 6 + 2,
    results: 6 + 2,
    'result characters': 81,
    'orphan results': 0,
  },
  // The script counted lines with a role, and did not know `function_result`.
  'codex/session-schema-drift.jsonl': { messages: 4, results: 1, 'result characters': 4 },
  // The script counted only items with a role as messages; answers that are calls alone, and results, are messages too.
  'openai-responses/model-retry.json': { messages: 4 },
  'openai-responses/reused-call-ids.json': { messages: 7 },
  // As above, and: the provider ran the tool search within the answer that goes on with a call, so both are one turn;
  // the search and what it found have no call_id, and belong together by their order.
  'openai-responses/native-tool-search.json': {
    messages: 9,
    'tool turns': 3,
    'parallel turns': 1,
    'unanswered calls': 0,
  },
}

/** Codes of the problems in published files; all other files are read without problems. */
export const PUBLISHED_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  // A message without content, a text as message, four lines that are not events, a text as content block.
  'claude-code/edge-cases-unparsable-line.jsonl': [
    ...['wrong_type', 'wrong_type', 'skipped_message', 'skipped_message'],
    ...['skipped_message', 'skipped_message', 'wrong_type'],
  ],
}

/** The rows of the README by file; a row may name several files, and a cell may be empty. */
function readCounts(): ReadonlyMap<string, Partial<PublishedCounts>> {
  const path = join(CORPUS_FOLDER, 'README.md')
  if (!existsSync(path)) return new Map()
  const rows = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/ *[|] */)
        .map((cell) => cell.trim()),
    )
  const [header = [], , ...body] = rows
  return new Map(
    body.flatMap((cells) => {
      const counts = header.flatMap((column, at) =>
        /^\d+$/.test(cells[at] ?? '') ? [[column, Number(cells[at])] as const] : [],
      )
      const stated: Partial<PublishedCounts> = Object.fromEntries(counts)
      return (cells[0] ?? '').split(', ').map((file) => [file, stated] as const)
    }),
  )
}

const STATED = readCounts()

/** Returns the expected counts of a published file; undefined when the README has no row for it. */
export function publishedCountsOf({
  name,
  packed,
}: TranscriptFile): Partial<PublishedCounts> | undefined {
  const stated = STATED.get(packed?.archive ?? name)
  return stated && { ...stated, ...DIFFERENT[name] }
}
