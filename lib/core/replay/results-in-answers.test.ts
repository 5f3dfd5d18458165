/** Answers that contain results, as of tools that a provider runs. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { flatPrices, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay, replayTotal } from './replay'
import { prefixTokensOf } from './sessions'
import { sweep, sweepPrepared } from './sweep'
import { expectAsReplayed, pointsOf } from './testing/expect-as-replayed'

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

  test('are read from the cache until one of their results is masked', () => {
    const turns = ['a', 'b', 'c', 'd', 'e'].flatMap((id) => [user, answer(id, [id])])
    const { session, sources } = testSession([...turns, user])
    const own = { ...policy, windowTurns: 2 }
    const { requests } = replay(session, own, sources, termsOf(undefined))
    const prefix = prefixTokensOf(session.counts.messages, session.counts.perRequest)
    const saved = (requests[3]?.before.tokens ?? 0) - (requests[3]?.after.tokens ?? 0)
    expect(requests.map(({ after }) => after.split.read)).toEqual([
      0,
      prefix[2],
      prefix[4],
      // The first answer is masked from here on, then the second one; what two requests had before that is a unit.
      prefix[1],
      prefix[1],
      (prefix[3] as number) - saved,
    ])
  })

  test('are read again if an id is used again and its results are sent again', () => {
    const turns = ['a', 'b', 'a', 'b', 'a'].flatMap((id) => [user, answer(id, [id])])
    const { session, sources } = testSession([...turns, user])
    const { requests } = replay(session, { ...policy, windowTurns: 1 }, sources, termsOf(undefined))
    const prefix = prefixTokensOf(session.counts.messages, session.counts.perRequest) as number[]
    const saved = (requests[2]?.before.tokens ?? 0) - (requests[2]?.after.tokens ?? 0)
    expect(requests.map(({ after }) => after.split.read)).toEqual([
      0,
      // The first answer as the model wrote it.
      prefix[2],
      // Now its result is masked, and later those of b and of a in turns: a request begins with the last but one.
      prefix[1],
      prefix[3],
      (prefix[5] as number) - saved,
      (prefix[7] as number) - saved,
    ])
  })

  test('count once a request sends them', () => {
    const turns = [
      user,
      answer('a', ['a']),
      user,
      answer('b', ['b']),
      user,
      answer('c', ['c', 'a']),
    ]
    const { session, sources } = testSession(turns)
    const swept = sweep(session, policy, sources, termsOf(undefined))
    expect(swept).toMatchObject({ sentResults: 2, maskableResults: 2 })
  })

  test('are swept as they are replayed', () => {
    let reads = 0
    const anyTurn = fc.record({ isAnswered: fc.boolean(), late: fc.nat(3), hasUser: fc.boolean() })
    forAll(
      250,
      [fc.array(anyTurn, { minLength: 3, maxLength: 14 }), fc.constantFrom(undefined, 100)],
      (turns, intervalTokens) => {
        const messages = turns.flatMap(({ isAnswered, late, hasUser }, turn) => {
          const ids = [...(isAnswered ? [`${turn}`] : []), ...(late > 0 ? [`${turn - late}`] : [])]
          return [...(hasUser ? [user] : []), answer(`${turn}`, ids)]
        })
        const { session, sources } = testSession([user, ...messages, user])
        const prepared = prepareReplay(session, policy, sources)
        const terms = { ...termsOf(intervalTokens), prices: flatPrices(1, 0.1, 1, 1) }
        const points = pointsOf(sweepPrepared(prepared, terms))
        expectAsReplayed(points, prepared, terms)
        for (const point of points) reads += replayTotal(prepared, point, terms).split.read
      },
    )
    expect(reads).toBeGreaterThan(0)
  })
})
