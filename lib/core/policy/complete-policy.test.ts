import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyActivePolicy } from '../testing/policies'
import { fuzz } from '../testing/test-size'
import { completePolicy } from './complete-policy'
import { DEFAULT_POLICY, type MaskPolicy } from './policy'

test('every missing setting is the default', () => {
  fc.assert(
    fc.property(
      anyActivePolicy,
      fc.subarray(Object.keys(DEFAULT_POLICY) as (keyof MaskPolicy)[]),
      (policy, keys) => {
        const settings = Object.fromEntries(keys.map((key) => [key, policy[key]]))
        expect(completePolicy(settings)).toEqual({ ...DEFAULT_POLICY, ...settings })
      },
    ),
    fuzz(100),
  )
  expect(completePolicy({ windowTurns: undefined } as never)).toEqual(DEFAULT_POLICY)
})

test.each([
  [{ windowTurns: '8' }, 'windowTurns is "8"; expected a whole number from 0 to 1000000.'],
  [{ batchTurns: 0 }, 'batchTurns is 0; expected 1 to 1000000, of which 1 is nearest.'],
  [{ window_turns: 8 }, '"window_turns" is not a setting; expected windowTurns.'],
  [{ window: 8 }, '"window" is not a setting; expected enabled, windowTurns, '],
])('%j is refused', (settings, sentence) => {
  expect(() => completePolicy(settings as never)).toThrow(sentence)
})
