import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { expectMaskedOnly } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readValueAt } from '../../text/embedded-json'
import { readDocument } from '../read-document'

const MASK_ALL: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

type Envelope = Readonly<Record<string, unknown>>

const user = (content: unknown, around: Envelope = {}) => ({
  type: 'user',
  isSidechain: false,
  sessionId: 's',
  message: { role: 'user', content },
  ...around,
})
const answer = (id: string, block: object, around: Envelope = {}) => ({
  type: 'assistant',
  isSidechain: false,
  sessionId: 's',
  message: { id, role: 'assistant', model: 'claude-opus-4-5', content: [block] },
  ...around,
})
const call = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { path: 'a.ts' } })
const result = (id: string, content: unknown = 'one') => [
  { type: 'tool_result', tool_use_id: id, content },
]
const BOUNDARY = { type: 'system', subtype: 'compact_boundary', sessionId: 's', isSidechain: false }

const textOf = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')

describe('duplicates of a result', () => {
  test('of a stored result, the whole text beside its preview is masked, however long its only line is', () => {
    const stdout = JSON.stringify(Array.from({ length: 12_000 }, (_, at) => `word-${at}`))
    const preview = `<persisted-output>\nOutput too large (${stdout.length} characters). Full output saved to: words.txt\n\nPreview (first 2KB):\n${stdout.slice(0, 2000)}\n...\n</persisted-output>`
    const text = textOf([
      answer('m1', call('a')),
      user(result('a', preview), { toolUseResult: { stdout, stderr: '', interrupted: false } }),
      answer('m2', call('b')),
    ])
    expect(text.length).toBeGreaterThan(135_000)
    const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL)
    expect(masked.text).not.toContain('word-')
    expect(masked.text.length).toBeLessThan(1500)
  })

  test('strings quoted in the placeholder are not duplicates of it', () => {
    const placeholderTemplate = '[gone: {tool_arguments}]'
    const text = textOf([
      answer('m1', { ...call('a'), input: { file_path: 'src/some/file.ts' } }),
      user(result('a', 'one'), { toolUseResult: { file: 'src/some/file.ts', stdout: 'one' } }),
      answer('m2', call('b')),
    ])
    const policy = { ...MASK_ALL, placeholderTemplate }
    const masked = maskDocument({ text, ...readDocument(text) }, policy)
    expect(readDocument(masked.text).conversations[0]?.results[0]?.duplicates).toBe(1)
  })
})

test('masking any outputs and duplicates changes only the listed strings, once', () => {
  const output = fc
    .array(
      fc.constantFrom('one line of output', '  2→const a = 1', '}', 'x', '"quoted, at length"'),
    )
    .map((lines) => lines.join('\n'))
  const line = fc.record({
    id: fc.constantFrom('a', 'b', 'c'),
    output,
    beside: fc.oneof(output, fc.record({ stdout: output, lines: fc.array(output) })),
    around: fc.constantFrom({}, { isSidechain: true, agentId: 'a1' }),
    isCompaction: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (session) => {
      const lines = session.flatMap(({ id, output: content, beside, around, isCompaction }, at) => [
        answer(`m${at >> 1}`, call(id), around),
        { type: 'progress', parentToolUseID: id, data: { output: content } },
        user(result(id, content), { ...around, toolUseResult: beside }),
        ...(isCompaction ? [{ ...BOUNDARY, ...around }] : []),
      ])
      const text = textOf(lines)
      const document = readDocument(text)
      const masked = maskDocument({ text, ...document }, MASK_ALL)
      expectMaskedOnly(document, masked)
      const again = readDocument(masked.text)
      expect(maskDocument({ text: masked.text, ...again }, MASK_ALL).text).toBe(masked.text)
      for (const { results } of document.conversations) {
        for (const { spans, duplicates } of results) {
          for (const span of spans.slice(spans.length - duplicates)) {
            expect(typeof readValueAt(text, span)).toBe('string')
          }
        }
      }
    }),
    fuzz(100),
  )
})
