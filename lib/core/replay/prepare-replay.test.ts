import { expect, test } from 'vitest'
import { DEFAULT_POLICY } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import { testSession } from '../testing/test-sessions'
import { prepareReplay } from './prepare-replay'

const { session, sources } = testSession([
  { role: 'user', content: 'begin' },
  ...turnOf('a', 'what the first one gave'),
  ...turnOf('b', 'Error: no such file'),
  ...turnOf('c', 'what the third one gave'),
])

test('a request is triggered from exactly as many tokens on', () => {
  const firstAt = (triggerTokens: number) =>
    prepareReplay(session, { ...DEFAULT_POLICY, triggerTokens }, sources).firstTriggered
  const { tokensBefore } = prepareReplay(session, DEFAULT_POLICY, sources)
  expect(tokensBefore).toHaveLength(4)
  for (const [request, tokens] of tokensBefore.entries()) {
    expect(firstAt(tokens)).toBe(request)
    expect(firstAt(tokens + 1)).toBe(request + 1)
  }
})

test('the results that can be masked are those that the policy does not keep at every age', () => {
  const maskable = (keepErrors: boolean) =>
    prepareReplay(session, { ...DEFAULT_POLICY, keepErrors }, sources).maskableResults
  expect(maskable(true)).toEqual([0, 2])
  expect(maskable(false)).toEqual([0, 1, 2])
})
