import { expect, test } from 'vitest'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { turnOf } from '../testing/conversation-of'
import { preparedOf } from './testing/expect-as-replayed'

const MESSAGES = [
  { role: 'user', content: 'begin' },
  ...turnOf('a', 'what the first one gave'),
  ...turnOf('b', 'Error: no such file'),
  ...turnOf('c', 'what the third one gave'),
]
const prepare = (settings: Partial<MaskPolicy> = {}) =>
  preparedOf(MESSAGES, { ...DEFAULT_POLICY, ...settings })

test('a request is triggered from exactly as many tokens on', () => {
  const { tokensBefore } = prepare()
  expect(tokensBefore).toHaveLength(4)
  for (const [request, triggerTokens] of tokensBefore.entries()) {
    expect(prepare({ triggerTokens }).firstTriggered).toBe(request)
    expect(prepare({ triggerTokens: triggerTokens + 1 }).firstTriggered).toBe(request + 1)
  }
})

test('the results that can be masked are those that the policy does not keep at every age', () => {
  expect(prepare({ keepErrors: true }).maskableResults).toEqual([0, 2])
  expect(prepare({ keepErrors: false }).maskableResults).toEqual([0, 1, 2])
})
