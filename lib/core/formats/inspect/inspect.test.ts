import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { fuzz } from '../../testing/test-size'
import { ARCHIVED_FILES, CORPUS_FILES, readTranscript } from '../../testing/transcripts'

const TEXT = 'what the tool gave, a long line'

const call = (id: string) => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id, function: 'bash', arguments: { cmd: 'ls' }, type: 'function' }],
})

const result = (id: string, fields: object = {}) => ({
  role: 'tool',
  content: TEXT,
  tool_call_id: id,
  function: 'bash',
  ...fields,
})

const MESSAGES = [
  { role: 'user', content: 'go' },
  ...[call('a'), result('a'), call('b'), result('b', { content: 'other' })],
]

const sampleOf = (fields: object = {}) => ({
  id: 1,
  epoch: 1,
  input: 'go',
  target: '',
  messages: MESSAGES,
  ...fields,
})

const logOf = (samples: unknown) => ({
  version: 2,
  status: 'success',
  eval: { task: 'ctf', model: 'openai/gpt-5' },
  samples,
})

describe.skipIf(ARCHIVED_FILES.length === 0)('a published archive', () => {
  const others = ARCHIVED_FILES.filter((file) => !CORPUS_FILES.includes(file))

  test('contains one transcript', () => {
    expect(others.length).toBe(ARCHIVED_FILES.length - 1)
  })

  test.each(others)('$name gives a sentence and is not a transcript', (file) => {
    const { format, problems } = problemsOf(readTranscript(file))
    expect(format).toBe('unread')
    expect(problems).toMatchObject([[/expected|not a conversation/, expect.anything()]])
  })
})

test('any sample is masked at its results and their duplicates only, and masking it again changes nothing', () => {
  const anyEvent = fc.oneof(
    fc.record({ event: fc.constant('tool'), id: fc.constantFrom('a', 'b'), result: anyText }),
    fc.record({ event: fc.constant('info'), text: anyText }),
  )
  fc.assert(
    fc.property(anyMessages, fc.array(anyEvent, { maxLength: 5 }), (messages, events) => {
      const texts = messages.flatMap(({ role, content }) =>
        role === 'tool' && typeof content === 'string' ? [content] : [],
      )
      const attachments = Object.fromEntries(texts.map((text, index) => [`hash ${index}`, text]))
      const samples = [sampleOf({ messages, events, attachments }), sampleOf()]
      expectStableMasking(JSON.stringify(logOf(samples)), 'inspect')
    }),
    fuzz(100),
  )
})
