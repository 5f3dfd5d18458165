import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { expectMaskedOnly } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const CALL = { type: 'tool_use', id: 'a', name: 'read', input: { path: 'a.ts' } }
const RESULT = { type: 'tool_result', tool_use_id: 'a', content: 'one' }
const TURN = [
  { role: 'user', content: 'go' },
  { role: 'assistant', content: [{ type: 'text', text: 'I read.' }, CALL] },
]
const MASK_ALL: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

describe('results', () => {
  test('masked text blocks after the first become a text that the API accepts, and are not read again', () => {
    const content = ['one', 'two', 'three'].map((text) => ({ type: 'text', text }))
    const next = { role: 'assistant', content: [{ ...CALL, id: 'b' }] }
    const text = JSON.stringify([
      ...TURN,
      { role: 'user', content: [{ ...RESULT, content }] },
      next,
    ])
    const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL).text
    const block = (JSON.parse(masked) as { content: { content: { text: string }[] }[] }[])[2]
      ?.content[0]
    expect(block?.content.map((part) => part.text)).toEqual([
      expect.stringContaining('tool_call_id=a'),
      '…',
      '…',
    ])
    const again = readDocument(masked)
    expect(again.conversations[0]?.resultTexts[0]).toHaveLength(1)
    expect(maskDocument({ text: masked, ...again }, MASK_ALL).text).toBe(masked)
  })
})

test('masking any blocks changes only the listed strings, once', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 })
  const block = fc.oneof(
    fc.record({ type: fc.constant('text'), text }),
    fc.record({ type: fc.constantFrom('image', 'document'), source: fc.record({ data: text }) }),
  )
  const record = fc.record({ query: text, result: text, success: fc.boolean() })
  const content = fc.oneof(
    text,
    fc.array(block, { maxLength: 3 }),
    fc.array(record, { maxLength: 2 }),
    fc.constant(null),
  )
  const id = fc.constantFrom('a', 'b', 'c')
  const message = fc.oneof(
    fc.record({ role: fc.constant('user'), content: text }),
    fc.record({
      role: fc.constant('assistant'),
      content: fc.array(
        fc.record({ type: fc.constant('tool_use'), id, name: text, input: fc.object() }),
        { maxLength: 2 },
      ),
    }),
    fc.record({
      role: fc.constant('user'),
      content: fc.array(
        fc.record({
          type: fc.constantFrom('tool_result', 'web_search_tool_result', 'mcp_tool_result'),
          tool_use_id: id,
          content,
          is_error: fc.boolean(),
        }),
        { maxLength: 3 },
      ),
    }),
  )
  fc.assert(
    fc.property(fc.array(message), fc.boolean(), (messages, asLines) => {
      const all = [...TURN, ...messages]
      const source = asLines
        ? all.map((value) => JSON.stringify(value)).join('\n')
        : JSON.stringify(all, null, 2)
      const document = readDocument(source)
      const masked = maskDocument({ text: source, ...document }, MASK_ALL)
      expectMaskedOnly(document, masked)
      const again = readDocument(masked.text)
      expect(maskDocument({ text: masked.text, ...again }, MASK_ALL).text).toBe(masked.text)
    }),
    fuzz(100),
  )
})
