import { expect, test } from 'vitest'
import type { Sweep } from '@/lib/core/replay/sweep'
import { knownAxis, layoutSweep, nextBatch, tableWindows } from './sweep-chart'

function side(tokens: number, cached: number | undefined = tokens) {
  return {
    tokens,
    split: { read: 0, written: 0, fresh: tokens },
    costs: { plain: tokens, cached, output: 0 },
  }
}

function sweepOf(batches: readonly number[], largestWindow: number): Sweep {
  return {
    sentResults: 1,
    maskableResults: 1,
    batches,
    largestWindow,
    before: side(100),
    points: batches.flatMap((batchTurns) =>
      Array.from({ length: largestWindow }, (_, at) => ({
        windowTurns: at + 1,
        batchTurns,
        total: side(50 + at),
      })),
    ),
    method: 'incremental',
  }
}

test('has a line for each drawn batch and the current one, starting at zero', () => {
  const chart = layoutSweep(sweepOf([1, 2, 4, 5], 3), 'cached', 5, 4)
  expect(chart.lines.map(({ batchTurns }) => batchTurns)).toEqual([1, 4, 5])
  expect(chart.everything).toBeCloseTo(1 - 100 / 108)
  const point = sweepOf([1], 3).points[0]
  expect(point && chart.placeOf(point)).toEqual({ x: 0.25, y: 1 - 50 / 108 })
  expect(chart.lines[0]?.path).toBe('M250 537L500 527.8L750 518.5')
})

test('windows beyond the slider are not drawn', () => {
  const chart = layoutSweep(sweepOf([1], 10), 'tokens', 1, 2)
  expect(chart.lines[0]?.path.match(/[ML]/g)).toHaveLength(2)
})

test('tokens are drawn if a price is unknown', () => {
  const swept = { ...sweepOf([1], 3), before: side(100, undefined) }
  expect(
    knownAxis('cached', {
      ...swept,
      before: { ...swept.before, costs: { plain: 1, cached: undefined, output: 1 } },
    }),
  ).toBe('tokens')
  expect(knownAxis('plain', sweepOf([1], 3))).toBe('plain')
})

test('the table has small windows, the current one and the largest', () => {
  expect(tableWindows(sweepOf([1], 20), 7)).toEqual([1, 2, 3, 4, 6, 7, 8, 12, 16, 20])
  expect(tableWindows(sweepOf([1], 1), 8)).toEqual([1])
})

test('steps go through the drawn batches, from any current batch', () => {
  expect([nextBatch(1, 1), nextBatch(5, 1), nextBatch(5, -1), nextBatch(32, 1)]).toEqual([
    4, 8, 4, 32,
  ])
})
