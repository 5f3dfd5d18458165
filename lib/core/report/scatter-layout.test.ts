import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { layoutScatter, markPath, type ScatterChart } from './scatter-layout'

const SIZE = { width: 400, height: 220, left: 50, right: 10, top: 20, bottom: 30 }

function layout(points: ScatterChart['points']) {
  return layoutScatter(
    {
      title: 'Cost',
      points,
      formatTick: String,
      axes: { before: 'before', after: 'after' },
      regions: { costlier: 'above', cheaper: 'below' },
      legend: [],
    },
    SIZE,
  )
}

test('marks are above the diagonal where a session costs more, below it where it costs less, and on it where nothing changes', () => {
  const anyCost = fc.double({ min: 0, max: 1e6, noNaN: true })
  const anyPoints = fc.array(fc.record({ before: anyCost, after: anyCost }), { maxLength: 50 })
  fc.assert(
    fc.property(anyPoints, (points) => {
      const { marks, ticks, box } = layout(points)
      for (const [at, { x, y, kind }] of marks.entries()) {
        const { before, after } = points[at] as (typeof points)[number]
        expect(kind).toBe(after === before ? 'same' : after < before ? 'cheaper' : 'costlier')
        expect([x >= 50, x <= 390, y >= 20, y <= 190]).toEqual([true, true, true, true])
        // Positions are rounded to a tenth.
        const above = (box.y + box.height - y) / box.height - (x - box.x) / box.width
        if (after >= before) expect(above).toBeGreaterThan(-0.002)
        if (after <= before) expect(above).toBeLessThan(0.002)
      }
      for (const axis of [ticks.before, ticks.after]) {
        const isPriced = points.some(({ before, after }) => before + after > 1e-300)
        expect(axis.length > 0).toBe(isPriced)
        expect(axis.length).toBeLessThanOrEqual(8)
      }
    }),
    fuzz(100),
  )
})

test('ticks are round numbers of the same scale on both axes', () => {
  const labels = (...costs: number[]) =>
    layout(costs.map((before) => ({ before, after: before }))).ticks.after.map(({ label }) => label)
  expect(labels(0.01, 0.3)).toEqual(['0.01', '0.02', '0.05', '0.1', '0.2'])
  expect(labels(0.01, 5)).toEqual(['0.01', '0.03', '0.1', '0.3', '1', '3'])
  expect(labels(0.000001, 1000)).toEqual(['0.00001', '0.001', '0.1', '10', '1000'])
  expect(labels(0, 0)).toEqual([])
  const { ticks } = layout([{ before: 1, after: 20 }])
  expect(ticks.before.map(({ label }) => label)).toEqual(ticks.after.map(({ label }) => label))
})

test('marks have a shape of their own, are found by place, and are drawn once at one place', () => {
  const points = [
    { before: 1, after: 0.5 },
    { before: 1, after: 0.5 },
    { before: 2, after: 2 },
    { before: 3, after: 9 },
  ]
  const { marks, paths, nearestTo } = layout(points)
  expect(marks.map(({ kind }) => kind)).toEqual(['cheaper', 'cheaper', 'same', 'costlier'])
  expect(Object.values(paths).map((path) => path.match(/z/g)?.length)).toEqual([1, 1, 1])
  expect(new Set(marks.map(({ kind }) => markPath({ x: 9, y: 9, kind }))).size).toBe(3)
  for (const at of [0, 2, 3]) {
    const { x, y } = marks[at] as (typeof marks)[number]
    expect(nearestTo(x + 2, y - 2)).toBe(at)
  }
  expect(layout([]).nearestTo(0, 0)).toBeUndefined()
})
