import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { breakEvenSteps } from '../policy/break-even'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import type { ChatMessage } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import {
  ANY_REPLAY,
  anyLog,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  breakpointRule,
  flatPrices,
  prefixRule,
  type TestSession,
  testLog,
  testSession,
  UNCACHED,
} from '../testing/test-sessions'
import { forAll, testSize } from '../testing/test-size'
import { decideRequest } from './decide-request'
import { type MaskWindow, type PreparedReplay, prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import type { CacheRule } from './prompt-cache'
import { moveCosts, replay, replayPrepared, sumSides } from './replay'
import type { CostTerms } from './request-terms'
import { outputTokens } from './sessions'
import { sideOf } from './testing/expect-as-replayed'
import {
  endsOf,
  isSame,
  parsed,
  referenceSplits,
  sentMessages,
  sharedOf,
  tokensOf,
} from './testing/reference-splits'
import { toolTurns } from './testing/tool-turns'

type Made<Any> = Any extends fc.Arbitrary<infer Value> ? Value : never

/** Checks a replay against the texts of its requests; returns these, masked as the agent would have, and the replay's. */
function expectAsSent(
  { session, sources }: TestSession,
  messages: readonly ChatMessage[],
  ends: readonly number[],
  policy: MaskPolicy,
  rule: CacheRule,
) {
  const { requests } = replay(session, policy, sources, { prices: UNKNOWN_PRICES, rule })
  const sent = sentMessages(parsed(messages), policy, [...ends])
  expect(requests.map(({ after }) => after.tokens)).toEqual(sent.map(tokensOf))
  const splits = referenceSplits(sent, parsed(messages), rule)
  expect(requests.map(({ after }) => after.split)).toEqual(splits)
  return { requests, sent }
}

/** The requests in which a window at break-even moves, by the rule itself. */
function windowMoves({ session, aging, cache }: PreparedReplay, windowTurns: number) {
  const { messages } = session.conversation
  return breakEvenSteps(messages, aging, windowTurns, cache).flatMap((step) => {
    const at = session.requests.findIndex(({ end }) => end === step.end)
    return step.isMove && at >= 0 ? [{ ...step, at }] : []
  })
}

const sidesOf = (prepared: PreparedReplay, window: MaskWindow, terms: CostTerms) =>
  replayPrepared(prepared, window, terms).requests.map(({ after }) => after.costs.cached as number)

describe('replay', () => {
  test('masks each request as Schema 1 does, and splits it as a comparison of all texts does', () => {
    let maskedRequests = 0
    forAll(400, [anySessionMessages, anySessionPolicy, anyRule], (messages, policy, rule) => {
      const made = testSession(messages)
      const ends = endsOf(parsed(messages))
      const plain = sentMessages(parsed(messages), DEFAULT_POLICY)
      const { requests, sent: masked } = expectAsSent(made, messages, ends, policy, rule)
      const splits = referenceSplits(plain, parsed(messages), rule)
      expect(requests.map(({ before }) => before.tokens)).toEqual(plain.map(tokensOf))
      expect(requests.map(({ before }) => before.split)).toEqual(splits)
      for (const [at, { firstChanged, maskedResults }] of requests.entries()) {
        const own = masked[at] as readonly ChatMessage[]
        const before = masked[at - 1]
        expect(firstChanged).toBe(before && sharedOf(before, own).length)
        const changed = own.filter((message, index) => !isSame(message, plain[at]?.[index]))
        expect(maskedResults).toBe(changed.length)
        if (maskedResults > 0) maskedRequests++
      }
    })
    expect(maskedRequests).toBeGreaterThan(testSize(0, 20))
  })

  test('says what each move at break-even cost and saved, together what the window saves', () => {
    let moved = 0
    const check = (messages: readonly ChatMessage[], policy: MaskPolicy, rule: CacheRule) => {
      const { session, sources } = testSession(messages)
      const prepared = prepareReplay(session, policy, sources)
      const terms = { prices: flatPrices(1, 0.1, 1.25, 5), rule }
      const window = { windowTurns: Math.max(1, policy.windowTurns), batchTurns: 'auto' as const }
      const costWith = (lastTurn: number) =>
        replayPrepared(prepared, { ...window, lastTurn }, terms).after.costs.cached as number
      const moves = moveCosts(prepared, window.windowTurns, terms) ?? []
      const together = moves.reduce((sum, { cost, saved }) => sum + saved - cost, 0)
      expect(together).toBeCloseTo(costWith(0) - costWith(Number.POSITIVE_INFINITY), 12)
      expect(moves.map(({ end }) => end)).toEqual(
        windowMoves(prepared, window.windowTurns).map(({ end }) => end),
      )
      const [first, second] = windowMoves(prepared, window.windowTurns)
      if (first === undefined) return
      moved++
      // Up to the second move, the first one alone is what the window does.
      const sides = (lastTurn: number) =>
        sidesOf(prepared, { ...window, lastTurn }, terms).slice(first.at, second?.at)
      const [cost = 0, ...later] = sides(first.firstKept).map(
        (paid, at) => paid - (sides(0)[at] as number),
      )
      // What it saves in its own request is no cost below 0.
      expect(moves[0]?.cost).toBeCloseTo(Math.max(0, cost), 12)
      const saved = later.reduce((sum, one) => sum - one, -Math.min(0, cost))
      if (second === undefined) expect(moves[0]?.saved).toBeCloseTo(saved, 12)
    }
    const surelyMoves: Parameters<typeof check> = [
      toolTurns(40) as ChatMessage[],
      DEFAULT_POLICY,
      prefixRule(),
    ]
    forAll(400, [anySessionMessages, anySessionPolicy, anyRule], check, {
      examples: [surelyMoves],
    })
    expect(moved).toBeGreaterThan(testSize(0, 20))
    const { session, sources } = testSession(toolTurns(40))
    const prepared = prepareReplay(session, DEFAULT_POLICY, sources)
    const unpriced = { prices: UNKNOWN_PRICES, rule: prefixRule() }
    expect(moveCosts(prepared, 4, unpriced)).toBeUndefined()
  })

  test('does the same for the requests of a log', () => {
    forAll(150, [anyLog, anySessionPolicy, anyRule], ([messages, ends], policy, rule) => {
      expectAsSent(testLog(messages, ends), messages, ends, policy, rule)
    })
  })

  test('follows results whose calls move to another turn or tool', () => {
    const anyId = fc.constantFrom('a', 'b', 'c')
    // The placeholder with the long name is longer than the short result.
    const anyName = fc.constantFrom('read', 'search in all files of the project', null)
    const anyResult = fc.record({
      tool_call_id: fc.option(anyId, { freq: 9 }),
      content: fc.constantFrom('x'.repeat(400), 'x'.repeat(20)),
    })
    const anyTurn = fc.record({
      calls: fc.array(fc.record({ id: anyId, name: anyName }), { minLength: 1, maxLength: 2 }),
      results: fc.array(anyResult, { maxLength: 3 }),
    })
    const anyOwnPolicy = fc.record({
      windowTurns: fc.integer({ min: 1, max: 3 }),
      keepLastKPerTool: fc.nat(3),
      triggerTokens: fc.constantFrom(0, 0, 300, 700),
      neverGrow: fc.boolean(),
      placeholderTemplate: fc.constantFrom('[{tool_call_id}]', '[{tool_name}]', '{tool_arguments}'),
    })
    const anyTurns = fc.array(anyTurn, { maxLength: 9, size: 'max' })
    // The id is used again in the first of two answers in a row, which a window of one turn has passed at once.
    const again = (['a', 'b', 'a', 'c'] as const).map((id, at) => ({
      calls: [{ id, name: 'read' as const }],
      results: at === 2 ? [] : [{ tool_call_id: id, content: 'x'.repeat(400) }],
    }))
    const noLimits = { windowTurns: 1, keepLastKPerTool: 0, triggerTokens: 0 as const }
    const examples: [Made<typeof anyTurns>, Made<typeof anyOwnPolicy>, boolean][] = [
      [again, { ...noLimits, neverGrow: false, placeholderTemplate: '[{tool_call_id}]' }, false],
    ]
    forAll(
      800,
      [anyTurns, anyOwnPolicy, fc.boolean()],
      (turns, settings, isLog) => {
        const policy = { ...DEFAULT_POLICY, enabled: true, ...settings }
        const messages = turns.flatMap(({ calls, results }, turn): ChatMessage[] => {
          const asked = { arguments: `{"turn":${turn}}` }
          const tool_calls = calls.map(({ id, name }) => ({ id, function: { ...asked, name } }))
          const answers = results.map((result) => ({ role: 'tool', ...result }))
          return [{ role: 'assistant', tool_calls }, ...answers]
        })
        const every = messages.flatMap(({ role }, at) => (role === 'tool' ? [at + 1] : []))
        const ends = isLog && every.length > 1 ? every : endsOf(messages)
        if (ends.length < 2) return
        const made = ends === every ? testLog(messages, ends) : testSession(messages)
        const { requests, sent } = expectAsSent(made, messages, ends, policy, prefixRule())
        for (const [at, own] of sent.entries()) {
          const decisions = decideRequest(made.session, at, policy, made.sources)
          expect(decisions).toHaveLength(own.filter(({ role }) => role === 'tool').length)
          const masked = decisions.filter(({ action }) => action === 'mask').length
          expect(requests[at]?.maskedResults).toBe(masked)
        }
      },
      { examples },
    )
  })

  test('compares requests of a log that all differ from the first one', () => {
    // Each request masks all results but its last one; of two ids, those of one and those of the other in turns.
    const ends = [8, 10, 12]
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const isReadOf = (ids: number, rule: CacheRule) => {
      const turns = Array.from({ length: 6 }, (_, at) => turnOf(`${at % ids}`, 'x'.repeat(900)))
      const messages = turns.flat() as unknown as ChatMessage[]
      const made = testLog(messages, ends)
      const { requests } = expectAsSent(made, messages, ends, policy, rule)
      return requests.map(({ after }) => after.split.read > 0)
    }
    const units = (intervalTokens: number | undefined) =>
      ({ kind: 'units', minimumTokens: 0, intervalTokens }) as const
    // What two requests share is a unit for the third one.
    expect(isReadOf(6, units(undefined))).toEqual([false, false, true])
    expect(isReadOf(6, units(16))).toEqual([false, true, true])
    expect(isReadOf(6, breakpointRule())).toEqual([false, false, false])
    expect(isReadOf(2, breakpointRule())).toEqual([false, false, true])
  })

  test('has totals that are the sums over the requests, with each token counted once', () => {
    forAll(150, ANY_REPLAY, (messages, policy, rule, prices) => {
      const { session, sources } = testSession(messages)
      const whole = replay(session, policy, sources, { prices, rule })
      for (const side of ['before', 'after'] as const) {
        const sides = whole.requests.map((request) => request[side])
        for (const { tokens, split } of [...sides, whole[side]])
          expect(split.read + split.written + split.fresh).toBe(tokens)
        for (const kind of ['plain', 'cached', 'output'] as const) {
          const costs = sides.map((one) => one.costs[kind] ?? Number.NaN)
          const added = costs.reduce((total, cost) => total + cost, 0)
          if (Number.isNaN(added)) expect(whole[side].costs[kind]).toBeUndefined()
          else expect(whole[side].costs[kind]).toBeCloseTo(added, 9)
        }
      }
    })
  })
})

test('a cost that is unknown for one session is unknown for the sum', () => {
  const known = sideOf({ plain: 5, cached: 1, output: 6 })
  const { costs } = sumSides([known, sideOf({ ...known.costs, cached: undefined }), known])
  expect(costs).toEqual({ plain: 15, cached: undefined, output: 18 })
})

test('the tokens of an answer are those charged where they are known, else those of its messages', () => {
  const answer = { role: 'assistant', content: 'eight characters and more' } as const
  const user = { role: 'user', content: 'a' } as const
  const { session } = testSession([user, answer, answer, user, answer, user])
  const counted = session.counts.messages[1] as number
  expect(outputTokens(session)).toEqual([2 * counted, counted, 0])
  expect(outputTokens({ ...session, chargedOutputs: [undefined, 7] })).toEqual([2 * counted, 7, 0])
})

test('a window at break-even keeps everything in a request of which the transcript has nothing', () => {
  const { session, sources } = testSession(toolTurns(4))
  const charged = { end: 0, turnCount: 0, answer: 0 }
  const requests = [charged, ...session.requests]
  const prepared = prepareReplay({ ...session, requests }, DEFAULT_POLICY, sources)
  const { tokens } = replayPrepared(
    prepared,
    { windowTurns: 1, batchTurns: 'auto' },
    UNCACHED,
  ).after
  expect(tokens).toBeGreaterThan(0)
})
