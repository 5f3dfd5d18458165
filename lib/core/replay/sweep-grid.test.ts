import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../conversation/conversation'
import {
  ANY_REPLAY,
  anyRule,
  anySessionMessages,
  flatPrice,
  testSession,
  UNCACHED,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { type PriceSheet, UNKNOWN_PRICES } from './price-sheet'
import { replay, replayPrepared } from './replay'
import type { CostTerms } from './request-terms'
import type { Session } from './sessions'
import { sweepInSteps, sweepPrepared } from './sweep'
import { ascending, listedBatches, sweepGrid, turnsOf } from './sweep-grid'
import { PRICES, policy, session } from './testing/eight-requests'
import { expectAsReplayed, preparedOf } from './testing/expect-as-replayed'
import { toolTurns } from './testing/tool-turns'

const sessionOf = (turns: number) =>
  preparedOf([...toolTurns(turns), { role: 'assistant', content: '' }])

const upTo = (end: number) => Array.from({ length: end }, (_, index) => index + 1)

describe('the grid of a sweep', () => {
  test('has every batch and window of sessions that are not long', () => {
    expect(turnsOf(sessionOf(40))).toBe(40)
    expect(sweepGrid([sessionOf(40)])).toEqual({
      batches: [...upTo(39), 'auto'],
      windows: upTo(39),
    })
    // The longest decides.
    expect(sweepGrid([sessionOf(3), sessionOf(20), sessionOf(2)]).windows).toEqual(upTo(19))
  })

  test('has one batch and window if there is nothing to choose', () => {
    const empty = preparedOf([{ role: 'user', content: 'hello' }])
    expect(turnsOf(empty)).toBe(0)
    const unsent = { ...empty, session: { ...empty.session, requests: [] } }
    expect(turnsOf(unsent)).toBe(0)
    for (const sessions of [[], [empty], [unsent], [sessionOf(1)]])
      expect(sweepGrid(sessions)).toEqual({ batches: [1, 'auto'], windows: [1] })
  })

  test('has fewer in long sessions, in steps that grow', () => {
    const turns = 1000
    const { batches: all, windows } = sweepGrid([sessionOf(turns)])
    const batches = all.filter((batch) => batch !== 'auto')
    expect(all.slice(batches.length)).toEqual(['auto'])
    for (const steps of [batches, windows]) {
      const gaps = steps.map((step, index) => step - (steps[index - 1] ?? 0))
      expect(Math.min(...gaps)).toBe(1)
      // A step is never smaller than the one before by more than what rounding takes.
      for (const [index, gap] of gaps.entries())
        expect(gap).toBeGreaterThanOrEqual((gaps[index - 1] ?? 1) - 1)
      expect(steps.at(-1)).toBeLessThan(turns)
      expect(steps.at(-1)).toBeGreaterThan(turns * 0.8)
    }
    expect(batches.length).toBeLessThan(turns / 2)
    expect(batches.slice(0, 8)).toEqual(upTo(8))
    expect(batches.length).toBeGreaterThanOrEqual(16)
    expect(windows.length).toBeGreaterThanOrEqual(64)
    // The product is what a sweep may replay in a few seconds.
    const most = 1e8 / turns
    expect(batches.length * windows.length).toBeLessThan(most * 2.5)
    expect(batches.length * windows.length).toBeGreaterThan(most / 2)
  })

  test('is that of a sweep: every batch and window that can mask a result', () => {
    const prepared = preparedOf(toolTurns(30))
    const all = upTo(29)
    expect(sweepPrepared(prepared, UNCACHED)).toMatchObject({
      batches: [...all, 'auto'],
      windows: all,
    })
    // The requests that are replayed for each batch.
    expect([...sweepInSteps(prepared, UNCACHED, { batches: [1, 28] })]).toEqual([29 * 30, 2 * 30])
    // A larger batch masks nothing under any window.
    const before = replayPrepared(prepared, { windowTurns: 0, batchTurns: 1 }, UNCACHED).after
    expect(replayPrepared(prepared, { windowTurns: 1, batchTurns: 30 }, UNCACHED).after).toEqual(
      before,
    )
    expect(
      replayPrepared(prepared, { windowTurns: 1, batchTurns: 29 }, UNCACHED).after,
    ).not.toEqual(before)
  })
})

test('numbers are listed once, ascending and from 1 on', () => {
  expect(ascending([3, 0, -2, 1, 3, 10, 2])).toEqual([1, 2, 3, 10])
  expect(listedBatches([5, 8, 100])).toEqual([1, 2, 4, 5, 8, 16, 32, 100])
})

const lifetimeSeconds = 300

test('after an expiry, requests share what they would if the session began there', () => {
  forAll(150, [...ANY_REPLAY, fc.nat(30)], (messages, settings, rule, _, number) => {
    const { session: plain, sources: texts } = testSession(messages)
    if (rule.kind === 'none' || plain.requests.length === 0) return
    const from = number % plain.requests.length
    const terms = { prices: UNKNOWN_PRICES, rule: { ...rule, lifetimeSeconds } }
    const requests = plain.requests.map((request, index) => {
      return { ...request, sentAt: index < from ? 0 : 301_000 }
    })
    // The trigger is a length that a request reaches; the tail may reach it earlier.
    const untriggered = { ...settings, triggerTokens: 0 }
    const splits = (own: Session['requests']) =>
      replay({ ...plain, requests: own }, untriggered, texts, terms).requests.map(
        ({ after }) => after.split,
      )
    expect(splits(requests).slice(from)).toEqual(splits(requests.slice(from)))
  })
})

test('sweeps equal replays, whatever expires and whichever model answers', () => {
  const anyFact = fc.tuple(fc.nat(400), fc.constantFrom('a', 'b', undefined), fc.boolean())
  const anyFacts = fc.array(anyFact, { minLength: 40, maxLength: 40 })
  forAll(90, [anySessionMessages, anyRule, anyFacts], (messages, rule, facts) => {
    const { session: plain, sources: texts } = testSession(messages)
    let sentAt = 0
    const requests = plain.requests.map((request, index) => {
      const [gap, model, isHour] = facts[index % facts.length] as (typeof facts)[number]
      sentAt += gap * 1000
      const usage = { ...(session.requests[0]?.usage as Usage), model, cacheWriteTokens: 2 }
      return { ...request, sentAt, usage: { ...usage, cacheWriteHourTokens: isHour ? 2 : 0 } }
    })
    const tiers = [{ above: 150, price: 30 }]
    const input = { price: { base: 10, tiers }, origin: 'user' as const }
    const ofB = (hasHourWrites: boolean, changed: Partial<PriceSheet>) => ({
      ...{ model: 'b', hasHourWrites, prices: { ...PRICES, ...changed } },
    })
    const terms: CostTerms = {
      prices: { ...PRICES, input },
      rule: rule.kind === 'none' ? rule : { ...rule, lifetimeSeconds },
      variants: [ofB(false, { input: flatPrice(3) }), ofB(true, { cacheWrite: flatPrice(7) })],
    }
    const calibration = { headTokens: 77, slope: 1.3, requestTokens: 9, warmTokens: 40 }
    const one = prepareReplay({ ...plain, requests }, policy, texts, calibration)
    expectAsReplayed(one, terms, { batches: [1, 3] })
  })
})
