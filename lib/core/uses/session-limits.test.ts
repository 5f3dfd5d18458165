/** The limits of a session, compared with each other and with what batches cost that lose as much. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { replayPrepared } from '../replay/replay'
import type { JsonValue } from '../testing/chat-messages'
import { anyRule, flatPrices } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { lostUsesAt, sessionLimits } from './lost-uses'
import { begin, MASKING, measure } from './testing/measure-uses'

const POOL = ['src/a/ledger.ts', 'postEntryTwice', 'PAY7407366', '48213', 'and', 'then']
const anyWords = fc
  .array(fc.constantFrom(...POOL), { maxLength: 3 })
  .map((words) => words.join(' '))
const anyTurn = fc.record({
  tool: fc.constantFrom('read', 'search'),
  said: anyWords,
  result: anyWords,
  chars: fc.constantFrom(0, 200, 1200, 5000),
})
const anyTalk = fc.array(anyTurn, { minLength: 5, maxLength: 20, size: 'max' }).map((turns) => [
  begin,
  ...turns.flatMap(({ tool, said, result, chars }, at): JsonValue[] => {
    const call = { id: `call_${at}`, function: { name: tool, arguments: '{}' } }
    return [
      { role: 'assistant', content: said, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: result.padEnd(chars, ' .') },
    ]
  }),
  { role: 'assistant', content: POOL.join(' , ') },
])
const anyRest = fc.record({
  keepLastKPerTool: fc.constantFrom(0, 1, 2),
  neverGrow: fc.boolean(),
  triggerTokens: fc.constantFrom(0, 0, 300),
})
const anyTerms = fc.record({
  rule: anyRule,
  prices: fc.constantFrom(flatPrices(1, 0.1, 1.25, 5), flatPrices(1, 0.5, 1, 5)),
})

test('waiting for the last uses is never below the limit, and no batch is below the limit of what it loses', () => {
  const anyWindow = fc.integer({ min: 1, max: 6 })
  forAll(500, [anyTalk, anyRest, anyTerms, anyWindow], (talk, rest, terms, windowTurns) => {
    const { prepared, losable } = measure(talk, { ...MASKING, ...rest })
    const limits = sessionLimits(prepared, losable, windowTurns, terms)
    const [any, withoutLosses] = [limits.any?.cost as number, limits.withoutLosses?.cost as number]
    expect(any).toBeLessThanOrEqual(withoutLosses)
    for (const batchTurns of [1, 2, 3, 5, 8, 'auto'] as const) {
      const window = { windowTurns, batchTurns }
      const isLossless = lostUsesAt(losable, window, prepared).length === 0
      const { cached } = replayPrepared(prepared, window, terms).after.costs
      expect(cached).toBeGreaterThanOrEqual((isLossless ? withoutLosses : any) - 1e-12)
    }
  })
})
