import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { batchesOf, replayGuards, type TurnCall } from './replay-guards'
import {
  DEFAULT_LIMITS,
  EMPTY_LOOP,
  GUARDS,
  type GuardSwitches,
  planBatch,
  recordExecution,
  refusalOf,
} from './tool-call-manager'

/** Turns of calls, each turn some seconds after the last. */
const sessions = fc.array(
  fc.record({
    seconds: fc.integer({ min: 0, max: 200 }),
    calls: fc.array(
      fc.record({ id: fc.integer({ max: 12, min: 0 }), does: fc.constantFrom('a', 'b', 'c', 'd') }),
      { minLength: 1, maxLength: 4 },
    ),
  }),
  { maxLength: 30 },
)

test('stops the same calls as guards with a full history', () => {
  const switches = fc.record(
    Object.fromEntries(GUARDS.map((guard) => [guard, fc.boolean()])),
  ) as unknown as fc.Arbitrary<GuardSwitches>
  const limitsOf = fc.record({
    callsPerBatch: fc.integer({ min: 1, max: 4 }),
    historyEntries: fc.integer({ min: 1, max: 20 }),
  })
  fc.assert(
    fc.property(sessions, switches, limitsOf, (turns, guards, own) => {
      const limits = { ...DEFAULT_LIMITS, ...own }
      let time = 0
      const times = turns.map(({ seconds }) => {
        time += seconds * 1000
        return time
      })
      const calls = turns.flatMap(({ calls: made }, turn) =>
        made.map(({ id, does }) => ({ id: `c${id}`, does, turn })),
      )
      const asked = calls.map(({ id, does, turn }, at): TurnCall => {
        return { at, turn, pending: { id, name: 'f', arguments: '{}', signature: does } }
      })
      const expected: (readonly [number, string])[] = []
      let state = EMPTY_LOOP
      for (const batch of batchesOf(asked)) {
        const plans = planBatch(
          batch.map(({ pending }) => pending),
          limits,
          guards,
        )
        for (const [index, { call, plan }] of plans.entries()) {
          const { at, turn } = batch[index] as TurnCall
          const now = times[turn] as number
          const refusal =
            plan === 'run' ? refusalOf(state, call, `${turn}`, now, limits, guards)?.code : plan
          if (refusal !== undefined) expected.push([at, refusal])
          else {
            const { id: callId, signature } = call
            state = recordExecution(state, { callId, signature, batch: `${turn}`, at: now }, limits)
          }
        }
      }
      const found = replayGuards(
        asked,
        {
          timeOf: (turn) => times[turn] as number,
          resultsOf: () => [],
          tokensOf: () => 0,
          countTokens: (text) => text.length,
        },
        { limits, guards },
      )
      const planOf = { batch_limit: 'dropped', duplicate: 'duplicate' } as Record<string, string>
      expect(found.map(({ call, guard }) => [call, planOf[guard] ?? guard])).toEqual(expected)
    }),
    fuzz(100),
  )
})
