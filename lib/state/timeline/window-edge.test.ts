import { expect, test } from 'vitest'
import { decide } from '@/lib/core/policy/decide'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { conversationOf as read, turnOf } from '@/lib/core/testing/conversation-of'
import { groupResults, unansweredCalls } from '../document/message-facts'
import { stepMessage, stepResult, windowEdge, windowTurnsAt } from './window-edge'

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
  const from = (at: number | undefined, step: Parameters<typeof stepMessage>[3]) =>
    stepMessage(conversation, decisions, at, step)
  expect(from(undefined, 'next')).toEqual({ message: 0, result: undefined })
  expect(from(undefined, 'previous')).toEqual({ message: 8, result: 3 })
  expect(from(8, 'next')?.message).toBe(8)
  expect(from(0, 'previous')?.message).toBe(0)
  expect(from(3, 'next_turn')?.message).toBe(5)
  expect(from(3, 'previous_turn')?.message).toBe(1)
  expect(from(1, 'previous_turn')).toBeUndefined()
  expect(from(0, 'next_masked')).toEqual({ message: 2, result: 0 })
  expect(from(4, 'next_masked')).toBeUndefined()
  expect(from(undefined, 'previous_masked')).toEqual({ message: 4, result: 1 })
  expect([from(5, 'first')?.message, from(5, 'last')?.message]).toEqual([0, 8])
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
