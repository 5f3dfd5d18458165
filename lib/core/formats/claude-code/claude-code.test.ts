import { expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { readDocument } from '../read-document'

const MASK_ALL = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

/** A call with its result, what the line has beside it, and a second call. */
function sessionOf(input: object, content: string, toolUseResult: object): string {
  const call = (id: string) => ({
    type: 'assistant',
    sessionId: 's',
    message: { id, role: 'assistant', content: [{ type: 'tool_use', id, name: 'Read', input }] },
  })
  const result = [{ type: 'tool_result', tool_use_id: 'a', content }]
  const line = { type: 'user', sessionId: 's', message: { role: 'user', content: result } }
  const lines = [call('a'), { ...line, toolUseResult }, call('b')]
  return lines.map((one) => JSON.stringify(one)).join('\n')
}

test('of a stored result, the whole text beside its preview is masked, however long its only line is', () => {
  const stdout = JSON.stringify(Array.from({ length: 12_000 }, (_, at) => `word-${at}`))
  const preview = `<persisted-output>\nOutput too large (${stdout.length} characters). Full output saved to: words.txt\n\nPreview (first 2KB):\n${stdout.slice(0, 2000)}\n...\n</persisted-output>`
  const text = sessionOf({}, preview, { stdout, stderr: '', interrupted: false })
  expect(text.length).toBeGreaterThan(135_000)
  const masked = maskDocument({ text, ...readDocument(text) }, MASK_ALL)
  expect(masked.text).not.toContain('word-')
  expect(masked.text.length).toBeLessThan(1500)
})

test('strings quoted in the placeholder are not duplicates of it', () => {
  const path = 'src/some/file.ts'
  const text = sessionOf({ file_path: path }, 'one', { file: path, stdout: 'one' })
  const policy = { ...MASK_ALL, placeholderTemplate: '[gone: {tool_arguments}]' }
  const masked = maskDocument({ text, ...readDocument(text) }, policy)
  expect(readDocument(masked.text).conversations[0]?.results[0]?.duplicates).toBe(1)
})
