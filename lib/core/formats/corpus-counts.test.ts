/**
 * Compares the counts of published transcripts with those of an independent script, in the README beside them.
 * `testing/published-counts` explains each difference.
 */
import { afterAll, describe, expect, test } from 'vitest'
import type { Conversation } from '../conversation/conversation'
import { type PublishedCounts, publishedCountsOf } from '../testing/published-counts'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  type TranscriptFile,
} from '../testing/transcripts'
import { FORMATS, readDocument } from './read-document'

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
  const callsOfTurn = new Map<number, number>()
  for (const { turn } of calls) {
    if (turn !== undefined) callsOfTurn.set(turn, (callsOfTurn.get(turn) ?? 0) + 1)
  }
  return [...callsOfTurn.values()].filter((count) => count > 1).length
}

if (!HAS_CORPUS) {
  test.skip(`published transcripts: there is no ${CORPUS_FOLDER}; CORPUS names another`, () => {})
}

const FILES = CORPUS_FILES.filter(({ format }) => FORMATS.some(({ id }) => id === format))

describe.skipIf(!HAS_CORPUS)('published transcripts', () => {
  const table: Record<string, string | number>[] = []

  test.each(FILES)('$name has the published counts', (file: TranscriptFile) => {
    const { conversations, format, problems } = readDocument(readTranscript(file))
    const counts = countAll(conversations)
    table.push({
      file: file.name,
      format: format.id,
      conversations: counts.conversations,
      turns: counts['tool turns'],
      calls: counts.calls,
      results: counts.results,
      problems: problems.length,
    })
    const expected = publishedCountsOf(file)
    expect(expected, 'a row in the README').toBeDefined()
    const columns = Object.keys(counts) as (keyof PublishedCounts)[]
    for (const column of columns) {
      // A row may leave a count out.
      const count = expected?.[column]
      if (count !== undefined) expect(counts[column], column).toBe(count)
    }
  })

  afterAll(() => console.table(table))
})
