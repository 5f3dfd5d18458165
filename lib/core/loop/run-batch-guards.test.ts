import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forAll, forAllAsync } from '../testing/test-size'
import { DEFAULT_LIMITS, type GuardSwitches } from './guards'
import { type ExecuteCall, replayGuards, runBatch } from './run-batch'
import { call, run } from './testing/run-calls'
import { createVirtualClock } from './testing/virtual-clock'
import { EMPTY_LOOP, planBatch, recordExecution, stopOf } from './tool-call-manager'

test('every call has a result, and the trace has the reason if it was not run', async () => {
  const others = Array.from({ length: 9 }, (_, at) => call(`c${at}`))
  const calls = [call('a', 'x'), call('b', 'x'), call('a', 'y'), ...others]
  const { results, events } = await run(calls, () => async () => 'ok')
  expect(results.map(({ tool_call_id: id }) => id)).toEqual(calls.map(({ id }) => id))
  expect(events.flatMap(({ callId, code }) => (code ? `${callId} ${code}` : []))).toEqual([
    ...['b DUPLICATE_IN_BATCH', 'a ANTI_LOOP_ID', 'c7 BATCH_LIMIT', 'c8 BATCH_LIMIT'],
  ])
})

describe('a call run at 0 and repeated in a later batch', () => {
  const again = async (id: string, signature: string, at: number, historyEntries: number) => {
    const clock = createVirtualClock()
    const limits = { ...DEFAULT_LIMITS, historyEntries }
    const execute: ExecuteCall = async () => 'ok'
    const batch = { id: '1', calls: [call('a', 'x'), call('other')] }
    const first = runBatch(EMPTY_LOOP, batch, execute, clock, limits)
    await clock.advance(at)
    const { state } = await first
    const next = runBatch(state, { id: '2', calls: [call(id, signature)] }, execute, clock, limits)
    await clock.advance(0)
    const { results, events } = await next
    const [result] = results
    return result?.success ? result.content : [events[0]?.kind, JSON.parse(result?.content ?? '')]
  }
  const refused = (code: string, seconds: number) => [
    'refused',
    { success: false, code, error: `Run ${seconds} s ago as a; not run again.` },
  ]

  test.each([
    ['under another id', 'b', 'x', 29_999, 200, refused('ANTI_LOOP_SIGNATURE', 29.999)],
    ['under another id', 'b', 'x', 30_000, 200, 'ok'],
    ['under the same id', 'a', 'another', 299_999, 200, refused('ANTI_LOOP_ID', 299.999)],
    ['under the same id', 'a', 'another', 300_000, 200, 'ok'],
    ['as the oldest remembered', 'a', 'x', 0, 2, refused('ANTI_LOOP_ID', 0)],
    ['but no longer remembered', 'a', 'x', 0, 1, 'ok'],
  ])('%s is checked: %s %s after %i ms, of %i', async (_, id, signature, at, entries, expected) => {
    expect(await again(id, signature, at, entries)).toEqual(expected)
  })
})

describe('for any calls, times and tools', () => {
  type Behaviour = 'answer' | 'late' | 'never' | 'throw' | 'reject'
  const anyLimits = fc.record({
    callsPerBatch: fc.integer({ min: 0, max: 6 }),
    idWindow: fc.integer({ min: 0, max: 20_000 }),
    signatureWindow: fc.integer({ min: 0, max: 20_000 }),
    timeout: fc.integer({ min: 0, max: 3000 }),
    historyEntries: fc.constantFrom(1, 3, 200),
    callsPerSession: fc.constant(1000),
    retries: fc.constant(0),
  })
  const anyCall = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e'),
    signature: fc.constantFrom('x', 'y', 'z'),
    behaviour: fc.constantFrom<Behaviour>('answer', 'late', 'never', 'throw', 'reject'),
    takes: fc.integer({ min: 0, max: 4000 }),
  })
  const anyBatches = fc.array(
    fc.record({
      wait: fc.integer({ min: 0, max: 15_000 }),
      calls: fc.array(anyCall, { maxLength: 8 }),
    }),
    { maxLength: 6 },
  )

  test('no call is executed twice within the guards’ limits', async () => {
    await forAllAsync(150, [anyLimits, anyBatches], async (limits, batches) => {
      const clock = createVirtualClock()
      const executed: { id: string; signature: string; batch: number; at: number }[] = []
      let state = EMPTY_LOOP
      for (const [batch, { wait, calls }] of batches.entries()) {
        await clock.advance(wait)
        const pending = calls.map((one) => ({ ...call(one.id, one.signature), one }))
        const running = runBatch(
          state,
          { id: `${batch}`, calls: pending },
          (asked) => {
            const { one } = asked as (typeof pending)[number]
            executed.push({ id: asked.id, signature: asked.signature, batch, at: clock.now() })
            if (one.behaviour === 'throw') throw new Error('thrown')
            if (one.behaviour === 'reject') return Promise.reject(new Error('rejected'))
            if (one.behaviour === 'never') return new Promise(() => {})
            if (one.behaviour === 'answer') return Promise.resolve('ok')
            return new Promise((resolve) => clock.after(one.takes, () => resolve('late')))
          },
          clock,
          limits,
        )
        await clock.advance(3000 * calls.length)
        const run = await running
        state = run.state
        expect(run.results.map(({ tool_call_id: id }) => id)).toEqual(calls.map(({ id }) => id))
        expect(state.history.length).toBeLessThanOrEqual(limits.historyEntries)
        const inBatch = executed.filter((one) => one.batch === batch)
        expect(inBatch.length).toBeLessThanOrEqual(limits.callsPerBatch)
        expect(new Set(inBatch.map(({ signature }) => signature)).size).toBe(inBatch.length)
      }
      for (const [index, one] of executed.entries()) {
        // A call dropped from the history may run again.
        for (const other of executed.slice(index + 1, index + 1 + limits.historyEntries)) {
          const apart = other.at - one.at
          if (one.id === other.id) expect(apart).toBeGreaterThanOrEqual(limits.idWindow)
          if (one.signature === other.signature && one.batch !== other.batch) {
            expect(apart).toBeGreaterThanOrEqual(limits.signatureWindow)
          }
        }
      }
    })
  })
})

/** Turns of calls, each turn some seconds after the last. */
const anySession = fc.array(
  fc.record({
    seconds: fc.nat(200),
    made: fc.array(
      fc.record({ id: fc.constantFrom(...'abcdefghijkl'), does: fc.constantFrom(...'pqrs') }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { maxLength: 30 },
)
const anyGuards: fc.Arbitrary<GuardSwitches> = fc.record({
  batch_limit: fc.boolean(),
  duplicate: fc.boolean(),
  ANTI_LOOP_ID: fc.boolean(),
  ANTI_LOOP_SIGNATURE: fc.boolean(),
})
const anyLimits = fc.record({
  callsPerBatch: fc.integer({ min: 1, max: 4 }),
  historyEntries: fc.integer({ min: 1, max: 20 }),
})

test('stops the same calls as guards with a full history', () => {
  forAll(100, [anySession, anyGuards, anyLimits], (session, guards, own) => {
    const limits = { ...DEFAULT_LIMITS, ...own }
    let time = 0
    let count = 0
    const turns = session.map(({ seconds, made }, turn) => {
      time += seconds * 1000
      const calls = made.map(({ id, does }) => {
        return { at: count++, turn, pending: { id, name: 'f', arguments: '{}', signature: does } }
      })
      return { calls, now: time }
    })
    const expected: (readonly [number, string])[] = []
    let state = EMPTY_LOOP
    for (const [turn, { calls, now }] of turns.entries()) {
      const pending = calls.map((one) => one.pending)
      for (const [index, planned] of planBatch(pending, limits, guards).entries()) {
        const stop = stopOf(planned, state, `${turn}`, now, limits, guards)
        if (stop !== undefined) expected.push([calls[index]?.at as number, stop.guard])
        else {
          const { id: callId, signature } = planned.call
          state = recordExecution(state, { callId, signature, batch: `${turn}`, at: now }, limits)
        }
      }
    }
    const all = turns.flatMap(({ calls }) => calls)
    const found = replayGuards(all, (turn) => turns[turn]?.now as number, { limits, guards })
    expect(found.map(({ call, guard }) => [call, guard])).toEqual(expected)
  })
})
