/**
 * The usage of published transcripts: the sums equal those of a script that knows only the document's own names.
 * `INDEPENDENT` below reads the raw file.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../conversation/usage'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { isJsonObject, type JsonObject } from '../text/json-object'
import { type ReadDocument, readDocument } from './read-document'

interface Sums {
  readonly requests: number
  readonly input: number
  readonly read: number
  readonly written: number
  readonly output: number
}

type Numbers = Readonly<Record<string, number>>
type Row = readonly [input: number, read: number, written: number, output: number]

function total(rows: readonly Row[]): Sums {
  const sum = (at: number) => rows.reduce((all, row) => all + (row[at] as number), 0)
  return { requests: rows.length, input: sum(0), read: sum(1), written: sum(2), output: sum(3) }
}

function sumsOf(usages: readonly Usage[]): Sums {
  const rows = usages.map((usage): Row => {
    const { inputTokens = 0, cacheReadTokens = 0, cacheWriteTokens = 0, outputTokens = 0 } = usage
    return [inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens]
  })
  return total(rows)
}

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

function linesOf(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as JsonObject]
    } catch {
      return []
    }
  })
}

function claudeCode(text: string): Sums {
  const lastOfMessage = new Map<string, Numbers>()
  for (const line of linesOf(text)) {
    const message = line.message as { id: string; usage?: Numbers; model: string } | undefined
    if (line.type !== 'assistant' || message?.usage === undefined) continue
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

/** By file name: sums over the raw text. */
const INDEPENDENT: Readonly<Record<string, (text: string) => Sums>> = {
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
      (objectsAt(JSON.parse(text), 'tokens') as Numbers[])
        .filter(({ total: all }) => all)
        .map((tokens) => [
          (tokens.input as number) + (tokens.tool as number),
          tokens.cached as number,
          0,
          (tokens.total as number) - (tokens.input as number) - (tokens.tool as number),
        ]),
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
        const before = lines[at - 1]?.token_count as number
        return [[before, 0, 0, (lines[at + 1]?.token_count as number) - before]]
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

if (!HAS_CORPUS) {
  test.skip(`usage of published transcripts: there is no ${CORPUS_FOLDER}`, () => {})
}

describe.skipIf(!HAS_CORPUS)('published transcripts', () => {
  const named = CORPUS_FILES.filter(({ name }) => INDEPENDENT[name] !== undefined)

  test('all files with sums are there', () => {
    expect(named.map(({ name }) => name).sort()).toEqual(Object.keys(INDEPENDENT).sort())
  })

  test.each(named)('$name has the usage in the raw file', (file: TranscriptFile) => {
    const text = readTranscript(file)
    expect(sumsOf(usagesOf(readDocument(text)))).toEqual(INDEPENDENT[file.name]?.(text))
  })

  const session = join(CORPUS_FOLDER, '../more-formats/pi-session.jsonl')
  test.skipIf(!existsSync(session))(
    'pi-session.jsonl has the usage and turns in the raw file',
    () => {
      const text = readFileSync(session, 'utf8')
      const document = readDocument(text)
      const usages = linesOf(text)
        .flatMap((line) => objectsAt(line, 'usage') as Numbers[])
        .map(({ input = 0, cacheRead = 0, cacheWrite = 0, output = 0 }): Row => {
          return [input + cacheRead + cacheWrite, cacheRead, cacheWrite, output]
        })
      expect(sumsOf(usagesOf(document))).toEqual(total(usages.filter(([input]) => input > 0)))
      const [conversation] = document.conversations
      expect([conversation?.turnCount, conversation?.results.length]).toEqual([369, 373])
      expect(document.problems).toEqual([])
    },
  )

  test('session-long.jsonl has its charged tokens', () => {
    const file = named.find(({ name }) => name === 'claude-code/session-long.jsonl')
    expect(claudeCode(readTranscript(file as TranscriptFile))).toEqual({
      requests: 219,
      input: 23_326_960,
      read: 22_577_493,
      written: 732_319,
      output: 19_874,
    })
  })
})

function usagesOf({ conversations }: ReadDocument): Usage[] {
  return conversations.flatMap(({ messages, answerUsage }) => [
    ...messages.flatMap(({ usage }) => usage ?? []),
    ...(answerUsage === undefined ? [] : [answerUsage]),
  ])
}
