import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addToGroup } from '../../conversation/add-to-group'
import { DEFAULT_POLICY } from '../../policy/policy'
import { turnOf } from '../../testing/conversation-of'
import {
  anyLog,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  breakpointRule,
  flatPrices,
  prefixRule,
  readSession,
  testLog,
  testSession,
} from '../../testing/test-sessions'
import { forAll, testSize } from '../../testing/test-size'
import { type CacheFamily, cacheFamilyById } from '../cache-rules'
import { type PreparedReplay, prepareReplay } from '../prepare-replay'
import { priceTiers } from '../price-sheet'
import type { CacheRule } from '../prompt-cache'
import { replayPrepared, totalSide } from '../replay'
import type { RequestChanges } from '../request-changes'
import { createRequestPass } from '../request-pass'
import type { CostTerms } from '../request-terms'
import type { Session } from '../sessions'
import { preparedOf } from '../testing/expect-as-replayed'
import { toolTurns } from '../testing/tool-turns'
import { sessionLimit } from './session-limit'

const anyPrices = fc.oneof(
  fc.constant(flatPrices(1, 0.1, 1.25, 5)),
  fc.constant(flatPrices(1, 0.1, 1, 5)),
  fc.constant(flatPrices(1, 3, 0.5, 0)),
  fc.constant({
    ...flatPrices(1, 0.1, 1, 5),
    input: { price: { base: 1, tiers: [{ above: 200, price: 2 }] }, origin: 'user' as const },
  }),
)
const some = <Value>(value: fc.Arbitrary<Value>, weight = 1) =>
  fc.array(fc.option(value, { freq: weight + 1 }), { minLength: 12, maxLength: 12 })
/** What a session can have besides its messages: pauses, signed thinking, clearings, a head, and needed results. */
const anyFacts = fc.record({
  pauses: some(fc.integer({ min: 0, max: 20 }), 3),
  lifetimeSeconds: fc.constantFrom(undefined, undefined, 10),
  signed: fc.oneof(fc.constant([]), some(fc.constant(true))),
  cleared: fc.oneof(fc.constant([]), some(fc.integer({ min: 0, max: 40 }))),
  needed: some(fc.integer({ min: 0, max: 14 })),
  warmTokens: fc.constantFrom(undefined, 0, 30),
  readableHead: fc.constantFrom(undefined, undefined, 40),
})
type Facts = typeof anyFacts extends fc.Arbitrary<infer Value> ? Value : never

function withFacts(session: Session, facts: Facts): Session {
  const { conversation, requests } = session
  const at = <Value>(list: readonly Value[], index: number) => list[index % list.length]
  const signed = conversation.messages.flatMap(({ isAssistant }, message) =>
    isAssistant && at(facts.signed, message) ? [message] : [],
  )
  let now = 0
  return {
    ...session,
    ...(facts.warmTokens !== undefined && { warmTokens: facts.warmTokens }),
    readableHead: facts.readableHead,
    requests: requests.map((request, index) => {
      now += (at(facts.pauses, index) ?? 0) * 1000
      return { ...request, sentAt: at(facts.pauses, index) === null ? undefined : now }
    }),
    conversation: {
      ...conversation,
      results: conversation.results.map((result, index) => {
        const message = signed.find((one) => one > result.message)
        const turns = conversation.messages.filter(
          ({ turn }, before) => turn !== undefined && before < (message ?? 0),
        ).length
        const clearedAfter = at(facts.cleared, index)
        return {
          ...result,
          signed: message === undefined ? undefined : { message, turns },
          ...(typeof clearedAfter === 'number' && {
            clearedAt: result.message + 1 + clearedAfter,
          }),
        }
      }),
    },
  }
}

/** Requests in which some maskings begin, each from its own request on. */
function changesOf(prepared: PreparedReplay, begins: readonly number[]): RequestChanges {
  const { session, maskings, clearings } = prepared
  const { results } = session.conversation
  const state = new Int32Array(results.length)
  const changed = new Int32Array(results.length)
  const saved = new Float64Array(results.length)
  const savedOf = results.map(() => 0)
  return {
    messageOf: results.map(({ message }) => message),
    sentItems: session.requests.map(({ end }) => results.filter((one) => one.message < end).length),
    canReturn: false,
    first: 0,
    next: (request) => {
      let count = 0
      for (const [result, before] of state.entries()) {
        const isOn = (index: number) =>
          maskings[index]?.result === result && (begins[index] as number) <= request
        const masking = maskings.find((_, index) => isOn(index))
        const cleared = clearings.find((one) => one.result === result && one.from <= request)
        const now = masking !== undefined ? 1 : cleared !== undefined ? -1 : 0
        if (now === before) continue
        const tokens = (masking ?? cleared)?.savedTokens ?? 0
        state[result] = now
        changed[count] = result
        saved[count++] = tokens - (savedOf[result] as number)
        savedOf[result] = tokens
      }
      return count
    },
    changed,
    saved,
    state,
  }
}

/** The least cost over all sequences of moves, by replaying each; undefined if there are too many. */
function leastByReplay(
  prepared: PreparedReplay,
  windowTurns: number,
  terms: CostTerms,
  needed: ReadonlyMap<number, number>,
): number | undefined {
  const { maskings, session, firstTriggered } = prepared
  const { requests } = session
  const own = maskings.map(({ until }) => until === requests.length)
  const firstOf = maskings.map(({ turn, result }) =>
    requests.findIndex(
      ({ turnCount }, request) =>
        request >= firstTriggered &&
        turnCount - windowTurns > turn &&
        request > (needed.get(result) ?? -1),
    ),
  )
  /** By request: the sets of maskings that a move in it can begin. */
  const movesAt = requests.map((_, request) => {
    const newest = new Map<number, number[]>()
    const older = maskings.flatMap((masking, at) => {
      const first = firstOf[at] as number
      if (first === request) addToGroup(newest, masking.turn, at)
      return first !== -1 && first < request ? [at] : []
    })
    const turns = [...newest.keys()].sort((a, b) => a - b)
    if (turns.length === 0) return older.length === 0 ? [] : [older]
    const passed = (requests[request - 1]?.turnCount ?? 0) - windowTurns
    // A window can stop at a turn that has no masking, if it passes several turns in a request.
    if ((turns[0] as number) > passed) turns.unshift(-1)
    return turns.map((turn) => [
      ...older,
      ...[...newest].flatMap(([other, items]) => (other <= turn ? items : [])),
    ])
  })
  if (movesAt.reduce((product, moves) => product * (1 + moves.length), 1) > 20_000) return undefined
  let least = Number.POSITIVE_INFINITY
  const passedIn = maskings.map(() => -1)
  const tryFrom = (request: number): void => {
    if (request === requests.length) {
      const begins = maskings.map(({ from, by }, at) => {
        const begin = Math.max(passedIn[at] as number, from)
        return own[at] && passedIn[at] !== -1 && begin <= by ? begin : requests.length
      })
      const sums = createRequestPass(prepared, terms, changesOf(prepared, begins)).run()
      const { costs } = totalSide(priceTiers(terms.prices), sums)
      least = Math.min(least, costs.cached as number)
      return
    }
    tryFrom(request + 1)
    for (const move of movesAt[request] as number[][]) {
      const added = move.filter((at) => passedIn[at] === -1)
      if (added.length === 0) continue
      for (const at of added) passedIn[at] = request
      tryFrom(request + 1)
      for (const at of added) passedIn[at] = -1
    }
  }
  tryFrom(0)
  return least
}

const anyBatch = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.constant('auto' as const))
const anyCase = fc.record({
  source: fc.oneof(
    anySessionMessages.map((messages) => () => testSession(messages)),
    anyLog.map(
      ([messages, ends]) =>
        () =>
          testLog(messages, ends),
    ),
  ),
  policy: anySessionPolicy,
  windowTurns: fc.integer({ min: 1, max: 6 }),
  rule: anyRule,
  prices: anyPrices,
  facts: anyFacts,
})
type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never

function prepareCase({ source, policy, rule, prices, facts }: Case) {
  const { session: read, sources } = source()
  const session = withFacts(read, facts)
  const prepared = prepareReplay(session, policy, sources)
  const lasting: CacheRule =
    rule.kind === 'none' ? rule : { ...rule, lifetimeSeconds: facts.lifetimeSeconds }
  const needed = new Map(
    session.conversation.results.flatMap((_, result) => {
      const last = facts.needed[result % facts.needed.length]
      return typeof last === 'number' ? [[result, last] as const] : []
    }),
  )
  return { prepared, terms: { prices, rule: lasting }, needed }
}

describe('the limit of a session', () => {
  test('equals a replay of all sequences of moves', () => {
    forAll(testSize(400, 500), [anyCase], (one) => {
      const { prepared, terms, needed } = prepareCase(one)
      const { requests } = prepared.session
      fc.pre(requests.length <= 14 && one.windowTurns >= prepared.fixedFrom)
      for (const neededUntil of [new Map<number, number>(), needed]) {
        const least = leastByReplay(prepared, one.windowTurns, terms, neededUntil)
        fc.pre(least !== undefined)
        const limit = sessionLimit(prepared, one.windowTurns, terms, neededUntil)
        expect(limit?.cost).toBeCloseTo(least as number, 12)
      }
    })
  }, 300_000)

  test('no policy with the window costs less', () => {
    forAll(testSize(300, 5000), [anyCase, anyBatch], (one, batchTurns) => {
      const { prepared, terms } = prepareCase(one)
      const { windowTurns } = one
      const limit = sessionLimit(prepared, windowTurns, terms)
      expect(limit === undefined).toBe(windowTurns < prepared.fixedFrom)
      if (limit === undefined) return
      const { cached } = replayPrepared(prepared, { windowTurns, batchTurns }, terms).after.costs
      expect(limit.cost).toBeLessThanOrEqual((cached as number) + 1e-12)
      const before = replayPrepared(prepared, { windowTurns: 0, batchTurns: 1 }, terms).after.costs
        .cached
      expect(limit.cost).toBeLessThanOrEqual((before as number) + 1e-12)
    })
  }, 300_000)
})

describe('the limit equals a replay of all sequences of moves', () => {
  const none = Array(12).fill(null)
  const only = (at: number, value: unknown) => none.with(at, value)
  const facts = { lifetimeSeconds: undefined, warmTokens: undefined, readableHead: undefined }
  const expectLeast = (
    source: Case['source'],
    own: Partial<Facts>,
    rule: CacheRule = prefixRule(),
  ) => {
    const { prepared, terms, needed } = prepareCase({
      ...{ source, policy: DEFAULT_POLICY, windowTurns: 1, rule },
      prices: flatPrices(1, 0.1, 1.25, 5),
      facts: { ...facts, pauses: none, signed: [], cleared: [], needed: none, ...own },
    })
    const least = leastByReplay(prepared, 1, terms, needed)
    expect(sessionLimit(prepared, 1, terms, needed)?.cost).toBeCloseTo(least as number, 12)
    return prepared
  }

  test('where a result is cleared as soon as the answer that has it is sent', () => {
    const ran = (id: string) => {
      const outputs = [{ type: 'logs', logs: 'x'.repeat(900) }]
      const call = { type: 'code_interpreter_call', id, code: 'run()', outputs }
      return [{ type: 'message', role: 'user', content: 'go' }, call]
    }
    const items = [...['a', 'b', 'c', 'd'].flatMap(ran), ...ran('e').slice(0, 1)]
    const { clearings } = expectLeast(() => readSession(JSON.stringify(items)), {
      cleared: [0, null],
    })
    expect(clearings.map(({ from }) => from)).toEqual([1, 3])
  })

  test.each([
    ['the longest common prefix', prefixRule()],
    ['the entries of the last requests', breakpointRule()],
    ['units', { kind: 'units', intervalTokens: 1, minimumTokens: 0 }],
  ] as const)('where the cache has expired, of %s', (_, rule) => {
    const pauses = Array(12).fill(1).with(4, 20)
    const expiring = { pauses, lifetimeSeconds: 10 } as const
    const { maskings } = expectLeast(() => testSession(toolTurns(7)), expiring, rule)
    expect(maskings).toHaveLength(6)
  })

  test('where a result is cleared that was before signed thinking when a move came', () => {
    const { maskings, clearings } = expectLeast(() => testSession(toolTurns(7)), {
      signed: only(6, true),
      cleared: only(0, 10),
    })
    expect(maskings.map(({ by }) => by)).toEqual([2, 2, 6, 6, 6])
    expect(clearings.map(({ from }) => from)).toEqual([5])
  })
})

test('a move can stop at a turn that has nothing to mask', () => {
  const longTurns = [1, 4]
  const messages = Array.from({ length: 14 }, (_, turn) =>
    turnOf(`${turn}`, longTurns.includes(turn) ? 'x'.repeat(900) : 'short'),
  ).flat()
  const ends = [6, 9, 14].map((turns) => 2 * turns)
  const { session, sources } = testLog(messages, ends)
  const prepared = prepareReplay(session, { ...DEFAULT_POLICY, neverGrow: true }, sources)
  const rule: CacheRule = { kind: 'prefix', minimumTokens: 0, stepTokens: 1 }
  // Reads are dear, so the second request masks turn 1 and the third one turn 4.
  const terms = { prices: flatPrices(1, 3, 0.5, 0), rule }
  const { cached } = replayPrepared(prepared, { windowTurns: 4, batchTurns: 3 }, terms).after.costs
  expect(sessionLimit(prepared, 4, terms)).toEqual({ cost: cached, moves: [1, 2] })
  expect(sessionLimit(prepared, 0, terms)).toBeUndefined()
})

test('a long session with many ways is searched, and given up only if reads are dearer than writes', () => {
  const messages = Array.from({ length: 300 }, (_, turn) =>
    turnOf(`${turn}`, 'x'.repeat(900), `tool_${turn % 3}`),
  )
  const policy = { ...DEFAULT_POLICY, enabled: true }
  const prepared = preparedOf(messages.flat(), policy)
  const { rule } = cacheFamilyById('deepseek-4') as CacheFamily
  // Every fifth result is needed for a while longer than the window has it.
  const needed = new Map(
    messages.flatMap((_, turn) =>
      turn % 5 === 0 ? [[turn, turn + 20 + (turn % 70)] as const] : [],
    ),
  )
  const cheap = { prices: flatPrices(1, 0.1, 1, 5), rule }
  const costOf = (...more: [ReadonlyMap<number, number>?]) =>
    sessionLimit(prepared, 8, cheap, ...more)?.cost as number
  const before = replayPrepared(prepared, { windowTurns: 0, batchTurns: 1 }, cheap).after.costs
    .cached
  expect(costOf(needed)).toBeGreaterThan(costOf())
  expect(costOf(needed)).toBeLessThan(before as number)
  const dear = { prices: flatPrices(1, 3, 0.5, 0), rule }
  expect(sessionLimit(prepared, 8, dear, needed)).toBeUndefined()
  // Without prices nothing is dearer than anything else, so nothing would end such a search.
  const none = undefined
  const prices = { input: none, cachedRead: none, cacheWrite: none, output: none }
  for (const id of ['deepseek-4', 'openai-5', 'anthropic-1024']) {
    const { rule } = cacheFamilyById(id) as CacheFamily
    expect(sessionLimit(prepared, 8, { prices, rule })).toBeUndefined()
  }
})
