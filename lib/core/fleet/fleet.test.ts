import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { DEFAULT_ADVICE } from '../replay/recommend'
import type { CostTerms } from '../replay/request-terms'
import { type Sweep, type SweepRow, sweepPrepared } from '../replay/sweep'
import type { JsonValue } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import { sentenceThrownBy } from '../testing/spoken'
import { ANY_REPLAY, flatPrices, prefixRule } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { refetchCosts } from '../uses/lost-uses'
import { measure } from '../uses/testing/measure-uses'
import { createFleetTotal, isPriced } from './fleet-total'
import { FLEET_BATCHES, FLEET_WINDOWS } from './grid'
import { recommendFleet, resampledShare } from './recommend-fleet'
import { readSessionLine, type SessionSums, writeSessionLine } from './session-line'
import { sessionSums } from './session-sums'

const GRID = { batches: FLEET_BATCHES, windows: FLEET_WINDOWS }
const TERMS: CostTerms = { prices: flatPrices(2, 0.2, 2.5, 10), rule: prefixRule(64, 16) }

function measured(
  messages: readonly JsonValue[],
  policy = { ...DEFAULT_POLICY },
  terms = TERMS,
  id = 'one',
): { readonly sums: SessionSums; readonly swept: Sweep } {
  const { prepared, uses, losable } = measure(messages, policy)
  const place = { id, file: `${id}.json`, conversation: 0, model: 'ours' }
  const sums = sessionSums({ prepared, uses, losable }, terms, place)
  const swept = sweepPrepared(prepared, terms, GRID, refetchCosts(prepared, losable, terms))
  return { sums, swept }
}

function totalOf(...sums: readonly SessionSums[]): Sweep {
  const total = createFleetTotal()
  for (const one of sums) total.add(one)
  return total.sweep()
}

/** Turns whose results have a value and so many other characters. */
const turnsOf = (count: number, charsOf: (turn: number) => number, session = '') =>
  Array.from({ length: count }, (_, turn) =>
    turnOf(`call_${turn}`, `ledger${session}_${turn}=${'x'.repeat(charsOf(turn))}`),
  ).flat()

/** Sessions of 3 to 40 turns; answers repeat what some results said. */
const SESSIONS = Array.from({ length: 12 }, (_, at) => {
  const turns = turnsOf(3 + at * 3, (turn) => 40 + ((at * 37 + turn * 91) % 900), `_${at}`)
  const said = { role: 'assistant', content: `It was ledger_${at}_1= as said.` }
  const terms = at % 3 === 0 ? { ...TERMS, prices: flatPrices(1.1, 0.3, 1.3, 7) } : TERMS
  const messages = [{ role: 'user', content: 'begin' }, ...turns, said]
  return measured(messages, DEFAULT_POLICY, terms, `session-${at}`).sums
})

describe('the sums of a session', () => {
  test('have the totals of its sweep at every point, and pass through a line unchanged', () => {
    forAll(40, ANY_REPLAY, (messages, policy, rule, prices) => {
      const { sums, swept } = measured(messages, policy, { prices, rule })
      const { session } = readSessionLine(JSON.parse(writeSessionLine({}, sums)))
      expect(session).toEqual(sums)
      const total = totalOf(session)
      const { sentResults, maskableResults, largestWindow, windows, before } = swept
      expect(total).toMatchObject({ sentResults, maskableResults, largestWindow, windows })
      expect(total.before.split).toEqual(before.split)
      for (const [batch, row] of swept.rows.entries()) {
        for (const kind of Object.keys(row) as (keyof SweepRow)[]) {
          const own = total.rows[batch]?.[kind] as Float64Array
          expect(own).toHaveLength(row[kind].length)
          // Tiers with the same prices are added before they are priced.
          for (const [at, value] of row[kind].entries()) {
            if (Number.isNaN(value)) expect(own[at]).toBeNaN()
            else expect(own[at]).toBeCloseTo(value, 9)
          }
        }
      }
      const points = swept.rows.flatMap((row) => Object.values(row).flatMap((each) => [...each]))
      const costs = [...Object.values(before.costs), ...points]
      expect(isPriced(sums)).toBe(costs.every((value) => !Number.isNaN(value ?? Number.NaN)))
    })
  })

  const said = { role: 'assistant', content: 'It was ledger_1= as said.' }
  const messages = [...turnsOf(9, () => 600), said]

  test('add tiers with the same prices', () => {
    const input = { price: { base: 2, tiers: [{ above: 500, price: 2 }] }, origin: 'user' } as const
    const tiered = { ...TERMS, prices: { ...TERMS.prices, input } }
    expect(measured(messages, DEFAULT_POLICY, tiered).sums).toEqual(measured(messages).sums)
  })

  test('have unknown costs of what is lost if its price is unknown', () => {
    const prices = { ...TERMS.prices, input: undefined, cachedRead: undefined }
    const { rows } = totalOf(measured(messages, DEFAULT_POLICY, { ...TERMS, prices }).sums)
    // With a window of one turn the use is lost, with the seven before the last one it is not.
    const { refetchPlain, refetchCached } = rows[0] as SweepRow
    for (const costs of [refetchPlain, refetchCached])
      expect([costs[0], costs[7]]).toEqual([Number.NaN, 0])
  })
})

const SETTINGS = { ...DEFAULT_ADVICE, smallestWindow: 2 }
const { sum, comparison } = await recommendFleet(() => SESSIONS, SETTINGS)

describe('the recommendation for all', () => {
  test('does not depend on the order of the sessions, nor on repeated ones', async () => {
    const shuffled = [...SESSIONS.slice(5), ...SESSIONS.slice(2, 9), ...SESSIONS.slice(0, 6)]
    const copies = shuffled.map((one) => ({ ...one, file: `copies/${one.file}` }))
    const named = [...shuffled.slice(0, 2), ...copies, ...shuffled]
    // Every digit, and the smallest of the names.
    const again = await recommendFleet(() => named, SETTINGS)
    expect(again.sum).toEqual(sum)
    expect(again.comparison?.sessions.map(({ id }) => id)).toEqual(
      comparison?.sessions.map(({ id }) => id),
    )
    expect(again.comparison?.savedShare).toEqual(comparison?.savedShare)
    expect(again.comparison?.sessions[0]?.file).toBe('copies/session-0.json')
  })

  test('says what it does to each session', () => {
    expect(sum).toMatchObject({ sessions: 12, unpriced: 0, recommendation: { state: 'mask' } })
    if (sum.recommendation.state !== 'mask' || comparison === undefined) return
    const { costBefore, cost, worstCost, savedShare } = sum.recommendation
    const add = (of: 'before' | 'after' | 'worst') =>
      comparison.sessions.reduce((total, one) => total + one[of], 0)
    expect(add('before')).toBeCloseTo(costBefore, 12)
    expect(add('after')).toBeCloseTo(cost, 12)
    expect(add('worst')).toBeCloseTo(worstCost, 12)
    expect(sum.ownWorstCost).toBeLessThanOrEqual(worstCost)
    const [low, high] = comparison.savedShare
    expect(low).toBeLessThan(savedShare)
    expect(high).toBeGreaterThan(savedShare)
    const grown = comparison.sessions.filter(({ before, worst }) => worst > before)
    expect(comparison.costlierAtWorst).toBe(grown.length)
    expect(comparison.costlier).toBeLessThanOrEqual(grown.length)
    for (const { before, worst } of grown)
      expect(worst / before).toBeLessThanOrEqual(
        (comparison.worst?.worst as number) / (comparison.worst?.before as number),
      )
  })

  test('leaves out sessions with an unknown price, and says how many', async () => {
    const terms = { ...TERMS, prices: { ...TERMS.prices, input: undefined } }
    const turns = turnsOf(9, () => 500)
    const { sums } = measured(turns, DEFAULT_POLICY, terms, 'unknown')
    const other = await recommendFleet(() => [sums, ...SESSIONS], SETTINGS)
    expect(other.sum).toEqual({ ...sum, unpriced: 1 })
    expect(other.comparison).toEqual(comparison)
  })

  test('without sessions has no comparison', async () => {
    const none = await recommendFleet(() => [], DEFAULT_ADVICE)
    expect(none.sum.recommendation).toEqual({ state: 'no_results' })
    expect(none.comparison).toBeUndefined()
  })
})

test('an interval contains the share, and is that share if all sessions are the same', () => {
  const before = Float64Array.from({ length: 50 }, () => 4)
  const ones = before.map(() => 1)
  expect(resampledShare(before, ones)).toEqual([[0.25, 0.25]])
  const twos = before.map((_, at) => (at % 2) * 2)
  const [[low, high] = [0, 0]] = resampledShare(before, twos)
  expect(low).toBeLessThan(0.25)
  expect(high).toBeGreaterThan(0.25)
  expect(high - low).toBeLessThan(0.2)
  expect(resampledShare(new Float64Array(), new Float64Array())).toEqual([[0, 0]])
})

const withSession = (change: object) => ({ session: { ...SESSIONS[0], ...change } })
const WORD_IN_ROW = withSession({ lost_uses: [[1, 'x']] })

test.each<readonly [string, object | string, string]>([
  ['a text in place of it', 'text', 'The line is "text"; expected Object.'],
  ['another version', { version: 2 }, 'version is 2; expected 1.'],
  ['a text as settings', { settings: 'none' }, 'settings is "none"; expected Object.'],
  ['a broken number', withSession({ turns: 1.5 }), 'session.turns is 1.5; expected'],
  ['a text in a row', WORD_IN_ROW, 'session.lost_uses.0.1 is "x"; expected number.'],
])('refuses a line with %s', (_, change, sentence) => {
  const line = typeof change === 'string' ? change : { version: 1, settings: {}, ...change }
  expect(sentenceThrownBy(() => readSessionLine(line))).toMatch(sentence)
})
