import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'

import { expectMaskedOnly } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const MASK_ALL: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

const call = (id: string, name = 'read') => ({ toolUse: { toolUseId: id, name, input: { a: 1 } } })
const result = (id: string, content: unknown, more: object = {}) => ({
  toolResult: { toolUseId: id, content, ...more },
})
const turn = (id: string, content: unknown, more: object = {}) => [
  { role: 'assistant', content: [{ text: 'I read.' }, call(id)] },
  { role: 'user', content: [result(id, content, more)] },
]
const GO = { role: 'user', content: [{ text: 'go' }] }

function read(messages: readonly unknown[], beside: object = {}) {
  const text = JSON.stringify({ ...beside, messages })
  const document = readDocument(text)
  expect(document.format.id).toBe('bedrock-converse')
  const [conversation] = document.conversations
  if (conversation === undefined) throw new Error('no conversation')
  return { ...conversation, text, document, problems: document.problems }
}

describe('recognition', () => {
  const messages = [GO, ...turn('a', [{ text: 'x' }])]
  const lines = (values: readonly unknown[]) =>
    values.map((value) => JSON.stringify(value)).join('\n')

  test.each([
    ['an array of messages', JSON.stringify(messages), 'message_array', 1],
    [
      'a request body',
      JSON.stringify({ modelId: 'amazon.nova-pro-v1:0', messages }),
      'request_body',
      1,
    ],
    ['lines of messages', lines(messages), 'message_lines', 1],
    [
      'a log whose first request has no call yet',
      lines([{ messages: [GO] }, { messages }]),
      'body_lines',
      2,
    ],
  ])('%s', (_, text, shape, lists) => {
    const { format, evidence, conversations, problems } = readDocument(text)
    expect([format.id, evidence.shape, evidence.lists]).toEqual(['bedrock-converse', shape, lists])
    expect(evidence.marks).toEqual(['toolUse', 'toolResult'])
    expect(problems).toEqual([])
    expect(conversations.at(-1)).toMatchObject({ turnCount: 1, results: [{ turn: 0 }] })
  })

  test.each([
    ['openai-chat', [{ role: 'user', content: [{ text: 'go' }] }]],
    ['openai-chat', [{ role: 'user', content: 'a toolUse and a toolResult' }]],
    [
      'anthropic-messages',
      [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'toolUse', input: {} }] }],
    ],
    ['gemini', [{ role: 'model', parts: [{ functionCall: { name: 'toolUse', args: {} } }] }]],
  ])('a similar document is read as %s', (format, messages) => {
    expect(readDocument(JSON.stringify(messages)).format.id).toBe(format)
  })
})

test('masking any results changes only the listed strings, once', () => {
  const anyBlock = fc.oneof(
    fc.record({ text: fc.string({ minLength: 1 }) }),
    fc.record({ json: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer())) }),
    fc.constant({ image: { format: 'png', source: { bytes: 'AA' } } }),
  )
  fc.assert(
    fc.property(
      fc.array(fc.array(anyBlock, { maxLength: 3 }), { minLength: 2, maxLength: 6 }),
      (all) => {
        const messages = [GO, ...all.flatMap((content, index) => turn(`id-${index}`, content))]
        const { text, document } = read(messages)
        const masked = maskDocument({ text, ...document }, MASK_ALL)
        expectMaskedOnly(document, masked)
        const again = readDocument(masked.text)
        expect(maskDocument({ text: masked.text, ...again }, MASK_ALL).text).toBe(masked.text)
      },
    ),
    fuzz(150),
  )
})
