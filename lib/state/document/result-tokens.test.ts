import { expect, test } from 'vitest'
import { conversationOf, turnOf } from '@/lib/core/testing/conversation-of'
import { placeholderTokensOf } from '../policy/policy-view'
import { openedMessages } from '../testing/three-turns'
import { messageTokensOf, resultTokensOf } from './message-facts'
import { resultRowsOf } from './result-table'

const LONG = 'a line of output\n'.repeat(20)
const MESSAGES = [
  ...turnOf('call_1', LONG, 'read'),
  ...turnOf('call_2', 'ok', 'search'),
  ...turnOf('call_3', LONG, 'read'),
]

test('all views give a result the same tokens', async () => {
  const { store } = await openedMessages(MESSAGES)
  const state = store.getState()
  const { results } = conversationOf(MESSAGES)
  const tokens = messageTokensOf(state)
  for (const [at, { message }] of results.entries()) {
    const one = resultTokensOf(state, 0, at)
    expect(one?.isEstimated).toBe(false)
    expect(resultRowsOf(state)?.[at]?.tokens).toEqual(one)
    expect([tokens?.before[message], tokens?.after[message]]).toEqual([one?.before, one?.after])
  }
  expect(resultTokensOf(state, 0, 0)?.after).toBe(placeholderTokensOf(state)?.[0]?.[0])
})
