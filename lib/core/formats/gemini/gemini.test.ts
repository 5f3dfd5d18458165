import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages, type ChatMessage } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { problemsOf } from '../../testing/problems-of'
import { sentenceThrownBy } from '../../testing/spoken'
import { fuzz } from '../../testing/test-size'
import { inEnglish } from '../../words/english'
import { readDocument } from '../read-document'

const ASK = { role: 'user', parts: [{ text: 'go' }] }
const call = (id: string | undefined, name = 'read', args: unknown = { path: 'a' }) => ({
  functionCall: { ...(id !== undefined && { id }), name, args },
})
const answer = (id: string | undefined, response: unknown, name = 'read') => ({
  functionResponse: { ...(id !== undefined && { id }), name, response },
})
const model = (...parts: unknown[]) => ({ role: 'model', parts })
const user = (...parts: unknown[]) => ({ role: 'user', parts })
const CONTENTS = [ASK, model(call('a')), user(answer('a', { output: 'x' }))]

function read(...contents: unknown[]) {
  const [conversation] = readDocument(JSON.stringify([...CONTENTS, ...contents])).conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('shapes', () => {
  const BODY = { contents: CONTENTS }
  test.each([
    ['contents alone', JSON.stringify(CONTENTS), 'message_array', ['messages']],
    ['a request body', JSON.stringify(BODY), 'request_body', ['contents']],
    [
      'bodies on lines',
      [BODY, BODY].map((body) => JSON.stringify(body)).join('\n'),
      'body_lines',
      ['line 1', 'line 2'],
    ],
    [
      'a log of requests',
      JSON.stringify([{ request: BODY }, { request: BODY }]),
      'nested_lists',
      ['[0].request.contents', '[1].request.contents'],
    ],
    [
      'contents on lines',
      CONTENTS.map((content) => JSON.stringify(content)).join('\n'),
      'message_lines',
      ['messages'],
    ],
    ['a saved chat', JSON.stringify({ history: CONTENTS }), 'nested_lists', ['history']],
  ])('%s: each list is a conversation, labelled with its path', (_, text, shape, labels) => {
    const { format, evidence, conversations } = readDocument(text)
    expect([format.id, evidence.shape]).toEqual(['gemini', shape])
    expect(conversations.map(({ label }) => inEnglish(label))).toEqual(labels)
    for (const { turnCount, calls, results } of conversations) {
      expect(turnCount).toBe(1)
      expect(calls).toMatchObject([{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }])
      expect(results).toMatchObject([{ callId: 'a', turn: 0, shape: 'text', chars: 1 }])
    }
  })

  test.each([
    ['a content', { parts: [{ text: 'be brief' }] }],
    ['one part', { text: 'be brief' }],
    ['a list of parts', [{ text: 'be brief' }]],
    ['a text', 'be brief'],
  ])('the system instruction may be %s, in snake case too', (_, instruction) => {
    for (const key of ['systemInstruction', 'system_instruction']) {
      const text = JSON.stringify({ [key]: instruction, contents: CONTENTS })
      const [conversation] = readDocument(text).conversations
      const [first] = conversation?.messages ?? []
      expect(first).toMatchObject({ role: 'system', chars: 8 })
      const [place] = first?.contents ?? []
      expect(text.slice(place?.start, place?.end)).toBe('"be brief"')
    }
  })

  test.each([
    ['messages of an AI SDK page', [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]],
    ['messages between agents', [{ role: 'agent', parts: [{ kind: 'text', text: 'go' }] }]],
    ['lists of parts of something else', { engine: [{ role: 'wheel', parts: [{ text: 'rim' }] }] }],
    ['a table of contents', { contents: ['one', 'two'] }],
  ])('%s are not read as Gemini', (_, value) => {
    const readAsGemini = () => readDocument(JSON.stringify(value), { format: 'gemini' })
    expect(sentenceThrownBy(readAsGemini)).toMatch('not Gemini')
  })
})

describe('calls and responses', () => {
  test('later messages change no id', () => {
    const contents = [model(call(undefined)), user(answer(undefined, { output: '1' }))]
    const before = read(...contents).results.map(({ callId }) => callId)
    const after = read(...contents, ...contents, model(call('read-1'))).results
    expect(after.map(({ callId }) => callId).slice(0, 2)).toEqual(before)
  })

  test.each([
    [{ error: 'no such file' }, ['json_error', 'flag']],
    [{ error: null, output: 'x' }, ['json_error']],
    [{ status: 'error', output: 'x' }, ['error_line', 'json_error']],
    [{ output: 'Error: x', detail: 'fine' }, ['error_line']],
    [{ output: 'fine', errors: 0 }, []],
  ])('%j meets the rules %j', (response, rules) => {
    const { results } = read(model(call('b')), user(answer('b', response)))
    expect(results[1]?.errorRules).toEqual(rules)
  })
})

describe('sessions of Gemini CLI', () => {
  const HEAD = { sessionId: 's', projectHash: 'p' }
  const session = (...messages: unknown[]) => JSON.stringify({ ...HEAD, messages })
  const recorded = (more: object) => ({
    type: 'gemini',
    content: 'reading',
    toolCalls: [{ id: 'a', name: 'read', args: { path: 'a' }, result: 'x', ...more }],
  })

  test.each([
    [
      JSON.stringify({ ...HEAD, messages: 'none' }),
      'messages is a text; expected a list of messages, objects with a "type".',
      '"none"',
    ],
    [session(recorded({}), 7), 'messages[1] is a number, not a message; it was skipped.', '7'],
    [
      session({ ...recorded({}), toolCalls: {} }),
      'messages[0].toolCalls is an empty object; expected a list of calls.',
      '{}',
    ],
    [
      session(recorded({ result: 5 })),
      'messages[0].toolCalls[0].result is a number; expected a list of parts, or a text.',
      '5',
    ],
    [
      session(recorded({ name: 5 })),
      'messages[0].toolCalls[0].name is a number; expected a text.',
      '5',
    ],
  ])('%s is a problem', (text, sentence, at) => {
    const [[found, place] = [], ...more] = problemsOf(text).problems
    expect(more).toEqual([])
    expect(found).toBe(sentence)
    expect(place?.startsWith(at)).toBe(true)
  })
})

test('the history of a checkpoint is ignored where it has another shape', () => {
  for (const history of ['none', [3, { tools: 3 }, { tools: [3, { callId: 7 }] }]]) {
    const text = JSON.stringify({ history, clientHistory: CONTENTS })
    expect(problemsOf(text)).toEqual({ format: 'gemini', problems: [] })
  }
})

/** Converts a message of chat completions to a content. */
function contentOf({ role, content, tool_calls: calls, tool_call_id: id }: ChatMessage): unknown {
  if (role === 'tool') {
    const response = typeof content === 'string' ? { output: content } : { items: content }
    return user({ functionResponse: { id, name: 'read', response } })
  }
  const texts = typeof content === 'string' ? [{ text: content }] : []
  if (role !== 'assistant') return user(...texts)
  const list = Array.isArray(calls) ? calls : []
  return model(...texts, ...list.map((functionCall) => ({ functionCall })))
}

test('masking any conversation changes only its results, and masking again changes nothing', () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const text = JSON.stringify({ contents: [...CONTENTS, ...messages.map(contentOf)] })
      expectStableMasking(text, 'gemini')
    }),
    fuzz(100),
  )
})
