import { describe, expect, test } from 'vitest'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { conversationOf as read, turnOf } from '@/lib/core/testing/conversation-of'
import { groupResults, unansweredCalls } from '../document/message-facts'
import { columnAt, layoutTimeline, type MarkKind } from './timeline-layout'
import { type StepKind, stepMessage, stepResult, windowEdge, windowTurnsAt } from './window-edge'

const SIZE = { width: 1000, height: 50, scale: 1 }

function inputOf(kinds: readonly MarkKind[], before: (at: number) => number = () => 100) {
  const tokens = kinds.map((_, at) => before(at))
  const after = tokens.map((count, at) => (kinds[at] === 'masked' ? Math.min(count, 9) : count))
  return { kinds, before: tokens, after }
}

function repeated(count: number, pattern: readonly MarkKind[]): MarkKind[] {
  return Array.from({ length: count }, (_, at) => pattern[at % pattern.length] as MarkKind)
}

describe('a mark for each message', () => {
  test('is in order, without overlap, inside the strip, on whole pixels', () => {
    for (const count of [1, 2, 7, 333, 623, 999, 1000]) {
      const columns = layoutTimeline(inputOf(repeated(count, ['user', 'assistant'])), SIZE)
      expect(columns).toHaveLength(count)
      let end = 0
      for (const { x, width, height } of columns) {
        expect(x).toBeGreaterThanOrEqual(end)
        expect(width).toBeGreaterThan(0)
        expect([x, width, height].every(Number.isInteger)).toBe(true)
        end = x + width
      }
      expect(end).toBeLessThanOrEqual(SIZE.width)
    }
  })

  test('has a height proportional to the square root of its tokens', () => {
    const input = inputOf(['user', 'assistant'], (at) => 400 * 4 ** at)
    const [small, large] = layoutTimeline(input, SIZE)
    expect(large?.height).toBe(SIZE.height)
    expect(small?.height).toBe(SIZE.height / 2)
  })

  test('has a ghost of its height before masking, unless the placeholder is longer', () => {
    const input = { kinds: repeated(2, ['masked']), before: [900, 1], after: [9, 9] }
    const [long, short] = layoutTimeline(input, SIZE)
    expect(long).toMatchObject({ ghostHeight: 50, height: 5 })
    expect(short?.ghostHeight).toBe(0)
  })

  test('is visible for a message without tokens', () => {
    const input = inputOf(['user', 'assistant'], (at) => at * 1e6)
    const columns = layoutTimeline(input, SIZE)
    expect(columns[0]?.height).toBeGreaterThan(0)
  })

  test('of a very large message is cut at the top and does not flatten the others', () => {
    const tokens = (at: number) => (at === 50 ? 1e7 : 100)
    const columns = layoutTimeline(inputOf(repeated(200, ['assistant']), tokens), SIZE)
    expect(columns[50]).toMatchObject({ height: SIZE.height, isCut: true })
    expect(columns[0]?.isCut).toBe(false)
    expect(columns[0]?.height).toBeGreaterThan(SIZE.height / 2)
  })
})

describe('more messages than pixels', () => {
  test('give one mark per page pixel, and no message is left out', () => {
    for (const scale of [1, 2]) {
      const size = { width: 1000 * scale, height: 50 * scale, scale }
      const columns = layoutTimeline(inputOf(repeated(20_000, ['assistant', 'masked'])), size)
      expect(columns).toHaveLength(1000)
      expect(columns.every(({ kind }) => kind === 'masked')).toBe(true)
      expect(columns.at(-1)?.x).toBe(size.width - scale)
      expect(columns.at(-1)?.message).toBeGreaterThanOrEqual(19_980)
    }
  })

  test('a pixel shows the highest message of its dominant kind, and selects it', () => {
    const input = inputOf(repeated(20_000, ['assistant', 'masked']), (at) => (at === 7 ? 900 : 100))
    const [first, second] = layoutTimeline(input, SIZE)
    expect(first?.message).toBe(7)
    expect(first?.ghostHeight).toBeGreaterThan(second?.ghostHeight as number)
  })

  test('results come before user messages, and those before assistant messages', () => {
    const kinds = repeated(4000, ['assistant', 'assistant', 'user', 'assistant'])
    kinds[1] = 'in_window'
    const columns = layoutTimeline(inputOf(kinds), SIZE)
    expect(columns.slice(0, 2).map(({ kind }) => kind)).toEqual(['in_window', 'user'])
  })

  test('one error or broken result among many marks its pixel', () => {
    const kinds = repeated(20_000, ['masked'])
    kinds[3] = 'kept_error'
    kinds[25] = 'broken'
    const columns = layoutTimeline(inputOf(kinds), SIZE)
    expect(columns[0]).toMatchObject({ kind: 'masked', hasError: true, hasBroken: false })
    expect(columns[1]).toMatchObject({ kind: 'masked', hasError: false, hasBroken: true })
  })
})

test('no messages give no marks', () => {
  expect(layoutTimeline(inputOf([]), SIZE)).toEqual([])
  expect(layoutTimeline(inputOf(['user']), { ...SIZE, width: 0 })).toEqual([])
  expect(columnAt([], 0.5)).toBeUndefined()
})

test('a position on the strip finds its mark, including both ends', () => {
  const columns = layoutTimeline(inputOf(repeated(10, ['user'])), SIZE)
  const found = [-1, 0, 0.55, 1, 2].map((place) => columnAt(columns, place)?.message)
  expect(found).toEqual([0, 0, 5, 9, 9])
})

/** A user message, then turns with a call and its result; messages 1, 3, 5 ... start turns 0, 1, 2 ... */
const conversationOf = (turns: number) =>
  read([
    { role: 'user', content: 'go' },
    ...Array.from({ length: turns }, (_, at) => turnOf(`call_${at}`, 'text '.repeat(50))).flat(),
  ])

const policy = (windowTurns: number, batchTurns = 1, enabled = true) => {
  return { ...DEFAULT_POLICY, windowTurns, batchTurns, enabled }
}

test.each([
  [
    'before the first kept turn',
    10,
    policy(3),
    { setTurn: 7, keptTurn: 7, setMessage: 15, keptMessage: 15, isOn: true },
  ],
  ['earlier than set in batches', 10, policy(3, 4), { setTurn: 7, keptTurn: 4, keptMessage: 9 }],
  ['at the first turn of a short conversation', 2, policy(50), { setTurn: 0, setMessage: 1 }],
  ['at the end with a window of 0', 2, policy(0), { setMessage: 5, isOn: false }],
  ['off with masking', 2, policy(1, 1, false), { isOn: false }],
  ['at the end without turns', 0, policy(8), { setMessage: 1, keptMessage: 1 }],
])('the edge is %s', (_, turns, settings, edge) => {
  expect(windowEdge(conversationOf(turns), settings)).toMatchObject(edge)
})

test('every window is found from its edge and from nearby positions', () => {
  const conversation = conversationOf(10)
  for (let window = 1; window <= 10; window++) {
    const { setMessage } = windowEdge(conversation, policy(window))
    for (const place of [setMessage - 0.9, setMessage, setMessage + 0.9])
      expect(windowTurnsAt(conversation, place)).toBe(window)
  }
  expect(windowTurnsAt(conversation, 0)).toBe(10)
  expect(windowTurnsAt(conversation, 21)).toBe(1)
  expect(windowTurnsAt(conversationOf(0), 0)).toBe(1)
})

test('keys step by message, by turn and by masked result, and stop at the ends', () => {
  const conversation = conversationOf(4)
  const decisions = decide(conversation, policy(2), { textOf: () => '' })
  const next = (at: number | undefined, kind: StepKind) =>
    stepMessage(conversation, decisions, at, kind, false)
  const previous = (at: number | undefined, kind: StepKind) =>
    stepMessage(conversation, decisions, at, kind, true)
  expect(next(undefined, 'message')).toEqual({ message: 0, result: undefined })
  expect(previous(undefined, 'message')).toEqual({ message: 8, result: 3 })
  expect(next(8, 'message')?.message).toBe(8)
  expect(previous(0, 'message')?.message).toBe(0)
  expect(next(3, 'turn')?.message).toBe(5)
  expect(previous(3, 'turn')?.message).toBe(1)
  expect(previous(1, 'turn')).toBeUndefined()
  expect(next(0, 'masked')).toEqual({ message: 2, result: 0 })
  expect(next(4, 'masked')).toBeUndefined()
  expect(previous(undefined, 'masked')).toEqual({ message: 4, result: 1 })
  expect([previous(5, 'end')?.message, next(5, 'end')?.message]).toEqual([0, 8])
})

test('steps through results wrap around', () => {
  const steps = [stepResult([2, 5], undefined), stepResult([2, 5], 2), stepResult([2, 5], 5)]
  expect([...steps, stepResult([2, 5], 2, true)]).toEqual([2, 5, 2, 5])
  expect(stepResult([], 1)).toBeUndefined()
})

test('results are grouped by reason, masked ones first; unanswered calls are found', () => {
  const conversation = conversationOf(4)
  const decisions = decide(conversation, policy(1), { textOf: () => '' })
  expect(groupResults(decisions)).toEqual([
    { reason: 'masked', results: [0, 1, 2] },
    { reason: 'in_window', results: [3] },
  ])
  const calls = conversation.calls.map((call) => (call.turn === 3 ? { ...call, id: 'x' } : call))
  expect(unansweredCalls({ ...conversation, calls })).toEqual([3])
})
