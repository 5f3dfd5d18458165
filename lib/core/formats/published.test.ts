/**
 * Compares what is read of published transcripts with what independent scripts find: counts are in the README beside them
 * (`testing/published-counts` explains each difference), usage and the counts of further agents are taken from the raw
 * files by a few lines below, which know only a document's own names.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Conversation, Usage } from '../conversation/conversation'
import { expectStableMasking } from '../testing/expect-masked'
import { type PublishedCounts, publishedCountsOf } from '../testing/published-counts'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { isJsonObject, type JsonObject } from '../text/json'
import { type FormatId, type ReadDocument, readDocument } from './read-document'

function countAll(conversations: readonly Conversation[]): PublishedCounts {
  const sum = (count: (conversation: Conversation) => number) =>
    conversations.reduce((total, conversation) => total + count(conversation), 0)
  return {
    conversations: conversations.length,
    messages: sum(({ messages }) => messages.length),
    'tool turns': sum(({ turnCount }) => turnCount),
    calls: sum(({ calls }) => calls.length),
    results: sum(({ results }) => results.length),
    'result characters': sum(({ results }) =>
      results.reduce((total, { chars }) => total + chars, 0),
    ),
    'parallel turns': sum(countParallelTurns),
    'orphan results': sum(
      ({ results }) =>
        results.filter(({ callId, turn }) => callId !== undefined && turn === undefined).length,
    ),
    'unanswered calls': sum(({ calls, results }) => {
      const answered = new Set(results.map(({ callId }) => callId))
      return calls.filter(({ id }) => !answered.has(id)).length
    }),
  }
}

function countParallelTurns({ calls }: Conversation): number {
  const turns = calls.flatMap(({ turn }) => turn ?? [])
  return new Set(turns.filter((turn, at) => turns.indexOf(turn) < at)).size
}

/** Turns with a time, and all turns, of each file with times; no other file has any. */
const TIMED: Readonly<Record<string, readonly [timed: number, all: number]>> = {
  'anthropic-messages/cline-session.json': [11, 11],
  'claude-code/edge-cases-unparsable-line.jsonl': [3, 3],
  'claude-code/session-long.jsonl': [206, 206],
  'claude-code/session-orphan-result.jsonl': [46, 46],
  'codex/session-schema-drift.jsonl': [1, 1],
  // Most of its lines have had their times taken out.
  'codex/session-small.jsonl': [3, 7],
  'gemini/gemini-cli-session.json': [9, 9],
  'other/inspect-ais-decoder.eval/samples/1_epoch_1.json': [8, 8],
  'other/openhands-events.json': [4, 4],
}

type Numbers = Readonly<Record<string, number>>
type Row = readonly [input: number, read: number, written: number, output: number]

/** The number of rows, and the sum of each column. */
const total = (rows: readonly Row[]): readonly number[] =>
  rows.reduce(
    (sums, row) => sums.map((sum, at) => sum + ([1, ...row][at] as number)),
    [...[0, 0, 0, 0, 0]],
  )

const sumsOf = ({ conversations }: ReadDocument) =>
  total(
    conversations
      .flatMap(({ messages, answerUsage }) => [...messages.map(({ usage }) => usage), answerUsage])
      .filter((usage): usage is Usage => usage !== undefined)
      .map(
        ({ inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 }): Row => [
          ...([inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens] as const),
        ],
      ),
  )

/** The members of these names, 0 for `-`. */
const rowOf = (usage: Numbers, names: string) =>
  names.split(' ').map((name) => (name === '-' ? 0 : usage[name])) as unknown as Row

/** Every object under a key, at any depth. */
function objectsAt(value: unknown, key: string): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsAt(item, key))
  if (!isJsonObject(value)) return []
  return Object.entries(value).flatMap(([name, member]) =>
    name === key && isJsonObject(member) ? [member] : objectsAt(member, key),
  )
}

// biome-ignore lint/suspicious/noExplicitAny: the scripts must not share the readers' types.
type Line = any

/** The lines that are JSON; of a document in several lines, none is. */
function linesOf(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line)]
    } catch {
      return []
    }
  })
}

function claudeCode(text: string) {
  const lastOfMessage = new Map<string, Numbers>()
  for (const { type, message } of linesOf(text)) {
    if (type !== 'assistant' || message?.usage === undefined) continue
    if (message.model !== '<synthetic>') lastOfMessage.set(message.id, message.usage)
  }
  return total(
    [...lastOfMessage.values()].map((usage): Row => {
      const read = usage.cache_read_input_tokens ?? 0
      const written = usage.cache_creation_input_tokens ?? 0
      return [(usage.input_tokens ?? 0) + read + written, read, written, usage.output_tokens ?? 0]
    }),
  )
}

/** By file name: requests, and the sums of their tokens, over the raw text. */
const USAGE: Readonly<Record<string, (text: string) => readonly number[]>> = {
  'claude-code/session-long.jsonl': claudeCode,
  'claude-code/session-orphan-result.jsonl': claudeCode,
  'claude-code/edge-cases-unparsable-line.jsonl': claudeCode,
  'codex/session-small.jsonl': (text) =>
    total(
      linesOf(text)
        .flatMap((line) => objectsAt(line, 'last_token_usage') as Numbers[])
        .filter((usage) => (usage.input_tokens as number) > 0)
        .map((usage) => rowOf(usage, 'input_tokens cached_input_tokens - output_tokens')),
    ),
  'gemini/gemini-cli-session.json': (text) =>
    total(
      objectsAt(JSON.parse(text), 'tokens')
        .filter(({ total: all }) => all)
        .map(({ input, tool, cached, total: all }: Line): Row => {
          return [input + tool, cached, 0, all - input - tool]
        }),
    ),
  'anthropic-messages/cline-session.json': (text) =>
    total(
      (objectsAt(JSON.parse(text), 'metrics') as Numbers[]).map((metrics) =>
        rowOf(metrics, 'inputTokens cacheReadTokens cacheWriteTokens outputTokens'),
      ),
    ),
  'openai-chat/kimi-cli-scikit-learn.jsonl': (text) => {
    const lines = linesOf(text).filter(({ role }) => role === '_usage' || role === 'assistant')
    return total(
      lines.flatMap(({ role }, at): Row[] => {
        if (role !== 'assistant') return []
        const before = lines[at - 1].token_count
        return [[before, 0, 0, lines[at + 1].token_count - before]]
      }),
    )
  },
  'other/openhands-events.json': (text) => {
    const answers = objectsAt(JSON.parse(text), 'model_response')
    const byId = new Map(answers.map((answer) => [answer.id, answer.usage as Numbers]))
    const written = 'cache_read_input_tokens cache_creation_input_tokens'
    const names = `prompt_tokens ${written} completion_tokens`
    return total([...byId.values()].map((usage) => rowOf(usage, names)))
  },
}

describe.skipIf(!HAS_CORPUS)('published transcripts', () => {
  test.each(CORPUS_FILES)(
    '$name has the published counts, its times, and the usage in the raw file',
    (file: TranscriptFile) => {
      const text = readTranscript(file)
      const document = readDocument(text)
      const { conversations } = document
      const expected = publishedCountsOf(file)
      expect(expected, 'a row in the README').toBeDefined()
      // A row may leave a count out.
      const counts = countAll(conversations)
      expect({ ...expected, ...counts }).toEqual({ ...counts, ...expected })

      const messages = conversations.flatMap((conversation) => conversation.messages)
      const turns = messages.filter(({ turn }) => turn !== undefined)
      const timed = turns.filter(({ writtenAt }) => writtenAt !== undefined)
      expect([timed.length, turns.length]).toEqual(TIMED[file.name] ?? [0, turns.length])

      const usage = USAGE[file.name]
      if (usage !== undefined) expect(sumsOf(document)).toEqual(usage(text))
    },
  )

  test('all files with usage are there, and session-long.jsonl has its charged tokens', () => {
    const files = new Map(CORPUS_FILES.map((file) => [file.name, file]))
    expect(Object.keys(USAGE).filter((name) => !files.has(name))).toEqual([])
    const file = files.get('claude-code/session-long.jsonl') as TranscriptFile
    const charged = [219, 23_326_960, 22_577_493, 732_319, 19_874]
    expect(claudeCode(readTranscript(file))).toEqual(charged)
  })
})

const MORE = join(CORPUS_FOLDER, '../more-formats')

type Counts = readonly [conversations: number, messages: number, calls: number, results: number]

test
  .skipIf(!existsSync(MORE))
  .each<readonly [file: string, FormatId, count: (lines: readonly Line[]) => Counts]>([
    [
      'copilot-cli-events.jsonl',
      'copilot-cli',
      (lines) => {
        const typed = (type: string) => lines.filter((line) => line.type === type)
        const answers = typed('assistant.message')
        const results = typed('tool.execution_complete').length
        const others = ['system.message', 'user.message', 'system.notification'].flatMap(typed)
        const calls = answers.flatMap(({ data }) => data.toolRequests).length
        // The session, and a subagent.
        return [2, others.length + answers.length + results, calls, results]
      },
    ],
    [
      'qwen-code.jsonl',
      'qwen-code',
      (lines) => {
        const left = lines.findIndex(({ subtype }) => subtype === 'rewind')
        const target = lines[left].systemPayload.targetUuid
        const kept = lines.filter(({ uuid }, at) => at > left || uuid === target)
        const sent = kept.filter(({ message }) => message !== undefined)
        const parts = sent.flatMap(({ message }) => message.parts)
        const countOf = (key: string) => parts.filter((part) => part[key] !== undefined).length
        // Lines with one id are pieces of a message.
        const messages = new Set(sent.map(({ uuid }) => uuid)).size
        // The session; the branch before the rewind has neither results nor usage.
        return [1, messages, countOf('functionCall'), countOf('functionResponse')]
      },
    ],
    [
      'agents-sdk-run-state.json',
      'agents-sdk',
      ([state]) => {
        const typed = (type: string) =>
          state.generated_items.filter((item: Line) => item.type === type).length
        const results = typed('tool_call_output_item')
        // The input, the calls as one answer, the results.
        return [1, 2 + results, typed('tool_call_item'), results]
      },
    ],
    [
      'kimi-wire.jsonl',
      'kimi-code',
      // The system prompt, and what was appended; no step of this session was answered.
      (lines) => {
        const appended = lines.filter(({ type }) => type === 'context.append_message')
        return [1, 1 + appended.length, 0, 0]
      },
    ],
  ])('%s has the counts of the raw file', (file, format, count) => {
  const text = readFileSync(join(MORE, file), 'utf8')
  const { conversations, problems } = readDocument(text)
  expect(problems).toEqual([])
  const { messages, calls, results } = countAll(conversations)
  const lines = file.endsWith('.jsonl') ? linesOf(text) : [JSON.parse(text)]
  expect([conversations.length, messages, calls, results]).toEqual(count(lines))
  expectStableMasking(text, format)
})

const session = join(MORE, 'pi-session.jsonl')
test.skipIf(!existsSync(session))(
  'pi-session.jsonl has the usage and turns of the raw file',
  () => {
    const text = readFileSync(session, 'utf8')
    const document = readDocument(text)
    const usages = (objectsAt(linesOf(text), 'usage') as Numbers[]).map(
      ({ input = 0, cacheRead = 0, cacheWrite = 0, output = 0 }): Row => {
        return [input + cacheRead + cacheWrite, cacheRead, cacheWrite, output]
      },
    )
    expect(sumsOf(document)).toEqual(total(usages.filter(([input]) => input > 0)))
    const [conversation] = document.conversations
    expect([conversation?.turnCount, conversation?.results.length]).toEqual([369, 373])
    expect(document.problems).toEqual([])
  },
)
