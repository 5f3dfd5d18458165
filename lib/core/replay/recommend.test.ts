import { describe, expect, test } from 'vitest'
import { DEFAULT_ADVICE, recommend } from './recommend'
import type { Sweep } from './sweep'

/** Costs, lost uses and the cost of fetching them again, of the windows 1 to 3 by batch; sending everything costs 100. */
const LISTED = {
  1: { cached: [40, 60, 90], uses: [9, 4, 1], again: [70, 50, 1] },
  2: { cached: [30, 55], uses: [8, 2], again: [65, 20] },
} as const

function sweptOf(): Sweep {
  const rows = Object.values(LISTED).map(({ cached, uses, again }) => ({
    tokens: Float64Array.from(cached),
    plain: Float64Array.from(cached),
    cached: Float64Array.from(cached),
    output: new Float64Array(cached.length),
    uses: Float64Array.from(uses),
    results: Float64Array.from(uses),
    refetchPlain: Float64Array.from(again),
    refetchCached: Float64Array.from(again),
  }))
  const costs = { plain: 100, cached: 100, output: 0 }
  return {
    sentResults: 9,
    maskableResults: 9,
    batches: [1, 2],
    windows: [1, 2, 3],
    largestWindow: 4,
    before: { tokens: 100, split: { read: 0, written: 0, fresh: 100 }, costs },
    rows,
  }
}

const of = (settings: Partial<typeof DEFAULT_ADVICE>, laterUses = 20) =>
  recommend(sweptOf(), laterUses, { ...DEFAULT_ADVICE, smallestWindow: 1, ...settings })

describe('the recommendation', () => {
  test('is the cheapest once everything lost is fetched again, not the cheapest if nothing is', () => {
    expect(of({})).toMatchObject({
      state: 'mask',
      point: { windowTurns: 2, batchTurns: 2 },
      cost: 55,
      worstCost: 75,
      lostUses: 2,
      savedShare: 0.45,
      savedAtWorst: 0.25,
    })
  })

  test('to keep uses is the cheapest of the settings that keep the share', () => {
    expect(of({ rule: 'keep_uses', keptShare: 0.8 })).toMatchObject({
      point: { windowTurns: 2, batchTurns: 2 },
    })
    expect(of({ rule: 'keep_uses', keptShare: 0.9 })).toMatchObject({
      point: { windowTurns: 2, batchTurns: 2 },
    })
    expect(of({ rule: 'keep_uses', keptShare: 0.95 })).toMatchObject({
      state: 'mask',
      point: { windowTurns: 3, batchTurns: 1 },
      worstCost: 91,
    })
    expect(of({ rule: 'keep_uses', keptShare: 0.95 }, 10)).toMatchObject({
      state: 'do_not_mask',
      cheapest: undefined,
    })
  })

  test('has no window under the smallest', () => {
    expect(of({ smallestWindow: 3 })).toMatchObject({ point: { windowTurns: 3 } })
    expect(of({ smallestWindow: 4 })).toMatchObject({ state: 'do_not_mask', cheapest: undefined })
  })
})
