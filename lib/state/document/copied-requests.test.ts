import { expect, test } from 'vitest'
import { copiedRequestsIn } from './pasted-document'

const PART = 1_000_000
const ANSWER = '{"choices":[{"index":0,"delta":{"content":"hi"}}],"object":"chat.completion.chunk"}'
const sourceOf = (text: string) =>
  ({ id: 1, document: 1, text, name: 'a', origin: { kind: 'file' } }) as const

test('a long text of JSON is no copied request', async () => {
  const text = `[${'{"content": "data: 1"},\n'.repeat(200_000)}{}]`
  expect(await copiedRequestsIn(sourceOf(text))).toBeUndefined()
})

test.each([-6, -3, -1, 0, 1])(
  'streamed events are found after long JSON, %i units from a part',
  async (at) => {
    const request = JSON.stringify({ messages: [{ role: 'user', content: 'x'.repeat(5 * PART) }] })
    const text = `${request.padEnd(6 * PART + at)}\ndata: ${ANSWER}\n\ndata: [DONE]\n`
    const found = { kind: 'streamed_answer', count: 1 }
    expect(await copiedRequestsIn(sourceOf(text))).toMatchObject(found)
  },
)
