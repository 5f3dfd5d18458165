import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY } from '../../policy/policy'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'
import { readDocument } from '../read-document'

const line = (type: string, payload: unknown) => ({ timestamp: 'now', type, payload })
const item = (payload: unknown) => line('response_item', payload)
const event = (payload: unknown) => line('event_msg', payload)
const user = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'shell',
  arguments: '{"command":["ls"]}',
})
const output = (id: string, text: unknown) => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})
const META = line('session_meta', { id: 's', base_instructions: { text: 'be brief' } })
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')
const turn = (id: string, text: unknown) => [item(call(id)), item(output(id, text))]

function read(...lines: unknown[]) {
  const { conversations, problems, format } = readDocument(
    linesOf(META, item(user('go')), ...lines),
  )
  expect([format.id, problems]).toEqual(['codex', []])
  return conversations
}

describe('shapes', () => {
  const LINES = [META, item(user('go')), ...turn('a', 'x')]
  test.each([
    ['a rollout', linesOf(...LINES), 'event_lines'],
    ['its lines as a list', JSON.stringify(LINES), 'event_array'],
    [
      'an older one with bare items',
      linesOf(
        { id: 's', timestamp: 'now', instructions: 'be brief', git: {} },
        { record_type: 'state' },
        user('go'),
        call('a'),
        output('a', 'x'),
      ),
      'event_lines',
    ],
  ])('%s is one session', (_, text, shape) => {
    const { format, evidence, conversations, problems } = readDocument(text)
    expect([format.id, evidence.shape, problems]).toEqual(['codex', shape, []])
    expect(conversations).toMatchObject([
      {
        label: 'session',
        opening: 'go',
        turnCount: 1,
        messages: [{ role: 'system', chars: 8 }, { role: 'user' }, { turn: 0 }, { role: 'tool' }],
        calls: [{ name: 'shell', argumentsPreview: '{"command":["ls"]}' }],
        results: [{ turn: 0, toolName: 'shell', chars: 1 }],
      },
    ])
    const masked = maskDocument(
      { text, ...readDocument(text) },
      {
        ...DEFAULT_POLICY,
        enabled: true,
        windowTurns: 0,
      },
    )
    expect(masked.text).toBe(text)
  })

  test('bare items are read as Responses, lines of other agents as their own format', () => {
    expect(readDocument(linesOf(user('go'), call('a'), output('a', 'x'))).format.id).toBe(
      'openai-responses',
    )
    const claude = { type: 'user', message: { role: 'user', content: 'go' }, sessionId: 's' }
    expect(readDocument(linesOf(claude, claude)).format.id).toBe('claude-code')
  })
})

describe('exit codes', () => {
  const wrapped = (code: number) =>
    JSON.stringify({ output: 'x', metadata: { exit_code: code, duration_seconds: 0.1 } })
  test.each([
    ['JSON with a failing code', wrapped(1), true],
    ['JSON with code 0', wrapped(0), false],
    ['JSON whose code is a string', '{"exit_code":"1","output":"x"}', false],
    ['a header with a failing code', 'Exit code: 2\nWall time: 0.1 seconds\nOutput:\nx', true],
    ['a header with code 0', 'Exit code: 0\nWall time: 0.1 seconds\nOutput:\nx', false],
    ['a process that ended', 'Chunk ID: a\nProcess exited with code 127\nOutput:\nx', true],
    ['a process that still runs', 'Process running with session ID 1\nOutput:\nx', false],
    ['such a line inside the output', 'Exit code: 0\nOutput:\nExit code: 1', false],
    ['a script that failed', 'Script failed\nWall time 0.1 seconds\nOutput:\nx', true],
    ['an object with success false', { content: 'x', success: false }, true],
  ])('%s', (_, text, isFlagged) => {
    const [conversation] = read(...turn('a', text))
    expect(conversation?.results[0]?.errorRules.includes('flag')).toBe(isFlagged)
  })
})

test('masking any session changes only the listed strings, and masking again changes nothing', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const anyLine = fc.oneof(
    anyId.map((id) => item(call(id))),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => item(output(id, text))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) => item(output(id, [{ type: 'input_text', text }]))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) =>
        event({ type: 'exec_command_end', call_id: id, stdout: text, aggregated_output: text }),
      ),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => output(id, text)),
    anyText.map((text) => line('compacted', { message: text })),
    anyText.map((text) => item(user(text))),
  )
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 24 }), (lines) => {
      expectStableMasking(linesOf(META, item(user('go')), ...lines), 'codex')
    }),
    fuzz(100),
  )
})
