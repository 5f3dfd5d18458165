/** Replays and sweeps of sessions in which the cache expires between two requests. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Usage } from '../conversation/usage'
import { DEFAULT_POLICY } from '../policy/policy'
import {
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  flatPrices,
  testSession,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay } from './replay'
import type { CostTerms } from './request-terms'
import type { Session } from './sessions'
import { sweepPrepared } from './sweep'
import { PRICES, policy, price, session } from './testing/eight-requests'
import { expectAsReplayed, pointsOf } from './testing/expect-as-replayed'
import { toolTurns } from './testing/tool-turns'

const lifetimeSeconds = 300
const NO_LOOK_BACK = { lookBack: undefined, isHeadMarked: false } as const

describe('time', () => {
  /** The requests from this one on come after all entries have expired. */
  const cold = (requests: Session['requests'], from: number) =>
    requests.map((request, index) => ({ ...request, sentAt: index < from ? 0 : 301_000 }))

  test('after an expiry, requests share what they would if the session began there', () => {
    forAll(
      150,
      [anySessionMessages, anySessionPolicy, anyRule, fc.nat(30)],
      (messages, settings, rule, number) => {
        const { session: plain, sources: texts } = testSession(messages)
        if (rule.kind === 'none' || plain.requests.length === 0) return
        const from = number % plain.requests.length
        const terms = { prices: UNKNOWN_PRICES, rule: { ...rule, lifetimeSeconds } }
        const timed = { ...plain, requests: cold(plain.requests, from) }
        const tail = { ...plain, requests: timed.requests.slice(from) }
        // The trigger is a length that a request reaches; the tail may reach it earlier.
        const untriggered = { ...settings, triggerTokens: 0 }
        const splits = (one: Session) =>
          replay(one, untriggered, texts, terms).requests.map(({ after }) => after.split)
        expect(splits(timed).slice(from)).toEqual(splits(tail))
      },
    )
  }, 60_000)

  test('sweeps equal replays wherever the cache expires', () => {
    const { session: plain, sources: texts } = testSession(toolTurns(13))
    for (const from of plain.requests.keys()) {
      const timed = { ...plain, requests: cold(plain.requests, from) }
      const prepared = prepareReplay(timed, DEFAULT_POLICY, texts)
      for (const rule of [
        { kind: 'prefix', minimumTokens: 64, stepTokens: 16 },
        { kind: 'breakpoint', minimumTokens: 64, stepTokens: 1, ...NO_LOOK_BACK },
        { kind: 'units', minimumTokens: 0, intervalTokens: 500 },
      ] as const) {
        const terms = { prices: flatPrices(1, 0.1, 1.25, 1), rule: { ...rule, lifetimeSeconds } }
        const swept = sweepPrepared(prepared, terms, { batches: [1, 3, 4] })
        expectAsReplayed(pointsOf(swept), prepared, terms)
      }
    }
  })

  test('sweeps equal replays, whatever expires and whichever model answers', () => {
    forAll(
      60,
      [
        anySessionMessages,
        anyRule,
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('a', 'b', undefined), fc.boolean()), {
          minLength: 40,
          maxLength: 40,
        }),
      ],
      (messages, rule, facts) => {
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
        const terms: CostTerms = {
          prices: { ...PRICES, input },
          rule: rule.kind === 'none' ? rule : { ...rule, lifetimeSeconds },
          variants: [
            { model: 'b', hasHourWrites: false, prices: { ...PRICES, input: price(3) } },
            { model: 'b', hasHourWrites: true, prices: { ...PRICES, cacheWrite: price(7) } },
          ],
        }
        const one = prepareReplay({ ...plain, requests }, policy, texts, {
          headTokens: 77,
          slope: 1.3,
          requestTokens: 9,
          warmTokens: 40,
        })
        expectAsReplayed(pointsOf(sweepPrepared(one, terms, { batches: [1, 3] })), one, terms)
      },
    )
  }, 60_000)
})
