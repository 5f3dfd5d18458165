import fc from 'fast-check'
import { test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const TEXT = 'what the tool gave, a long line'

const text = (content: string) => ({ type: 'text', content })

const turn = (id: string, response: unknown = TEXT) => [
  {
    role: 'assistant',
    parts: [text('I look.'), { type: 'tool_call', id, name: 'read', arguments: { path: 'a' } }],
  },
  { role: 'tool', parts: [{ type: 'tool_call_response', id, response }] },
]

const span = (id: string, attributes: unknown, fields: object = {}) => ({
  name: 'chat',
  traceId: 't',
  spanId: id,
  startTimeUnixNano: '1000',
  attributes,
  ...fields,
})

const input = (messages: unknown, rest: object = {}) => ({
  'gen_ai.input.messages': messages,
  ...rest,
})

/** A value in the types of OTLP. */
function typed(value: unknown): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(typed) } }
  if (typeof value === 'object' && value !== null) return { kvlistValue: { values: keyed(value) } }
  return typeof value === 'string' ? { stringValue: value } : { intValue: String(value) }
}

function keyed(value: object) {
  return Object.entries(value).map(([key, member]) => ({ key, value: typed(member) }))
}

const otlp = (...spans: unknown[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

test('any spans are masked at results and their duplicates only, and masking them again changes nothing', () => {
  const anyResponse = fc.oneof(anyText, fc.record({ out: anyText, err: anyText }))
  const anyWriting = fc.constantFrom<(attributes: object) => unknown>(
    (attributes) => attributes,
    keyed,
  )
  fc.assert(
    fc.property(
      fc.array(anyResponse, { minLength: 1, maxLength: 5 }),
      anyWriting,
      fc.boolean(),
      (responses, write, isString) => {
        const messages = responses.flatMap((response, index) => turn(`call_${index}`, response))
        const requests = responses.map((_, index) => {
          const sent = messages.slice(0, index * 2 + 2)
          return span(`${index}`, write(input(isString ? JSON.stringify(sent) : sent)))
        })
        const tools = responses.map((response, index) =>
          span(`tool ${index}`, write({ 'gen_ai.tool.call.result': response })),
        )
        expectStableMasking(JSON.stringify(otlp(...requests, ...tools)), 'opentelemetry')
      },
    ),
    fuzz(100),
  )
})
