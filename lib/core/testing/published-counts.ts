/**
 * The counts of published transcripts, as an independent script made them of the same files: the table in the README
 * beside them. Where one of its counts is not ours, `DIFFERENT` says why.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CORPUS_FOLDER, type TranscriptFile } from './transcripts'

/** Columns of the README's table that readers are held against. */
export interface PublishedCounts {
  readonly conversations: number
  readonly messages: number
  readonly 'tool turns': number
  readonly calls: number
  readonly results: number
  readonly 'result characters': number
  /** Turns with more than one call. */
  readonly 'parallel turns': number
  /** Results with an id that no call bears. */
  readonly 'orphan results': number
  /** Calls whose id no result bears. */
  readonly 'unanswered calls': number
}

const DIFFERENT: Readonly<Record<string, Partial<PublishedCounts>>> = {
  // A message for a page holds a whole answer, which a model is sent as a message for each of its 46 steps with a
  // message of results after it, and the last words: as in `model-messages-v5.json`, the same session.
  'ai-sdk/ui-messages-v4.json': { messages: 94 },
  'ai-sdk/ui-messages-v5.json': { messages: 94 },
  // The system prompt beside the list is sent too. Seven results are records: ours are their strings, the script's
  // the records as JSON text.
  'anthropic-messages/cline-session.json': { messages: 32 + 1, 'result characters': 19275 },
  // Each compaction begins a conversation of its own. One result has two blocks, joined by the script.
  'claude-code/session-long.jsonl': { conversations: 1 + 2 },
  'claude-code/session-orphan-result.jsonl': {
    conversations: 1 + 1,
    'result characters': 55455 - 1,
  },
  // A web search's results are encrypted: there is no text of theirs that could be masked.
  'anthropic-messages/server-web-search.json': { 'result characters': 0 },
  // The script counted the one message of type `info`, which no model is sent, and no message for the results that stand
  // in 9 calls, which are sent after it. It counted results as JSON texts: keys, quotes and escapes are no text here.
  'gemini/gemini-cli-session.json': { messages: 13 - 1 + 9, 'result characters': 4040 },
  'gemini/gemini-cli-trajectory.json': { 'result characters': 181072 },
  'gemini/multimodal-return.json': { 'result characters': 319 },
  // 37 results have two text parts; the script joined them with a line end, which is in no part.
  'openai-chat/kimi-cli-scikit-learn.jsonl': { 'result characters': 81705 - 37 },
  // The history ends with `submit`: its output stands in the last step only, and no model was sent it. The script
  // counted the outputs of steps, without the lines about open file and directory that the history has below them.
  'swe-agent/observations-gpt4.traj': {
    results: 11,
    'unanswered calls': 1,
    'result characters': 21583,
  },
  // One list of messages without tool calls; the script took each message for a conversation. Ten messages have a
  // bash block, and each is followed by its output.
  'swe-agent/mini-swe-agent.traj.json': {
    conversations: 1,
    messages: 22,
    'tool turns': 10,
    calls: 10,
    results: 10,
    'result characters': 2341,
  },
  // The script counted events; eight of the eighteen tell of changes of state, and no model is sent them.
  'other/openhands-events.json': { messages: 10 },
  // The script counted contents; where a tool failed, models are sent the message of the error in its place.
  'openai-chat/inspect-orphan-results.json': { 'result characters': 75 },
  // The script looked for a list of messages and did not look into strings: the first request stands in one. The
  // second, with the tool's result, was not logged.
  'other/langfuse-trace.json': { conversations: 1, messages: 3 },
  // What is sent after a compaction is another conversation: its messages stand in the line that tells of it, and the
  // session's instructions stand before each. Tools the provider runs (a web search, an image) are calls and results
  // too, each in a turn of its own here. Each result has its call in its context; the script asked that it stand before.
  // It counted lists and objects as JSON text; ours are the texts in them.
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

/** What is found wrong in published files, by code; everything else is read without complaint. */
export const PUBLISHED_PROBLEMS: Readonly<Record<string, readonly string[]>> = {
  // A message without content, a text as message, four lines that are no events, a text as content block.
  'claude-code/edge-cases-unparsable-line.jsonl': [
    'wrong_type',
    'wrong_type',
    'skipped_message',
    'skipped_message',
    'skipped_message',
    'skipped_message',
    'wrong_type',
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
        .split('|')
        .map((cell) => cell.trim()),
    )
  const [header = [], , ...body] = rows
  return new Map(
    body.flatMap((cells) => {
      const counts = header.flatMap((column, at) =>
        /^\d+$/.test(cells[at] ?? '') ? [[column, Number(cells[at])] as const] : [],
      )
      const files = (cells[0] ?? '').split(', ')
      return files.map(
        (file) => [file, Object.fromEntries(counts) as Partial<PublishedCounts>] as const,
      )
    }),
  )
}

const STATED = readCounts()

/** What a published file must count to, a count left out where the README has none; undefined without a row there. */
export function publishedCountsOf({
  name,
  packed,
}: TranscriptFile): Partial<PublishedCounts> | undefined {
  const stated = STATED.get(packed?.archive ?? name)
  return stated && { ...stated, ...DIFFERENT[name] }
}
