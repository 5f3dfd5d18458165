import { describe, expect, test } from 'vitest'
import type { Usage } from '../conversation/conversation'
import { failureOf } from '../loop/call-result'
import { DEFAULT_POLICY } from '../policy/policy'
import type { ChatMessage } from '../testing/chat-messages'
import { countQuarters } from '../testing/policies'
import { flatPrices, prefixRule, UNCACHED } from '../testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { usageWith } from '../testing/usage-with'
import type { CacheRule } from './prompt-cache'
import { replaceResultTokens, withHead } from './replace-result-tokens'
import { replayPrepared } from './replay'
import { hasHourWrites, type PriceVariant, requestTermsOf } from './request-terms'
import { preparedOf } from './testing/expect-as-replayed'

const HOUR_WRITES = { cacheWriteTokens: 100, cacheWriteHourTokens: 100 }

/** Requests with some members of their usage, `undefined` for one without usage, sent at these seconds. */
const requestsOf = (usages: readonly (Partial<Usage> | undefined)[], ...seconds: number[]) =>
  usages.map((usage, index) => ({
    ...{ end: index + 1, turnCount: 0, answer: undefined },
    usage: usage && usageWith(usage),
    sentAt: seconds.length === 0 ? undefined : (seconds[index] as number) * 1000,
  }))

const variant = (model: string | undefined, hasHours: boolean): PriceVariant => ({
  ...{ model, hasHourWrites: hasHours, prices: flatPrices(1, 1, 1, 1) },
})

const lasting = (lifetimeSeconds: number): CacheRule => ({ ...prefixRule(), lifetimeSeconds })

describe('the cache', () => {
  test('expires if a request comes later than its lifetime after the one before', () => {
    const requests = requestsOf([{}, {}, {}, {}], 0, 300, 601, 700)
    const { startsCold, lastCold } = requestTermsOf(requests, lasting(300))
    expect([...startsCold]).toEqual([0, 0, 1, 0])
    // By number of requests.
    expect([...lastCold]).toEqual([0, 0, 0, 2, 2])
  })

  test('lives for an hour after a request that writes for an hour, if these have prices', () => {
    const requests = requestsOf([HOUR_WRITES, {}, {}, {}], 0, 3600, 3901, 9000)
    const cold = (rule: CacheRule, ...variants: readonly PriceVariant[]) => [
      ...requestTermsOf(requests, rule, variants).startsCold,
    ]
    expect(cold(lasting(300), variant(undefined, true))).toEqual([0, 0, 1, 1])
    expect(cold(lasting(300))).toEqual([0, 1, 1, 1])
    // Nothing is known of the entries that the second request writes.
    expect(cold(prefixRule(), variant(undefined, true))).toEqual([0, 0, 0, 0])
  })

  test('is empty after a change of model, if models have prices of their own', () => {
    const [a, b] = [{ model: 'a' }, { model: 'b' }]
    const requests = requestsOf([a, b, undefined, {}, b, a])
    const cold = (...variants: readonly PriceVariant[]) => [
      ...requestTermsOf(requests, prefixRule(), variants).startsCold,
    ]
    expect(cold(variant('b', false))).toEqual([0, 1, 0, 0, 0, 1])
    expect(cold(variant(undefined, true), variant('b', false))).toEqual([0, 1, 0, 0, 0, 1])
    expect(cold(variant(undefined, true))).toEqual([0, 0, 0, 0, 0, 0])
    expect(cold()).toEqual([0, 0, 0, 0, 0, 0])
  })
})

describe('the prices of a request', () => {
  test('are those of its model and of the lifetime that it writes for', () => {
    const [a, b] = [{ model: 'a' }, { model: 'b' }]
    const both = [b, a].map((model) => ({ ...model, ...HOUR_WRITES }))
    const requests = requestsOf([a, b, ...both, undefined])
    const classes = (...variants: readonly PriceVariant[]) =>
      requestTermsOf(requests, prefixRule(), variants).priceClass.join()
    const own = [variant('b', false), variant('b', true), variant(undefined, true)]
    expect([classes(...own), classes()]).toEqual(['0,1,2,3,0', '0,0,0,0,0'])
  })

  test('are those of an hour if half of what it writes lives for an hour', () => {
    const of = (cacheWriteHourTokens: number | undefined, cacheWriteTokens: number | undefined) =>
      hasHourWrites(usageWith({ cacheWriteHourTokens, cacheWriteTokens }))
    expect([of(50, 100), of(49, 100), of(1, undefined)]).toEqual([true, false, true])
    expect([of(5, 10), of(5, 11), of(5, undefined)]).toEqual([true, false, true])
    expect([of(0, 0), of(0, undefined), of(undefined, 0), of(undefined, 9)]).not.toContain(true)
  })
})

const REFUSAL = failureOf({ id: 'a', name: 'f' }, 'ANTI_LOOP_ID', 'Run before.').content
const REPLACED: readonly number[] = [0, 5, 6, 40, 148]
const tokens = new Map(REPLACED.map((at) => [at, countQuarters(REFUSAL)]))

/** The messages of the sample, and those with refusals in place of some results. */
const sample = SAMPLE_FILES.find(({ name }) => name === 'coding-session.json')
const { messages: original } = JSON.parse(readTranscript(sample as NonNullable<typeof sample>)) as {
  messages: ChatMessage[]
}
let result = 0
const isReplaced = ({ role }: ChatMessage) => role === 'tool' && REPLACED.includes(result++)
const replaced = original.map((one) => (isReplaced(one) ? { ...one, content: REFUSAL } : one))

const prepare = (messages: readonly ChatMessage[], triggerTokens: number) =>
  preparedOf(messages, { ...DEFAULT_POLICY, enabled: true, triggerTokens })
const totals = ({ requests }: ReturnType<typeof replayPrepared>) =>
  requests.map((request) => [request.before.tokens, request.after.tokens])

describe('the replay with other contents in place of results', () => {
  test.each([
    [8, 1, 0],
    [3, 4, 0],
    [0, 1, 0],
    [8, 1, 15_000],
    // No request is as long as the trigger.
    [8, 1, 10_000_000],
  ])('is as read with it: window %i, batch %i, trigger %i', (windowTurns, batchTurns, trigger) => {
    const window = { windowTurns, batchTurns }
    const before = prepare(original, trigger)
    const guarded = replayPrepared(replaceResultTokens(before, tokens, trigger), window, UNCACHED)
    const read = replayPrepared(prepare(replaced, trigger), window, UNCACHED)
    expect(totals(guarded)).toEqual(totals(read))
    expect(totals(guarded)).not.toEqual(totals(replayPrepared(before, window, UNCACHED)))
    const isMasking = windowTurns > 0 && trigger < 10_000_000
    expect(guarded.requests.some(({ maskedResults }) => maskedResults > 0)).toBe(isMasking)
  })

  test('masks in a request that is exactly as long as the trigger', () => {
    const { session, prefixTokens } = prepare(replaced, 0)
    const exact = prefixTokens[session.requests[40]?.end as number] as number
    const prepared = replaceResultTokens(prepare(original, exact), tokens, exact)
    const { requests } = replayPrepared(prepared, { windowTurns: 3, batchTurns: 1 }, UNCACHED)
    expect(requests.findIndex(({ maskedResults }) => maskedResults > 0)).toBe(40)
  })
  test('has as many tokens more in every request as its head is longer', () => {
    const before = prepare(original, 0)
    const window = { windowTurns: 3, batchTurns: 1 }
    const longer = totals(replayPrepared(withHead(before, 100), window, UNCACHED))
    const own = totals(replayPrepared(before, window, UNCACHED))
    expect(longer).toEqual(own.map((pair) => pair.map((one) => one + 100)))
  })
})
