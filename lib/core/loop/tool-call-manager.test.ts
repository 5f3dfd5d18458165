import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import {
  DEFAULT_LIMITS,
  EMPTY_LOOP,
  type LoopState,
  type PendingCall,
  planBatch,
  recordExecution,
  refusalOf,
} from './tool-call-manager'

function call(id: string, signature = id): PendingCall {
  return { id, name: 'read', arguments: '{}', signature }
}

function after(executions: readonly { call: PendingCall; batch: string; at: number }[]): LoopState {
  return executions.reduce(
    (state, { call: { id: callId, signature }, batch, at }) =>
      recordExecution(state, { callId, signature, batch, at }, DEFAULT_LIMITS),
    EMPTY_LOOP,
  )
}

describe('a batch', () => {
  test.each([
    [10, 0],
    [11, 1],
    [25, 15],
  ])('of %i calls drops %i', (size, dropped) => {
    const plans = planBatch(
      Array.from({ length: size }, (_, index) => call(`c${index}`)),
      DEFAULT_LIMITS,
    )
    expect(plans.filter(({ plan }) => plan === 'dropped')).toHaveLength(dropped)
    expect(plans.slice(10).every(({ plan }) => plan === 'dropped')).toBe(true)
  })

  test('skips a duplicate of an earlier call and names that call', () => {
    const plans = planBatch([call('a', 'x'), call('b', 'y'), call('c', 'x')], DEFAULT_LIMITS)
    expect(plans.map(({ plan, repeats }) => [plan, repeats])).toEqual([
      ['run', undefined],
      ['run', undefined],
      ['duplicate', 0],
    ])
  })
})

describe('an id', () => {
  const state = after([{ call: call('a', 'x'), batch: '1', at: 1000 }])

  test.each([
    [1000 + 299_999, 'ANTI_LOOP_ID'],
    [1000 + 300_000, undefined],
  ])('run at 1000 and requested at %i: %s', (now, code) => {
    expect(refusalOf(state, call('a', 'other'), '2', now, DEFAULT_LIMITS)?.code).toBe(code)
  })

  test('is refused in the same batch too', () => {
    expect(refusalOf(state, call('a', 'other'), '1', 1000, DEFAULT_LIMITS)?.code).toBe(
      'ANTI_LOOP_ID',
    )
  })
})

describe('a signature', () => {
  const state = after([{ call: call('a', 'x'), batch: '1', at: 1000 }])

  test.each([
    [1000 + 29_999, 'ANTI_LOOP_SIGNATURE'],
    [1000 + 30_000, undefined],
  ])('run at 1000 and requested with another id at %i: %s', (now, code) => {
    expect(refusalOf(state, call('b', 'x'), '2', now, DEFAULT_LIMITS)?.code).toBe(code)
  })

  test('may repeat in the same batch', () => {
    expect(refusalOf(state, call('b', 'x'), '1', 1000, DEFAULT_LIMITS)).toBeUndefined()
  })
})

test.each([
  [200, 200, 'c0'],
  [201, 200, 'c1'],
])('after %i executions %i are remembered, the oldest of them %s', (count, length, oldest) => {
  const { history } = after(
    Array.from({ length: count }, (_, at) => ({ call: call(`c${at}`), batch: '1', at })),
  )
  expect(history).toHaveLength(length)
  expect(history[0]?.callId).toBe(oldest)
})

test('no call is executed twice within the limits, for any calls and times', () => {
  const asked = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    signature: fc.constantFrom('x', 'y', 'z'),
    batch: fc.constantFrom('1', '2', '3'),
    wait: fc.integer({ min: 0, max: 40_000 }),
  })
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 60 }), (sequence) => {
      let state = EMPTY_LOOP
      let now = 0
      const executed: { id: string; signature: string; batch: string; at: number }[] = []
      for (const { id, signature, batch, wait } of sequence) {
        now += wait
        if (refusalOf(state, { id, signature }, batch, now, DEFAULT_LIMITS) !== undefined) continue
        state = recordExecution(state, { callId: id, signature, batch, at: now }, DEFAULT_LIMITS)
        executed.push({ id, signature, batch, at: now })
      }
      for (const [index, one] of executed.entries()) {
        for (const other of executed.slice(index + 1)) {
          const apart = other.at - one.at
          if (one.id === other.id) expect(apart).toBeGreaterThanOrEqual(300_000)
          else if (one.signature === other.signature && one.batch !== other.batch)
            expect(apart).toBeGreaterThanOrEqual(30_000)
        }
      }
    }),
    fuzz(100),
  )
})
