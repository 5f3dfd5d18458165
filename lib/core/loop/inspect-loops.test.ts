import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { CORPUS_FILES, CORPUS_FOLDER, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import { countConversation } from '../tokens/count-conversation'
import { inspectLoops } from './inspect-loops'
import { ALL_GUARDS, DEFAULT_LIMITS } from './limits'
import type { InspectOptions, LoopReport } from './loop-report'

const OPTIONS: InspectOptions = {
  limits: DEFAULT_LIMITS,
  guards: ALL_GUARDS,
  signatureTurns: 3,
  fewestErrors: 3,
}
const countCharacters = (text: string) => text.length

interface Turn {
  readonly calls: readonly (readonly [id: string, path: string, result: string])[]
  readonly at?: string
}

function inspect(turns: readonly Turn[]): LoopReport {
  const messages = turns.flatMap(({ calls, at }) => [
    {
      role: 'assistant',
      content: null,
      timestamp: at,
      tool_calls: calls.map(([id, path]) => ({
        id,
        function: { name: 'read', arguments: `{"path":"${path}"}` },
      })),
    },
    ...calls.map(([id, , content]) => ({ role: 'tool', tool_call_id: id, content })),
  ])
  const [conversation] = readDocument(JSON.stringify({ messages })).conversations
  if (conversation === undefined) throw new Error('nothing was read')
  const counts = countConversation(conversation, countCharacters)
  return inspectLoops(conversation, counts, countCharacters, () => undefined, OPTIONS)
}

const read = (id: string, path: string, result = 'text') => ({
  calls: [[id, path, result] as const],
})

describe('without times', () => {
  test('a repeat is found at any distance, stopped only when fewer turns lie between than set', () => {
    const { clock, repeats, stopped } = inspect([
      read('1', 'a'),
      read('2', 'b'),
      read('3', 'a', 'other'),
      read('4', 'c'),
      read('5', 'd'),
      read('6', 'b'),
    ])
    expect(clock).toBe('turn_order')
    expect(
      repeats.map(({ call, earlier, turnsApart, isSameResult, tokens }) => {
        return { call, earlier, turnsApart, isSameResult, tokens }
      }),
    ).toEqual([
      { call: 2, earlier: 0, turnsApart: 2, isSameResult: false, tokens: 5 },
      { call: 5, earlier: 1, turnsApart: 4, isSameResult: true, tokens: 4 },
    ])
    expect(stopped.map(({ call, guard, tokens }) => [call, guard, tokens])).toEqual([
      [2, 'ANTI_LOOP_SIGNATURE', 5],
    ])
  })

  test('keys in another order are the same call; other numbers are another', () => {
    const call = (id: string, text: string) => ({
      role: 'assistant',
      tool_calls: [{ id, function: { name: 'read', arguments: text } }],
    })
    const messages = [
      call('1', '{"a":{"x":1,"y":[2]},"b":12345678901234567890}'),
      call('2', '{ "b": 12345678901234567890, "a": {"y": [2], "x": 1} }'),
      call('3', '{"a":{"x":1,"y":[2]},"b":12345678901234567891}'),
    ]
    const [conversation] = readDocument(JSON.stringify({ messages })).conversations
    if (conversation === undefined) throw new Error('nothing was read')
    const counts = countConversation(conversation, countCharacters)
    const { repeats } = inspectLoops(
      conversation,
      counts,
      countCharacters,
      () => undefined,
      OPTIONS,
    )
    expect(repeats.map(({ call: at }) => at)).toEqual([1])
  })
})

describe('with a time on every turn', () => {
  test.each([
    ['2026-01-01T00:00:29.999Z', ['ANTI_LOOP_SIGNATURE']],
    ['2026-01-01T00:00:30.000Z', []],
  ])('a call repeated at %s is stopped by %j', (at, guards) => {
    const { clock, stopped, repeats } = inspect([
      { ...read('1', 'a'), at: '2026-01-01T00:00:00.000Z' },
      { ...read('2', 'a'), at },
    ])
    expect(clock).toBe('timestamps')
    expect(stopped.map(({ guard }) => guard)).toEqual(guards)
    expect(repeats[0]?.timeApart).toBe(Date.parse(at) - Date.parse('2026-01-01T00:00:00Z'))
  })
})

test('calls beyond the limit, duplicates in a batch, and cycles are named', () => {
  const many = { calls: Array.from({ length: 12 }, (_, at) => [`m${at}`, `p${at}`, 'x'] as const) }
  const twins = {
    calls: [
      ['t1', 'same', 'x'],
      ['t2', 'same', 'x'],
    ] as const,
  }
  const pingPong = ['a', 'b', 'a', 'b'].map((path, at) => read(`g${at}`, path))
  const report = inspect([many, twins, ...pingPong])
  expect(report.stopped.map(({ call, guard }) => [call, guard])).toEqual([
    [10, 'batch_limit'],
    [11, 'batch_limit'],
    [13, 'duplicate'],
    [16, 'ANTI_LOOP_SIGNATURE'],
    [17, 'ANTI_LOOP_SIGNATURE'],
  ])
  expect(report.pingPongs).toEqual([{ calls: [14, 15, 16, 17], tokens: 8 }])
})

test('the same error of the same tool is named from the third on', () => {
  const error = 'error: no such file'
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => read(`${at}`, `path ${at}`, error))
  expect(inspect(turns(2)).repeatedErrors).toEqual([])
  expect(inspect(turns(3)).repeatedErrors).toEqual([
    { toolName: 'read', results: [0, 1, 2], tokens: 2 * error.length },
  ])
})

/** A plain count by other means: whole arguments parsed and written with sorted keys, calls compared as texts. */
function plainRepeats(name: string, text: string): number {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sorted)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value)
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => [key, sorted(member)]),
    )
  }
  if (name.endsWith('session-long.jsonl')) {
    const calls = lines
      .map((line) => JSON.parse(line))
      .filter((line) => line.type === 'assistant' && !line.isSidechain)
      .flatMap((line) => line.message.content)
      .filter((block) => block.type === 'tool_use')
      .map((block) => JSON.stringify([block.name, sorted(block.input)]))
    return calls.length - new Set(calls).size
  }
  return lines.reduce((total, line) => {
    const calls = (JSON.parse(line).messages as Record<string, never>[])
      .flatMap((message) => (message.tool_calls ?? []) as never[])
      .map(({ function: { name: tool, arguments: written } }) =>
        JSON.stringify([tool, sorted(JSON.parse(written))]),
      )
    return total + calls.length - new Set(calls).size
  }, 0)
}

describe.skipIf(!HAS_CORPUS)(`published transcripts in ${CORPUS_FOLDER}`, () => {
  test.each(['openai-chat/tau-bench-airline-40-runs.jsonl'])(
    'repeats in %s are as many as a plain count finds',
    (name) => {
      const file = CORPUS_FILES.find((transcript) => transcript.name === name)
      if (file === undefined) throw new Error(`${name} is missing`)
      const text = readTranscript(file)
      const found = readDocument(text).conversations.map((conversation) => {
        const counts = countConversation(conversation, countCharacters)
        return inspectLoops(conversation, counts, countCharacters, () => undefined, OPTIONS).repeats
          .length
      })
      const total = found.reduce((sum, count) => sum + count, 0)
      expect(total).toBe(plainRepeats(name, text))
      expect(total).toBeGreaterThan(0)
    },
  )
})
