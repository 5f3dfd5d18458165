import fc from 'fast-check'
import { test } from 'vitest'
import { anyMessages, anyText, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const step = (action: string, observation: string, rest: object = {}) => ({
  action,
  observation,
  response: 'I look.',
  thought: 'I look.',
  ...rest,
})

test('any trajectory is masked at its results only, and masking it again changes nothing', () => {
  const mark = (message: ChatMessage) => ({
    ...message,
    agent: 'main',
    message_type: message.role === 'assistant' ? 'action' : 'observation',
    ...(message.role === 'tool' && { tool_call_ids: [message.tool_call_id] }),
    ...(message.role === 'assistant' && { action: 'ls', thought: '' }),
  })
  const anyStep = fc.record({
    observation: anyText,
    length: fc.nat(14),
    key: fc.constantFrom('query', 'messages'),
  })
  fc.assert(
    fc.property(anyMessages, fc.array(anyStep, { maxLength: 4 }), (messages, steps) => {
      const history = messages.map(mark)
      const trajectory = steps.map(({ observation, length, key }) =>
        step('ls', observation, { [key]: history.slice(0, length) }),
      )
      expectStableMasking(JSON.stringify({ trajectory, history }), 'swe-agent')
      expectStableMasking(JSON.stringify(history), 'swe-agent')
    }),
    fuzz(100),
  )
})
