/**
 * The counts of published transcripts, against those an independent script made of the same files.
 * Two of its counts are not ours, and the tests below say why.
 */
import { describe, expect, test } from 'vitest'
import type { Conversation } from '../conversation/conversation'
import { CORPUS_FILES, CORPUS_FOLDER, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import { readDocument } from './read-document'

interface Counts {
  readonly conversations: number
  readonly messages: number
  readonly turns: number
  readonly calls: number
  readonly results: number
  readonly chars: number
  /** Turns with more than one call. */
  readonly parallel: number
  /** Results with an id that no call bears. */
  readonly orphans: number
  /** Calls whose id no result bears. */
  readonly unanswered: number
  /** Results whose content is no string. */
  readonly nonString: number
}

const PUBLISHED: Readonly<Record<string, Counts>> = {
  'tau-bench-airline-task2.json': row(1, 62, 27, 27, 27, 19540, 0, 0, 0, 0),
  'tau-bench-airline-40-runs.jsonl': row(40, 1732, 538, 538, 538, 332092, 0, 0, 0, 0),
  'kimi-cli-scikit-learn.jsonl': row(1, 236, 46, 46, 46, 81705, 0, 0, 0, 46),
  'openhands-function-calls.json': row(1, 14, 6, 6, 6, 2881, 0, 0, 0, 0),
  'long-parallel-calls.json': row(1, 623, 267, 303, 303, 281737, 28, 0, 0, 0),
  'inspect-orphan-results.json': row(1, 11, 0, 0, 11, 164, 0, 11, 0, 0),
  'swe-agent-last-query.json': row(1, 28, 13, 13, 13, 9858, 0, 0, 0, 0),
}

const DIFFERENT: Readonly<Record<string, Partial<Counts>>> = {
  // 37 results have two text parts; the script joined them with a line end, which is in no part.
  'kimi-cli-scikit-learn.jsonl': { chars: 81705 - 37 },
  // Results name their call in a list, `tool_call_ids`; Schema 1 ties by `tool_call_id` alone, so no call is answered.
  'swe-agent-last-query.json': { unanswered: 13 },
}

function row(
  ...[
    conversations,
    messages,
    turns,
    calls,
    results,
    chars,
    parallel,
    orphans,
    unanswered,
    nonString,
  ]: [number, number, number, number, number, number, number, number, number, number]
): Counts {
  return {
    conversations,
    messages,
    turns,
    calls,
    results,
    chars,
    parallel,
    orphans,
    unanswered,
    nonString,
  }
}

function countAll(conversations: readonly Conversation[]): Counts {
  const sum = (count: (conversation: Conversation) => number) =>
    conversations.reduce((total, conversation) => total + count(conversation), 0)
  return {
    conversations: conversations.length,
    messages: sum(({ messages }) => messages.length),
    turns: sum(({ turnCount }) => turnCount),
    calls: sum(({ calls }) => calls.length),
    results: sum(({ results }) => results.length),
    chars: sum(({ results }) => results.reduce((total, { chars }) => total + chars, 0)),
    parallel: sum(countParallelTurns),
    orphans: sum(
      ({ results }) =>
        results.filter(({ callId, turn }) => callId !== undefined && turn === undefined).length,
    ),
    unanswered: sum(({ calls, results }) => {
      const answered = new Set(results.map(({ callId }) => callId))
      return calls.filter(({ id }) => !answered.has(id)).length
    }),
    nonString: sum(({ results }) => results.filter(({ shape }) => shape !== 'text').length),
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

describe.skipIf(!HAS_CORPUS)('published transcripts', () => {
  test.each(CORPUS_FILES)('$name has the published counts', (file) => {
    const { conversations } = readDocument(readTranscript(file))
    expect(countAll(conversations)).toEqual({ ...PUBLISHED[file.name], ...DIFFERENT[file.name] })
  })

  test('results that name their calls in a list are results without an id', () => {
    const file = CORPUS_FILES.find(({ name }) => name.startsWith('swe-agent'))
    if (file === undefined) return
    const { conversations } = readDocument(readTranscript(file))
    const results = conversations.flatMap((conversation) => conversation.results)
    expect(results.map(({ callId, turn }) => [callId, turn])).toEqual(
      results.map(() => [undefined, undefined]),
    )
  })
})
