import { describe, expect, test } from 'vitest'
import { flatPrices, prefixRule } from '../../testing/test-sessions'
import { fourRequests } from '../testing/four-requests'
import {
  GATEWAY_TRUNCATION,
  MARKER_TOKENS,
  summariseTurns,
  truncateResult,
  truncateResults,
} from './alternatives'
import { SUMMARY_OVERHEAD } from './summarise-session'

const TERMS = { prices: flatPrices(10, 1, 10, 50), rule: prefixRule(500) }
const SETTINGS = { everyTurns: 1, recentTurns: 1, summaryTokens: 20 }

describe('alternatives on four requests, calculated by hand', () => {
  test('truncation: 8,000 characters become 4,000 and a marker, and the prefix is unchanged', () => {
    // B's 1,990 tokens: 995 for its half, and 12 for the marker: 1,007, so 983 fewer from request 3 on.
    // Requests: 1,000 + 2,050 + 3,117 + 3,667 = 9,834. Read: 1,000 + 2,050 + 3,117 = 6,167; the other 3,667 are written.
    const side = truncateResults(fourRequests('x'.repeat(8000)), TERMS)
    expect(MARKER_TOKENS).toBe(12)
    expect(side.tokens).toBe(9834)
    expect(side.split).toEqual({ read: 6167, written: 3667, fresh: 0 })
    expect(side.costs.plain).toBeCloseTo(9834 * 10e-6, 12)
    expect(side.costs.cached).toBeCloseTo(6167e-6 + 3667 * 10e-6, 12)
  })

  test('summaries: two are written and paid for, and each breaks the prefix', () => {
    // With one turn kept and a summary for every turn, of 20 tokens and 4 around it:
    // request 3 is 4,100 - 1,050 + 24 = 3,074; its summary reads 1,050
    // request 4 is 4,650 - 3,100 + 24 = 1,574; its summary reads 20 + 2,050 = 2,070
    // Requests: 1,000 + 2,050 + 3,074 + 1,574 = 7,698; calls: 3,120 in, 40 out.
    // Read: requests 2, 3 and 4 the first 1,000 each: only what comes before the first turn stays.
    const { side, calls, cached } = summariseTurns(fourRequests(), TERMS, SETTINGS)
    expect(SUMMARY_OVERHEAD).toBe(4)
    expect(side.tokens).toBe(7698)
    expect(side.split).toEqual({ read: 3000, written: 4698, fresh: 0 })
    const cost = 3120 * 10e-6 + 40 * 50e-6
    expect(calls).toEqual({ count: 2, inputTokens: 3120, cost: expect.closeTo(cost, 12) })
    expect(cached).toBeCloseTo(3000e-6 + 4698 * 10e-6 + cost, 12)
    // A log that begins with request 3 begins with a summary; request 4 reads the first 1,000.
    const session = fourRequests()
    const log = { ...session, requests: session.requests.slice(2) }
    const late = summariseTurns(log, TERMS, SETTINGS)
    expect(late.side.split).toEqual({ read: 1000, written: 3074 + 574, fresh: 0 })
    expect(late.calls).toMatchObject({ count: 2, inputTokens: 3120 })
  })

  test('an unknown price makes the cost unknown', () => {
    const terms = { ...TERMS, prices: { ...TERMS.prices, output: undefined } }
    expect(summariseTurns(fourRequests(), terms, SETTINGS).cached).toBeUndefined()
    expect(truncateResults(fourRequests(), terms).costs.cached).toBeDefined()
  })
})

test.each([
  [[3000, 3000], 1500, 1500],
  [[8000, 1000], 9000, 5000 + MARKER_TOKENS],
])('a list of texts is cut text by text: %j', (lengths, before, tokens) => {
  const spans = lengths.map((chars) => {
    return { start: 0, end: chars + 2, pointer: '', encoded: 0, filler: undefined }
  })
  const chars = lengths.reduce((sum, length) => sum + length)
  const result = { chars, shape: 'text_parts', duplicates: 0, spans } as const
  expect(truncateResult(result, before, GATEWAY_TRUNCATION)).toBe(tokens)
})
