/** Replays and sweeps of sessions in which the cache expires between two requests. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Usage } from '../conversation/usage'
import {
  ANY_REPLAY,
  anyRule,
  anySessionMessages,
  flatPrice,
  testSession,
} from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { type PriceSheet, UNKNOWN_PRICES } from './price-sheet'
import { replay } from './replay'
import type { CostTerms } from './request-terms'
import type { Session } from './sessions'
import { PRICES, policy, session } from './testing/eight-requests'
import { expectAsReplayed } from './testing/expect-as-replayed'

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
