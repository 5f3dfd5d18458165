import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ToolResult } from '../conversation/conversation'
import type { Decision } from '../policy/decide'
import { DEFAULT_POLICY } from '../policy/policy'
import { replay } from '../replay/replay'
import { anyUnicode } from '../testing/any-unicode'
import { ANY_REPLAY, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import {
  type Chart,
  costSeries,
  firstOverflow,
  layoutChart,
  niceTicks,
  tokenSeries,
} from './chart-layout'
import { csvText, escapeMarkdown, escapeMarkup } from './escape-text'
import { ENGLISH_FORMAT, figureFormat } from './figure-format'
import { toolCounts, writtenPolicy } from './report-facts'
import { type ReportPage, reportMarkdown } from './report-page'
import { layoutScatter, MARK_KINDS, markPath, pathOf, type ScatterChart } from './scatter-layout'

const SIZE = { width: 400, height: 200 }

function chartOf(before: readonly (number | undefined)[], after = before, limit?: number): Chart {
  return {
    title: 'Cost',
    series: { before, after },
    formatTick: String,
    formatValue: String,
    names: { before: 'Sent whole', after: 'Masked' },
    requestLabel: (request) => `request ${request + 1}`,
    limit: limit === undefined ? undefined : { value: limit, label: 'limit' },
  }
}

test('cumulative costs end at the totals of the replay', () => {
  forAll(100, ANY_REPLAY, (messages, policy, rule, prices) => {
    const { session, sources } = testSession(messages)
    const whole = replay(session, policy, sources, { prices, rule })
    for (const caching of ['plain', 'cached'] as const) {
      const series = costSeries(whole, caching)
      for (const side of ['before', 'after'] as const) {
        expect(series[side]).toHaveLength(whole.requests.length)
        const total = whole[side].costs[caching]
        if (series[side].length === 0) continue
        if (total === undefined) expect(series[side].at(-1)).toBeUndefined()
        else expect(series[side].at(-1)).toBeCloseTo(total, 9)
      }
    }
    const tokens = tokenSeries(whole)
    const longest = Math.max(0, ...tokens.before.map((value) => value ?? 0))
    expect(firstOverflow(whole, longest).before).toBeUndefined()
    const isFirst = tokens.before.indexOf(longest)
    if (isFirst >= 0) expect(firstOverflow(whole, longest - 1).before).toBe(isFirst)
  })
})

test('results are counted by tool, the tool with the most tokens first', () => {
  const results = ['run', 'read', 'run', undefined].map((toolName) => ({ toolName }))
  const decisions = (['keep', 'mask', 'mask', 'keep'] as const).map((action) => ({ action }))
  const counts = { messages: [], results: [1, 9, 2, 4], perRequest: 0 }
  const read = { results: results as ToolResult[] }
  expect(toolCounts(read, counts, decisions as Decision[])).toEqual([
    { name: 'read', results: 1, maskedResults: 1, tokens: 9 },
    { name: undefined, results: 1, maskedResults: 0, tokens: 4 },
    { name: 'run', results: 2, maskedResults: 1, tokens: 3 },
  ])
})

test('code in Markdown keeps its backticks and is never empty', () => {
  const facts = ['a', 'a`b``', ' '].map((value) => ['n', value, true] as const)
  const page = reportMarkdown({
    ...{ title: '', subtitle: '', headline: '', footer: '', figures: [], detail: [] },
    sections: [{ title: '', facts }],
  } as unknown as ReportPage)
  expect(page).toContain('- n: `a`\n- n: ``` a`b`` ```\n- n: –\n')
})

test('of more points than a chart draws, the highest and the last remain', () => {
  const values = Array.from({ length: 5_000 }, (_, at) => (at === 777 ? 90 : at % 7))
  const [line] = layoutChart(chartOf(values), SIZE).lines
  const points = [...(line?.path ?? '').matchAll(/([-\d.]+) ([-\d.]+)/g)]
  expect(points).toHaveLength(801)
  expect(Math.min(...points.map(([, , y]) => Number(y)))).toBe(10)
  expect(points.at(-1)?.[1]).toBe('322')
})

test('ticks are round, begin at 0 and are no more than six', () => {
  forAll(100, [fc.double({ min: 1e-9, max: 1e12, noNaN: true })], (highest) => {
    const ticks = niceTicks(highest)
    expect(ticks[0]).toBe(0)
    expect(ticks.length).toBeGreaterThanOrEqual(3)
    expect(ticks.length).toBeLessThanOrEqual(6)
    expect(ticks.at(-1)).toBeLessThanOrEqual(highest * 1.001)
  })
  expect(niceTicks(3.12)).toEqual([0, 1, 2, 3])
  expect(niceTicks(0)).toEqual([0])
})

test('lines stay within their area, and their labels do not overlap', () => {
  const anyValue = fc.double({ min: 0, max: 1e6, noNaN: true })
  forAll(100, [fc.array(anyValue, { minLength: 1, maxLength: 2000 })], (values) => {
    const thirds = values.map((value) => value / 3)
    const layout = layoutChart(chartOf(values, thirds), SIZE)
    for (const { path, labelY } of layout.lines) {
      for (const [, x, y] of path.matchAll(/([-\d.]+) ([-\d.]+)/g)) {
        expect(Number(x) >= 42 && Number(x) <= 322, x).toBe(true)
        expect(Number(y) >= 10 && Number(y) <= 178, y).toBe(true)
      }
      expect(labelY >= 10 && labelY <= 179, String(labelY)).toBe(true)
    }
    const [first, second] = layout.lines
    expect(Math.abs((first?.labelY ?? 0) - (second?.labelY ?? 0))).toBeGreaterThanOrEqual(26.9)
  })
})

test('a chart draws a limit only near the lines, and no line for unknown values', () => {
  expect(layoutChart(chartOf([50, 90], [50, 40], 100), SIZE).limit).toBeDefined()
  expect(layoutChart(chartOf([5, 9], [5, 4], 100), SIZE).limit).toBeUndefined()
  const low = layoutChart(chartOf([1, 9], [1, 5], 1), SIZE).limit
  expect(low?.labelY).toBeLessThan(low?.at as number)
  const high = layoutChart(chartOf([1, 9], [1, 5], 10), SIZE).limit
  expect(high?.labelY).toBeGreaterThan(high?.at as number)
  const { lines } = layoutChart(chartOf([undefined, undefined]), SIZE)
  expect(lines.map(({ path }) => path)).toEqual(['', ''])
})

test('no text becomes markup', () => {
  forAll(100, [anyUnicode()], (text) => {
    expect(escapeMarkup(text)).not.toMatch(/[<>"']/)
    expect(escapeMarkdown(text)).not.toMatch(/\n|(^|[^\\])(\\\\)*[<>|*`[\]]/)
  })
  expect(escapeMarkup('a\u0000b\ud800')).toBe('a\ufffdb\ufffd')
  expect(escapeMarkdown('1\u202f234\u00a0$\r\n\t%')).toBe('1\u202f234\u00a0$ %')
})

test('CSV preserves commas, quotes and line breaks, and never contains a formula', () => {
  const first = ['a,b', 'c"d', 1.5, undefined]
  expect(csvText([first, ['=1+1', 'x\ny']])).toBe('"a,b","c""d",1.5,\r\n\'=1+1,"x\ny"\r\n')
  expect(csvText([['a;=1', '\n=1', '＝1', 'x\r\n@1']])).toBe(`"a;'=1","'\n'=1",'＝1,"x\r\n'@1"\r\n`)
})

const scatter = (points: ScatterChart['points']) =>
  layoutScatter({ points, formatTick: String } as unknown as ScatterChart, SIZE)

test('marks are above the diagonal where a session costs more, below it where it costs less, and on it where nothing changes', () => {
  const anyCost = fc.double({ min: 0, max: 1e6, noNaN: true })
  const anyPoints = fc.array(fc.record({ before: anyCost, after: anyCost }), { maxLength: 50 })
  forAll(100, [anyPoints], (points) => {
    const { marks, ticks, box } = scatter(points)
    for (const [at, { x, y, kind }] of marks.entries()) {
      const { before, after } = points[at] as (typeof points)[number]
      expect(kind).toBe(after === before ? 'same' : after < before ? 'cheaper' : 'costlier')
      expect(x >= 46 && x <= 392 && y >= 18 && y <= 168, `${x} ${y}`).toBe(true)
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
  })
})

test('names and texts of a policy are written on request, otherwise counted', () => {
  const policy = { ...DEFAULT_POLICY, excludeTools: ['a', 'b'], errorPatterns: ['c'] }
  const none = { excludeTools: 0, errorPatterns: 0 }
  expect(writtenPolicy(policy, true)).toEqual({ policy, unnamed: none })
  expect(writtenPolicy(policy, false)).toEqual({
    policy: { ...policy, excludeTools: [], errorPatterns: [] },
    unnamed: { excludeTools: 2, errorPatterns: 1 },
  })
})

test('ticks are round numbers of the same scale on both axes', () => {
  const labels = (...costs: number[]) => {
    const { ticks } = scatter(costs.map((cost) => ({ before: cost, after: cost })))
    return ticks.after.map(({ label }) => label)
  }
  expect(labels(0.01, 0.3)).toEqual(['0.01', '0.02', '0.05', '0.1', '0.2'])
  expect(labels(0.01, 5)).toEqual(['0.01', '0.03', '0.1', '0.3', '1', '3'])
  // No round number is between 2.56 and 4, so the middle is shown.
  expect(labels(3.2)).toEqual(['3.2'])
  expect(labels(0.000001, 1000)).toEqual(['0.00001', '0.001', '0.1', '10', '1000'])
  expect(labels(0, 0)).toEqual([])
  const { ticks } = scatter([{ before: 1, after: 20 }])
  expect(ticks.before.map(({ label }) => label)).toEqual(ticks.after.map(({ label }) => label))
})

test('marks have a shape of their own, and are drawn once at one place', () => {
  const cheaper = { before: 1, after: 0.5 }
  const { marks } = scatter([cheaper, cheaper, { before: 2, after: 2 }, { before: 3, after: 9 }])
  expect(marks.map(({ kind }) => kind)).toEqual(['cheaper', 'cheaper', 'same', 'costlier'])
  expect(MARK_KINDS.map((kind) => pathOf(marks, kind).match(/z/g)?.length)).toEqual([1, 1, 1])
  expect(new Set(marks.map(({ kind }) => markPath({ x: 9, y: 9, kind }))).size).toBe(3)
})

const { money, price, change, share, duration, size } = ENGLISH_FORMAT

test('money has the decimal places that the larger of two amounts needs', () => {
  const amounts = [0, 1.256, 0.0123, 0.00123].map((usd) => money(usd))
  expect(amounts).toEqual(['$0.00', '$1.26', '$0.0123', '$0.00123'])
  expect(money(0.0123, 4)).toBe('$0.01')
  expect([money(0.00023, 4), money(-0.0123), money(1e-9)]).toEqual([
    '$0.0002',
    '-$0.0123',
    '$0.000000001',
  ])
  expect([price(2), price(0.075)]).toEqual(['$2.00', '$0.075'])
})

test('a change has its sign, a share has none added; below 10 percent they have a decimal place', () => {
  expect([change(100, 39), change(1000, 1005), change(5, 5)]).toEqual(['−61%', '+0.5%', '0%'])
  expect([share(0.5), share(0.052), share(-0.5)]).toEqual(['50%', '5.2%', '−50%'])
})

test('a duration has two units, or seconds below a minute', () => {
  const times = [0, 1250, 59_900, 61_000, 3_588_000, 7_320_000, 180_000_000]
  expect(times.map((time) => duration(time)).join(', ')).toBe(
    '0 s, 1.3 s, 59 s, 1 min 1 s, 59 min 48 s, 2 h 2 min, 2 d 2 h',
  )
  expect([duration(1250, 3), duration(0, 1)]).toEqual(['1.250 s', '0.0 s'])
})

test('a size has the largest unit that gives at least one', () => {
  expect([size(999), size(1_500), size(12_300_000)]).toEqual(['999 bytes', '1.5 kB', '12 MB'])
})

test('figures are written as in their language', () => {
  const french = figureFormat({
    number: (value, options) => new Intl.NumberFormat('fr', options).format(value),
    dateTime: (date, options) => new Intl.DateTimeFormat('fr', options).format(date),
  })
  const { number, money, change, duration, size, day } = french
  const figures = [number(1234.5), money(1.256), change(100, 39.5), size(1_500)]
  const spaced = figures.map((figure) => figure.replace(/\s/g, ' '))
  expect(spaced).toEqual(['1 234,5', '1,26 $', '−61 %', '1,5 ko'])
  expect([duration(1250), duration(180_000_000)]).toEqual(['1,3 s', '2 j 2 h'])
  expect(day('2026-09-23')).toBe('23 septembre 2026')
})

test('unknown values are a dash', () => {
  expect([money(undefined), change(undefined, 1), change(0, 1)]).toEqual(['–', '–', '–'])
})
