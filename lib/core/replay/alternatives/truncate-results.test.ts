import { describe, expect, test } from 'vitest'
import { flatPrices, prefixRule } from '../../testing/test-sessions'
import { fourRequests } from '../testing/four-requests'
import {
  GATEWAY_TRUNCATION,
  MARKER_TOKENS,
  truncateResult,
  truncateResults,
} from './truncate-results'

const TERMS = { prices: flatPrices(10, 1, 10, 50), rule: prefixRule(500) }

describe('truncation on four requests, calculated by hand', () => {
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

  test('an unknown price of answers leaves the cost of the input known', () => {
    const terms = { ...TERMS, prices: { ...TERMS.prices, output: undefined } }
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
