import fc from 'fast-check'
import { test } from 'vitest'
import { anyMessages } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const observation = (id: string, fields: object = {}) => ({
  id,
  traceId: 't',
  type: 'GENERATION',
  name: 'chat',
  startTime: '2026-11-22T09:00:00.000Z',
  parentObservationId: null,
  ...fields,
})

const generation = (id: string, input: unknown, fields: object = {}) =>
  observation(id, { input, ...fields })

test('any trace is masked at its results and their duplicates only, and masking it again changes nothing', () => {
  fc.assert(
    fc.property(anyMessages, fc.array(fc.nat(20), { maxLength: 3 }), (messages, ends) => {
      const tools = messages.flatMap(({ role, content }, index) =>
        role === 'tool' ? [observation(`tool ${index}`, { type: 'TOOL', output: content })] : [],
      )
      const requests = [...ends, messages.length].map((end, index) => {
        const input = messages.slice(0, Math.max(2, end))
        return generation(`${index}`, index % 2 === 0 ? JSON.stringify(input) : input)
      })
      expectStableMasking(JSON.stringify({ observations: [...tools, ...requests] }), 'langfuse')
    }),
    fuzz(100),
  )
})
