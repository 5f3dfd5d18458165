import { expect, test } from 'vitest'
import { pointAt, type Sweep } from '@/lib/core/replay/sweep'
import { knownAxis, layoutSweep, nextBatch, tableBatches, tableWindows } from './sweep-chart'

function side(tokens: number) {
  const costs = { plain: tokens, cached: tokens, output: 0 }
  return { tokens, split: { read: 0, written: 0, fresh: tokens }, costs }
}

/** A sweep in which each window more sends a token more. */
function sweepOf(largestWindow: number): Sweep {
  const batches = Array.from({ length: largestWindow - 1 }, (_, index) => index + 1)
  return {
    ...{ sentResults: 1, maskableResults: 1 },
    ...{ batches, windows: batches, largestWindow, before: side(100) },
    rows: batches.map((batch) => {
      const values = Float64Array.from({ length: largestWindow - batch }, (_, at) => 50 + at)
      const none = values.map(() => 0)
      const losses = { uses: none, results: none, refetchPlain: none, refetchCached: none }
      return { tokens: values, plain: values, cached: values, output: values, ...losses }
    }),
  }
}

test('has a line for the current batch and one for the best, up to the window that masks nothing', () => {
  const chart = layoutSweep(sweepOf(6), 'cached', 4, 2, 6)
  expect(chart.lines.map(({ batchTurns }) => batchTurns)).toEqual([4, 2])
  expect(chart.everything).toBeCloseTo(1 - 100 / 108)
  const point = pointAt(sweepOf(6), { windowTurns: 3, batchTurns: 1 })
  expect(point && chart.placeOf(point)).toEqual({ x: 0.5, y: 1 - 52 / 108 })
  // Windows 1 and 2 mask; 3 to 6 send everything.
  expect(chart.lines[0]?.path).toBe('M166.7 537L333.3 527.8L500 74.1L1000 74.1')
})

test('a batch that masks nothing is a flat line, and windows beyond the slider are not drawn', () => {
  const flat = layoutSweep(sweepOf(4), 'tokens', 9, undefined, 4)
  expect(flat.lines.map(({ path }) => path)).toEqual(['M250 74.1L1000 74.1'])
  const cut = layoutSweep(sweepOf(10), 'tokens', 1, undefined, 2)
  expect(cut.lines[0]?.path.match(/[ML]/g)).toHaveLength(2)
})

test('tokens are drawn if a price is unknown', () => {
  const before = { ...side(100), costs: { plain: 1, cached: undefined, output: 1 } }
  expect(knownAxis('cached', { ...sweepOf(3), before })).toBe('tokens')
  expect(knownAxis('plain', sweepOf(3))).toBe('plain')
})

test('the table has small windows and the usual batches, the current, largest and best ones', () => {
  expect(tableWindows(sweepOf(20), 7)).toEqual([1, 2, 3, 4, 6, 7, 8, 12, 16, 20])
  expect(tableWindows(sweepOf(1), 8)).toEqual([1])
  const best = pointAt(sweepOf(60), { windowTurns: 8, batchTurns: 27 })
  expect(tableBatches(5, best)).toEqual([1, 2, 4, 5, 8, 16, 27, 32])
  expect(tableBatches(8, undefined)).toEqual([1, 2, 4, 8, 16, 32])
})

test('steps go through a few batches, from any current batch', () => {
  const next = [nextBatch(1, 1), nextBatch(5, 1), nextBatch(5, -1), nextBatch(32, 1)]
  expect(next).toEqual([4, 8, 4, 32])
})
