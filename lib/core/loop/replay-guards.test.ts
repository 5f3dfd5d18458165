import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { replayGuards } from './find-repeated-calls'
import {
  DEFAULT_LIMITS,
  EMPTY_LOOP,
  type GuardSwitches,
  planBatch,
  recordExecution,
  stopOf,
} from './tool-call-manager'

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
