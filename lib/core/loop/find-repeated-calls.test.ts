import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import { forAll } from '../testing/test-size'
import { CORPUS_FILES, HAS_CORPUS, readTranscript } from '../testing/transcripts'
import type { RepeatedCallsReport } from './find-repeated-calls'
import { findPingPongs } from './find-repeated-calls'
import { ALL_GUARDS, type Guard } from './guards'
import { inspectConversation, inspectText, OPTIONS } from './testing/inspect-calls'

/** The call of a path, with its result. */
type Call = readonly [id: string, path: string, result: string]

/** Inspects turns of calls; `at` has their times. */
function inspect(turns: readonly (readonly Call[])[], options = OPTIONS, at: string[] = []) {
  const messages = turns.flatMap((calls, turn) => {
    const tool_calls = calls.map(([id, path]) => {
      return { id, function: { name: 'read', arguments: `{"path":"${path}"}` } }
    })
    const answers = calls.map(([id, , content]) => ({ role: 'tool', tool_call_id: id, content }))
    return [{ role: 'assistant', content: null, timestamp: at[turn], tool_calls }, ...answers]
  })
  return inspectText(JSON.stringify({ messages }), options)[0] as RepeatedCallsReport
}

const read = (id: string, path: string, result = 'text'): Call[] => [[id, path, result]]
const MANY = Array.from({ length: 12 }, (_, at): Call => [`m${at}`, `p${at}`, 'x'])
const PAIR = ['t1', 't2'].map((id): Call => [id, 'same', 'x'])

describe('without times', () => {
  test('finds a repeat at any distance, and stops it only within the set number of turns', () => {
    const turns = [...'abacdb'].map((path, at) => read(`${at}`, path, at === 2 ? 'other' : 'text'))
    expect(inspect(turns)).toMatchObject({
      clock: 'turn_order',
      findings: [
        { occurrences: [{ turn: 0 }, { turn: 2, turnsApart: 2, isSameResult: false, tokens: 5 }] },
        { occurrences: [{ turn: 1 }, { turn: 5, turnsApart: 4, isSameResult: true, tokens: 4 }] },
      ],
      stopped: [{ call: 2, guard: 'ANTI_LOOP_SIGNATURE', tokens: 5 }],
    })
  })

  test('calls without an id are not checked, calls without a name are', () => {
    const asked = { arguments: '{}' }
    const call = (id?: string) => ({ role: 'assistant', tool_calls: [{ id, function: asked }] })
    const answer = (content: string) => ({ role: 'tool', tool_call_id: '1', content })
    const messages = [call(), call('1'), answer('one'), answer('four'), call('2')]
    const [conversation] = readDocument(JSON.stringify({ messages }), { format: 'openai-chat' })
      .conversations as [ReadConversation]
    expect(inspectConversation(conversation).findings).toMatchObject([
      { kind: 'repeat', occurrences: [{ message: 1 }, { message: 4 }] },
    ])
  })
})

describe('with a time on every turn', () => {
  test.each([
    ['2026-01-01T00:00:29.999Z', ['ANTI_LOOP_SIGNATURE']],
    ['2026-01-01T00:00:30.000Z', []],
  ])('a call repeated at %s is stopped by %j', (at, guards) => {
    const begun = '2026-01-01T00:00:00.000Z'
    expect(inspect([read('1', 'a'), read('2', 'a')], OPTIONS, [begun, at])).toMatchObject({
      clock: 'timestamps',
      stopped: guards.map((guard) => ({ guard })),
      findings: [{ occurrences: [{}, { timeApart: Date.parse(at) - Date.parse(begun) }] }],
    })
  })
})

test('reports calls over the limit, duplicates in a batch, and ping-pongs', () => {
  const pingPong = ['a', 'b', 'a', 'b'].map((path, at) => read(`g${at}`, path))
  const report = inspect([MANY, PAIR, ...pingPong])
  expect(report.stopped.map(({ call, guard }) => `${call} ${guard}`)).toEqual([
    ...['10 batch_limit', '11 batch_limit', '13 duplicate'],
    ...['16 ANTI_LOOP_SIGNATURE', '17 ANTI_LOOP_SIGNATURE'],
  ])
  const cycle = report.findings.find(({ kind }) => kind === 'cycle')
  expect(cycle).toMatchObject({ key: 'cycle 14', calls: [{}, {}], occurrences: [{}, {}, {}, {}] })
  expect(cycle?.tokens).toBe(8)
})

test('reports identical errors of one tool from the third on', () => {
  const error = 'error: no such file'
  const turns = (count: number) =>
    Array.from({ length: count }, (_, at) => read(`${at}`, `path ${at}`, error))
  expect(inspect(turns(2)).findings).toEqual([])
  expect(inspect(turns(3)).findings).toMatchObject([
    {
      ...{ kind: 'error', calls: [{ name: 'read' }], tokens: 2 * error.length },
      occurrences: [0, 1, 2].map((result) => ({ result })),
    },
  ])
})

describe('a guard that is off', () => {
  const guardsOf = (turns: readonly (readonly Call[])[], ...off: readonly Guard[]) => {
    const guards = { ...ALL_GUARDS, ...Object.fromEntries(off.map((guard) => [guard, false])) }
    const { stopped, findings } = inspect(turns, { ...OPTIONS, guards })
    return { stopped: stopped.map(({ call, guard }) => [call, guard]), findings }
  }

  test('leaves its calls to the guards after it', () => {
    const turns = [read('1', 'a'), read('1', 'a')]
    expect(guardsOf(turns).stopped).toEqual([[1, 'ANTI_LOOP_ID']])
    expect(guardsOf(turns, 'ANTI_LOOP_ID').stopped).toEqual([[1, 'ANTI_LOOP_SIGNATURE']])
    expect(guardsOf(turns, 'ANTI_LOOP_ID', 'ANTI_LOOP_SIGNATURE').stopped).toEqual([])
  })

  test('lets calls run, which then count for the other guards', () => {
    expect(guardsOf([PAIR, read('t2', 'b')]).stopped).toEqual([[1, 'duplicate']])
    expect(guardsOf([PAIR, read('t2', 'b')], 'duplicate').stopped).toEqual([[2, 'ANTI_LOOP_ID']])
  })

  test('drops no call over the limit, but calls over the limit are still reported', () => {
    expect(guardsOf([MANY], 'batch_limit')).toMatchObject({
      stopped: [],
      findings: [{ key: 'beyond 10', kind: 'beyond', occurrences: [{}, {}], tokens: 2 }],
    })
  })
})

test('reports a reused id, and whether the call is the same', () => {
  const turns = [read('1', 'a'), read('1', 'b'), read('1', 'b'), read('2', 'b')]
  const { findings, stopped } = inspect(turns)
  expect(findings.find(({ kind }) => kind === 'id')).toMatchObject({
    occurrences: [{ turn: 0 }, { turn: 1, isSameCall: false }, { turn: 2, isSameCall: true }],
  })
  expect(stopped.map(({ hasReusedId }) => hasReusedId)).toEqual([true, false])
})

test('a result before its calls is the first one’s, and one of no call is nobody’s', () => {
  const answer = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'early' })
  const asked = [{ id: '1', function: { name: 'read', arguments: '{}' } }]
  const turn = { role: 'assistant', tool_calls: asked }
  const messages = [answer('1'), answer('nobody'), turn, turn]
  const [report] = inspectText(JSON.stringify({ messages }))
  expect(report?.findings[0]?.occurrences[1]).toMatchObject({ tokens: 0, isSameResult: undefined })
})

test('a call that reuses an id has its result only, not the earlier one', () => {
  const first = read('1', 'a', 'the first long text')
  expect(inspect([first, read('1', 'b', 'the second'), first])).toMatchObject({
    stopped: [
      { call: 1, results: [1], tokens: 10 },
      { call: 2, results: [2], tokens: 19 },
    ],
    findings: [{ tokens: 19, occurrences: [{}, { isSameResult: true }] }, { kind: 'id' }],
  })
})

test('a stopped call has the results it saves and the tokens of its refusal', () => {
  const { stopped } = inspect([read('1', 'a', 'a long text'), read('2', 'a', 'a long text')])
  const guard = 'ANTI_LOOP_SIGNATURE'
  const refusal = { success: false, error: 'Run 10 s ago as 1; not run again.', code: guard }
  const refusalTokens = JSON.stringify(refusal).length
  const found = { call: 1, turn: 1, guard, results: [1], tokens: 11, refusalTokens }
  expect(stopped).toEqual([{ ...found, hasReusedId: false }])
})

test('ignores times unless every turn has one, and reports how many have', () => {
  const report = inspect([read('1', 'a'), read('2', 'a')], OPTIONS, ['2026-01-01T00:00:00Z'])
  expect(report).toMatchObject({ clock: 'turn_order', timedTurns: 1 })
})

const PING_PONG = /(.)(?!\1)(.)(?:\1\2)+\1?/g

test('finds the ping-pongs that a regular expression finds', () => {
  const unit = fc.constantFrom('A', 'B', 'C')
  const anyItems = fc.string({ unit, maxLength: 40, size: 'max' })
  const check = (items: string) => {
    const found = findPingPongs([...items]).map(({ start, length }) => [start, length])
    const matches = Array.from(items.matchAll(PING_PONG), (match) => [match.index, match[0].length])
    expect(found).toEqual(matches)
  }
  forAll(500, [anyItems], check, { examples: [['ABABCBCB'], ['AABABB'], ['AAAA']] })
})

/** The same for the same value, whatever the order of its keys. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return members.map(([key, member]) => [key, sorted(member)])
}

test.skipIf(!HAS_CORPUS)('finds as many repeats in 40 published runs as a plain count', () => {
  const file = CORPUS_FILES.find(({ name }) => name.endsWith('/tau-bench-airline-40-runs.jsonl'))
  if (file === undefined) throw new Error('The runs are missing.')
  const text = readTranscript(file)
  // Without our readers: each line is a run.
  const runs = text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line)]))
  const calls = runs.map(({ messages }) =>
    messages.flatMap(
      ({ tool_calls = [] }: { tool_calls?: { function: Record<string, string> }[] }) =>
        tool_calls.map(({ function: { name, arguments: written } }) =>
          JSON.stringify([name, sorted(JSON.parse(written || '""'))]),
        ),
    ),
  )
  const reports = inspectText(text)
  expect(reports.map((report) => report.calls)).toEqual(calls.map(({ length }) => length))
  const repeats = calls.map((all) => all.length - new Set(all).size)
  expect(
    reports.map(({ findings }) =>
      findings
        .filter(({ kind }) => kind === 'repeat' || kind === 'duplicate')
        .reduce((sum, { occurrences }) => sum + occurrences.length - 1, 0),
    ),
  ).toEqual(repeats)
  expect(repeats.some((count) => count > 0)).toBe(true)
})
