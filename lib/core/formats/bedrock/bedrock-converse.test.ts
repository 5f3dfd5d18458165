import fc from 'fast-check'
import { expect, test } from 'vitest'
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
