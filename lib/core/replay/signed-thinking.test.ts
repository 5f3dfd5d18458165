import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import { decideConversation } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { readSession } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { decideRequest } from './decide-request'
import { prepareReplay } from './prepare-replay'
import { UNKNOWN_PRICES } from './price-sheet'
import { replay } from './replay'

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

function messagesOf(turns: readonly Turn[]) {
  const thinking = { type: 'thinking', thinking: 'Next.', signature: 'c2lnbmVk' }
  return [
    { role: 'user', content: 'go' },
    ...turns.flatMap(({ isSigned, name, content, isAsked }, at) => [
      {
        role: 'assistant',
        content: [
          ...(isSigned ? [thinking] : []),
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
