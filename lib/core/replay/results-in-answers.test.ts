/** Answers that contain results, as of tools that a provider runs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay, replayTotal } from './replay'
import { prefixTokensOf } from './sessions'
import { sweepPrepared } from './sweep'
import { expectAsReplayed, preparedOf } from './testing/expect-as-replayed'

describe('answers with results', () => {
  const answer = (id: string, resultIds: readonly string[]) => ({
    role: 'assistant',
    content: [
      { type: 'mcp_tool_use', id, name: 'find', server_name: 'docs', input: {} },
      ...resultIds.map((of) => ({
        type: 'mcp_tool_result',
        tool_use_id: of,
        content: [{ type: 'text', text: 'x'.repeat(900) }],
      })),
    ],
  })
  const user = { role: 'user', content: 'go on' }
  const policy = { ...DEFAULT_POLICY, enabled: true, textParts: true }
  const termsOf = (intervalTokens: number | undefined) => {
    const rule = { kind: 'units', minimumTokens: 0, intervalTokens } as const
    return { prices: UNKNOWN_PRICES, rule }
  }

  /** What each request reads, the tokens before each message, and what masking saves of the request. */
  function readsOf(ids: readonly string[], windowTurns: number, request: number) {
    const turns = ids.flatMap((id) => [user, answer(id, [id])])
    const { session, sources } = testSession([...turns, user])
    const own = { ...policy, windowTurns }
    const { requests } = replay(session, own, sources, termsOf(undefined))
    const { messages, perRequest } = session.counts
    const { before, after } = requests[request] as (typeof requests)[number]
    return {
      reads: requests.map((each) => each.after.split.read),
      prefix: prefixTokensOf(messages, perRequest) as number[],
      saved: before.tokens - after.tokens,
    }
  }

  test('are read from the cache until one of their results is masked', () => {
    const { reads, prefix, saved } = readsOf(['a', 'b', 'c', 'd', 'e'], 2, 3)
    // The first answer is masked from request 3 on, then the second one; what two requests had before that is a unit.
    const [, system, first, third = 0, second] = prefix
    expect(reads).toEqual([0, first, second, system, system, third - saved])
  })

  test('are read again if an id is used again and its results are sent again', () => {
    const { reads, prefix, saved } = readsOf(['a', 'b', 'a', 'b', 'a'], 1, 2)
    const [, one, two, three, , five = 0, , seven = 0] = prefix
    // The first answer as the model wrote it. Then its result is masked, and later those of b and of a in turns: a
    // request begins with the last but one.
    expect(reads).toEqual([0, two, one, three, five - saved, seven - saved])
  })

  test('count once a request sends them', () => {
    const answers = [answer('a', ['a']), answer('b', ['b']), answer('c', ['c', 'a'])]
    const messages = answers.flatMap((one) => [user, one])
    const swept = sweepPrepared(preparedOf(messages, policy), termsOf(undefined))
    expect(swept).toMatchObject({ sentResults: 2, maskableResults: 2 })
  })

  test('are swept as they are replayed', () => {
    let reads = 0
    const anyTurn = fc.record({ isAnswered: fc.boolean(), late: fc.nat(3), hasUser: fc.boolean() })
    const anyTurns = fc.array(anyTurn, { minLength: 3, maxLength: 14 })
    forAll(250, [anyTurns, fc.constantFrom(undefined, 100)], (turns, intervalTokens) => {
      const messages = turns.flatMap(({ isAnswered, late, hasUser }, turn) => {
        const ids = [...(isAnswered ? [`${turn}`] : []), ...(late > 0 ? [`${turn - late}`] : [])]
        return [...(hasUser ? [user] : []), answer(`${turn}`, ids)]
      })
      const prepared = preparedOf([user, ...messages, user], policy)
      const terms = { ...termsOf(intervalTokens), prices: flatPrices(1, 0.1, 1, 1) }
      for (const point of expectAsReplayed(prepared, terms))
        reads += replayTotal(prepared, point, terms).split.read
    })
    expect(reads).toBeGreaterThan(0)
  })
})
