/** Sessions with all that the limit of a session looks at, and that limit by trying everything. */
import fc from 'fast-check'
import { addToGroup } from '../../conversation/add-to-group'
import {
  anyLog,
  anyRule,
  anySessionMessages,
  anySessionPolicy,
  flatPrices,
  testLog,
  testSession,
} from '../../testing/test-sessions'
import { type PreparedReplay, prepareReplay } from '../prepare-replay'
import { priceTiers } from '../price-sheet'
import type { CacheRule } from '../prompt-cache'
import { totalSide } from '../replay'
import type { RequestChanges } from '../request-changes'
import { createRequestPass } from '../request-pass'
import type { CostTerms } from '../request-terms'
import type { Session } from '../sessions'

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
export type Facts = typeof anyFacts extends fc.Arbitrary<infer Value> ? Value : never

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
export function leastByReplay(
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

export const anyCase = fc.record({
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
export type Case = typeof anyCase extends fc.Arbitrary<infer Value> ? Value : never

export function prepareCase({ source, policy, rule, prices, facts }: Case) {
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
