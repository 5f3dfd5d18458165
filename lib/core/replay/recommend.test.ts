import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ANY_REPLAY, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { DEFAULT_ADVICE, recommend, sessionCost } from './recommend'
import { replay } from './replay'
import { type Sweep, sweep } from './sweep'

/** Figures by window, from 1 turn on. Without `tokens`, a window sends as many as it costs; without the others, it loses nothing. */
interface ListedBatch {
  readonly cached: readonly number[]
  readonly output?: readonly number[]
  readonly tokens?: readonly number[]
  readonly uses?: readonly number[]
  readonly again?: readonly number[]
}

/** Costs, lost uses and the cost of fetching them again, of the windows 1 to 3 by batch. */
const LISTED: readonly ListedBatch[] = [
  { cached: [40, 60, 90], uses: [9, 4, 1], again: [70, 50, 1] },
  { cached: [30, 55], uses: [8, 2], again: [65, 20] },
]

/** Sending everything costs 100, and sends 100 tokens. */
const EVERYTHING: Sweep['before']['costs'] = { plain: 100, cached: 100, output: 0 }

function sweptOf(listed = LISTED, costs = EVERYTHING): Sweep {
  const rows = listed.map(({ cached, output = [], tokens = cached, uses = [], again = [] }) => {
    const values = (list: readonly number[]) => Float64Array.from(cached, (_, at) => list[at] ?? 0)
    return {
      tokens: values(tokens),
      plain: values(cached),
      cached: values(cached),
      output: values(output),
      uses: values(uses),
      results: values(uses),
      refetchPlain: values(again),
      refetchCached: values(again),
    }
  })
  return {
    sentResults: 9,
    maskableResults: 9,
    batches: rows.map((_, at) => at + 1),
    windows: [1, 2, 3],
    largestWindow: 4,
    before: { tokens: 100, split: { read: 0, written: 0, fresh: 100 }, costs },
    rows,
  }
}

const ANY_WINDOW = { ...DEFAULT_ADVICE, smallestWindow: 1 }

const of = (settings: Partial<typeof DEFAULT_ADVICE>, laterUses = 20, listed = LISTED) =>
  recommend(sweptOf(listed), laterUses, { ...ANY_WINDOW, ...settings })

/** The recommendation for other batches, by windows of any length. */
const best = (...listed: readonly ListedBatch[]) => of({}, 0, listed)

describe('the recommendation', () => {
  test('is the cheapest once everything lost is fetched again, not the cheapest if nothing is', () => {
    expect(of({})).toMatchObject({
      ...{ state: 'mask', point: { windowTurns: 2, batchTurns: 2 }, lostUses: 2 },
      ...{ cost: 55, worstCost: 75, savedShare: 0.45, savedAtWorst: 0.25 },
    })
  })

  test('to keep uses is the cheapest of the settings that keep the share', () => {
    const keep = (keptShare: number, laterUses?: number) =>
      of({ rule: 'keep_uses', keptShare }, laterUses)
    const point = { windowTurns: 2, batchTurns: 2 }
    for (const keptShare of [0.8, 0.9]) expect(keep(keptShare)).toMatchObject({ point })
    const longer = { windowTurns: 3, batchTurns: 1 }
    expect(keep(0.95)).toMatchObject({ state: 'mask', point: longer, worstCost: 91 })
    expect(keep(0.95, 10)).toMatchObject({ state: 'do_not_mask', cheapest: undefined })
  })

  test('sends most tokens of those that cost at most 1 % more than the cheapest', () => {
    const first = { cached: [10, 10.05, 10.2], tokens: [40, 50, 60] }
    const point = { windowTurns: 2, batchTurns: 1 }
    expect(best(first, { cached: [10.04], tokens: [45] })).toMatchObject({ point })
  })

  test('needs a result that is sent, and one that the policy masks', () => {
    const none = { ...sweptOf(), sentResults: 0, maskableResults: 0 }
    expect(recommend(none, 0, ANY_WINDOW)).toEqual({ state: 'no_results' })
    const unmasked = { state: 'nothing_maskable', results: 9 }
    expect(recommend({ ...none, sentResults: 9 }, 0, ANY_WINDOW)).toEqual(unmasked)
  })

  test('is the cheaper one of points that send as many tokens, then the longer window, then the smaller batch', () => {
    const chosen = (...costs: (readonly number[])[]) => {
      const advice = best(...costs.map((cached) => ({ cached, tokens: cached.map(() => 50) })))
      return advice.state === 'mask' ? advice.point : advice.state
    }
    expect(chosen([10.01, 10, 10.02])).toMatchObject({ windowTurns: 2 })
    expect(chosen([10, 10, 10])).toMatchObject({ windowTurns: 3 })
    expect(chosen([10, 10, 10], [10, 10])).toMatchObject({ windowTurns: 3, batchTurns: 1 })
    expect(chosen([10.01, 10], [10.01, 10])).toMatchObject({ windowTurns: 2, batchTurns: 1 })
  })

  test('names no setting that masks nothing as the cheapest one that masks', () => {
    const expectCheapest = (cached: readonly number[], windowTurns: number) => {
      const expected = { state: 'do_not_mask', cheapest: { point: { windowTurns } } }
      expect(best({ cached, tokens: [40, 60, 100] })).toMatchObject(expected)
    }
    expectCheapest([300, 200, 100], 2)
    // A placeholder as long as its result changes what the cache has.
    expectCheapest([300, 200, 150], 3)
  })

  test.each(['cached', 'output'] as const)('is unknown if the cost of %s tokens is', (kind) => {
    const swept = sweptOf(LISTED, { ...EVERYTHING, [kind]: undefined })
    const unknown = { state: 'price_unknown' }
    for (const smallestWindow of [1, 4])
      expect(recommend(swept, 0, { ...DEFAULT_ADVICE, smallestWindow })).toEqual(unknown)
  })

  test('is unknown if the cost of one window is, as where only masked requests are cached', () => {
    const listed = [{ cached: [10, Number.NaN, 10], tokens: [50, 50, 50] }]
    expect(best(...listed)).toEqual({ state: 'price_unknown' })
    expect(of({ smallestWindow: 3 }, 0, listed).state).toBe('mask')
  })

  test('costs at most 1 % more than every point of the grid, and keeps most of those', () => {
    const batches = [1, 2, 3, 8]
    const states = new Set<string>()
    forAll(
      250,
      [...ANY_REPLAY, fc.nat(4)],
      (messages, policy, rule, prices, smallestWindow) => {
        const { session, sources } = testSession(messages)
        const terms = { prices, rule }
        const swept = sweep(session, policy, sources, terms, { batches })
        const advice = recommend(swept, 0, { ...DEFAULT_ADVICE, smallestWindow })
        states.add(advice.state)
        if (advice.state !== 'mask' && advice.state !== 'do_not_mask') return
        if (advice.state === 'mask') expect(advice.cost).toBeLessThan(advice.costBefore)
        const chosen = advice.state === 'mask' ? advice.cost : advice.costBefore
        const costBefore = sessionCost(swept.before)
        const masking: { readonly cost: number; readonly tokens: number }[] = []
        for (let windowTurns = smallestWindow; windowTurns <= swept.largestWindow; windowTurns++) {
          for (const batchTurns of batches) {
            const own = { ...policy, enabled: true, windowTurns, batchTurns }
            const { after } = replay(session, own, sources, terms)
            const cost = sessionCost(after) as number
            expect(chosen).toBeLessThanOrEqual(cost * 1.01)
            if (cost !== costBefore || after.tokens !== swept.before.tokens)
              masking.push({ cost, tokens: after.tokens })
          }
        }
        if (advice.state !== 'mask') return
        const limit = Math.min(...masking.map(({ cost }) => cost)) * 1.01
        const equal = masking.filter(({ cost }) => cost <= limit)
        expect(advice.point.total.tokens).toBe(Math.max(...equal.map(({ tokens }) => tokens)))
      },
      { seed: 1 },
    )
    const all = ['do_not_mask', 'mask', 'no_results', 'nothing_maskable', 'price_unknown']
    expect([...states].sort()).toEqual(all)
  })
})
