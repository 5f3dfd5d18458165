import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import { decideConversation } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { flatPrices, readSession, testSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { decideRequest } from './decide-request'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay, replayPrepared } from './replay'
import { prefixTokensOf } from './sessions'
import { sweepPrepared } from './sweep'
import { expectAsReplayed, preparedOf } from './testing/expect-as-replayed'

const TERMS = { prices: UNKNOWN_PRICES, rule: { kind: 'none' } } as const
const LONG = 'a line of a file '.repeat(20)

/** By turn: whether its answer has signed thinking, the tool, the result, and whether the user writes after it. */
const anyTurn = fc.record({
  isSigned: fc.boolean(),
  name: fc.constantFrom('read', 'search'),
  content: fc.constantFrom(LONG, 'short', 'Error: no such file'),
  isAsked: fc.boolean(),
})
type Turn = typeof anyTurn extends fc.Arbitrary<infer Value> ? Value : never

const THINKING = { type: 'thinking', thinking: 'Next.', signature: 'c2lnbmVk' }

function messagesOf(turns: readonly Turn[]) {
  return [
    { role: 'user', content: 'go' },
    ...turns.flatMap(({ isSigned, name, content, isAsked }, at) => [
      {
        role: 'assistant',
        content: [
          ...(isSigned ? [THINKING] : []),
          { type: 'tool_use', id: `t${at}`, name, input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: `t${at}`, content },
          ...(isAsked ? [{ type: 'text', text: 'and now?' }] : []),
        ],
      },
    ]),
  ]
}
const bodyOf = (messages: readonly object[], model = 'claude-opus-5-5') =>
  JSON.stringify({ model, max_tokens: 9, messages })

const readConversation = (text: string) => readDocument(text).conversations[0] as ReadConversation

const anyTurns = fc.array(anyTurn, { minLength: 1, maxLength: 9, size: 'max' })

test('a result stays as it was when signed thinking after it was written', () => {
  forAll(300, [anyTurns, anyActivePolicy], (turns, some) => {
    const policy = { ...some, beforeSignedThinking: 'keep' as const }
    const messages = messagesOf(turns)
    const { session, sources } = readSession(bodyOf(messages))
    const { requests } = session
    const sent = requests.map((_, at) => decideRequest(session, at, policy, sources))
    const { requests: replayed } = replay(session, policy, sources, TERMS)
    for (const [at, { end, answer }] of requests.entries()) {
      const own = sent[at] as (typeof sent)[number]
      const read = readConversation(bodyOf(messages.slice(0, end)))
      expect(own).toEqual(decideConversation(read, policy, countQuarters))
      const saved = own.reduce((total, { placeholder }, result) => {
        const tokens = session.counts.results[result] as number
        return placeholder === undefined ? total : total + tokens - countQuarters(placeholder)
      }, 0)
      const { before, after } = replayed[at] as (typeof replayed)[number]
      expect(before.tokens - after.tokens).toBe(saved)
      if (answer === undefined || !turns[(answer - 1) / 2]?.isSigned) continue
      for (const later of sent.slice(at + 1))
        expect(later.slice(0, own.length).map(({ placeholder }) => placeholder)).toEqual(
          own.map(({ placeholder }) => placeholder),
        )
    }
    const { maskableResults } = prepareReplay(session, policy, sources)
    for (const [result, { placeholder }] of (sent.at(-1) ?? []).entries())
      if (placeholder !== undefined) expect(maskableResults).toContain(result)
  })
})

test('what stands before signed thinking that the first recorded request has is never masked', () => {
  const turn = { isSigned: true, name: 'read', content: LONG, isAsked: false } as const
  const messages = messagesOf([turn, turn, turn, turn])
  const log = [7, 9].map((end) => bodyOf(messages.slice(0, end))).join('\n')
  const { session, sources } = readSession(log)
  expect(session.requests.map(({ end }) => end)).toEqual([7, 9])
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const { maskings, maskableResults } = prepareReplay(session, policy, sources)
  expect([maskings, maskableResults.filter((result) => result < 3)]).toEqual([[], []])
})

test('other models, and the opt-in, mask what stands before signed thinking', () => {
  const turn = { isSigned: true, name: 'read' as const, content: LONG, isAsked: false }
  const messages = messagesOf([turn, { ...turn, isSigned: false }, turn])
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const reasons = (model: string, change = {}) => {
    const read = readConversation(bodyOf(messages, model))
    return decideConversation(read, { ...policy, ...change }, undefined).map(({ reason }) => reason)
  }
  // The request that the last thinking answered had the first result masked.
  const kept = ['masked', 'before_signed_thinking', 'in_window']
  expect(reasons('claude-opus-5-5')).toEqual(kept)
  expect(reasons('claude-opus-4-6')).toEqual(['masked', 'masked', 'in_window'])
  expect(reasons('claude-opus-5-5', { beforeSignedThinking: 'mask' })[1]).toBe('masked')
})

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
        reads += replayPrepared(prepared, point, terms).after.split.read
    })
    expect(reads).toBeGreaterThan(0)
  })
})

test.each([
  // The last of each tool was kept when the thinking was signed, and a tool without a name has none.
  ['last results', { keepLastKPerTool: 1 }, [], 'masked signed masked signed window'],
  ['short requests', { triggerTokens: 600 }, [], 'signed signed signed signed window'],
  ['a last answer', { keepLastKPerTool: 1 }, [-1], 'masked signed masked masked window'],
])('%s are those of the request that the thinking answered', (_, change, last, expected) => {
  const turn = { isSigned: false, name: 'read' as const, content: LONG, isAsked: false }
  const turns = ['read', 'search', 7, 'read', 'read'].map((name, at) => ({
    ...turn,
    name: name as 'read',
    isSigned: last.length === 0 && at === 4,
    content: LONG.repeat(at === 4 ? 9 : 1),
  }))
  const signed = { role: 'assistant', content: [THINKING, { type: 'text', text: 'done' }] }
  const read = readConversation(bodyOf([...messagesOf(turns), ...last.map(() => signed)]))
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, ...change }
  const words = { before_signed_thinking: 'signed', in_window: 'window' }
  const reasons = decideConversation(read, policy, countQuarters).map(
    ({ reason }) => (words as Record<string, string>)[reason] ?? reason,
  )
  expect(reasons.join(' ')).toBe(expected)
})
