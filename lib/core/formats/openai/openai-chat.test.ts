import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReadError } from '../../problem'
import { turnOf } from '../../testing/conversation-of'
import { anyDocument, parseText } from '../../testing/documents'
import { fuzz } from '../../testing/test-size'
import { inEnglish } from '../../words/english'
import { readDocument } from '../read-document'

const MESSAGES = [{ role: 'user', content: 'go' }, ...turnOf('a', 'x')]
const LIST = JSON.stringify(MESSAGES)
const LINES = MESSAGES.map((message) => JSON.stringify(message)).join('\n')

function errorOf(text: string): ReadError {
  try {
    readDocument(text)
  } catch (error) {
    if (error instanceof ReadError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('documents of any shape', () => {
  test('contain their conversations', () => {
    fc.assert(
      fc.property(anyDocument, ({ text, layout, listsOf }) => {
        const { conversations, source } = readDocument(text)
        expect(source.layout).toBe(layout)
        const lists = listsOf(parseText(text, layout))
        const isMessage = (value: unknown) =>
          typeof (value as { role?: unknown } | null)?.role === 'string'
        expect(conversations.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
          lists.map((list) =>
            list.filter(isMessage).map((message) => (message as { role: string }).role),
          ),
        )
      }),
      fuzz(100),
    )
  })

  test('have their messages at the given offsets', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        for (const { messages } of readDocument(text).conversations) {
          for (const { start, end, role } of messages) {
            expect(JSON.parse(text.slice(start, end))).toMatchObject({ role })
          }
        }
      }),
      fuzz(100),
    )
  })

  test('cut anywhere are read as lines or refused with an offset', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), ({ text }, at) => {
        const cut = text.slice(0, at % text.length)
        try {
          expect(readDocument(cut).conversations.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ReadError)
          const { offset } = (error as ReadError).problem
          expect(offset).toBeLessThanOrEqual(cut.length)
        }
      }),
      fuzz(100),
    )
  })
})

describe('shapes', () => {
  test.each([
    ['a message array', LIST, 'message_array', ['messages']],
    ['a request body', `{"model":"gpt-5","messages":${LIST}}`, 'request_body', ['messages']],
    ['lines of messages', LINES, 'message_lines', ['messages']],
    [
      'lines of bodies',
      `{"messages":${LIST}}\n\n{"messages":${LIST}}`,
      'body_lines',
      ['line 1', 'line 3'],
    ],
    ['lines of arrays', `${LIST}\n${LIST}`, 'nested_lists', ['line 1', 'line 2']],
    [
      'a list of runs',
      `{"runs":[{"traj":${LIST}},{"traj":${LIST}}]}`,
      'nested_lists',
      ['runs[0].traj', 'runs[1].traj'],
    ],
    [
      'runs on lines',
      `{"run":{"traj":${LIST}}}\n{"run":{"traj":${LIST}}}`,
      'nested_lists',
      ['line 1, run.traj', 'line 2, run.traj'],
    ],
  ])('%s is recognised, and its conversations are named by position', (_, text, shape, labels) => {
    const { evidence, conversations } = readDocument(text)
    expect(evidence).toMatchObject({ shape, lists: labels.length })
    expect(conversations.map(({ label }) => inEnglish(label))).toEqual(labels)
    for (const { turnCount } of conversations) expect(turnCount).toBe(1)
  })

  test('the model and the tool schemas are read from the body', () => {
    const tools = [{ type: 'function', function: { name: 'read' } }]
    const [conversation] = readDocument(
      JSON.stringify({ tools, messages: MESSAGES, model: 'gpt-5' }),
    ).conversations
    expect(conversation).toMatchObject({
      model: 'gpt-5',
      toolSchemas: JSON.stringify(tools),
      opening: 'go',
    })
    expect(readDocument(LIST).conversations[0]).toMatchObject({ model: undefined, toolSchemas: '' })
  })
})

describe('messages as clients write them', () => {
  const read = (...messages: unknown[]) => {
    const [conversation] = readDocument(JSON.stringify([...MESSAGES, ...messages])).conversations
    if (conversation === undefined) throw new Error('no conversation')
    return conversation
  }

  test('a custom tool call has its name and input', () => {
    const { messageTexts, calls } = read({
      role: 'assistant',
      tool_calls: [{ id: 'b', type: 'custom', custom: { name: 'code', input: 'print(1)' } }],
    })
    expect(messageTexts.at(-1)?.calls).toEqual([{ name: 'code', arguments: 'print(1)' }])
    expect(calls.at(-1)).toMatchObject({ name: 'code', argumentsLocation: { encoded: 0 } })
  })
})

test('a bad line among good ones is a problem, and the other lines are read', () => {
  const text = `${LINES}\n{"role": "user", content}\n${LINES}`
  const { conversations, problems } = readDocument(text)
  expect(conversations[0]?.messages).toHaveLength(6)
  expect(problems).toMatchObject([
    { code: 'bad_line', values: { line: 4 }, offset: text.indexOf('content}') },
  ])
})

test('20,000 nested arrays are refused', () => {
  expect(errorOf('['.repeat(20_000)).problem.code).toBe('too_deep')
  expect(errorOf(`{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).problem.code).toBe(
    'too_deep',
  )
})

test('a single message alone is a conversation of one', () => {
  const { conversations, evidence } = readDocument('{"role":"user","content":"hello"}')
  expect(evidence.shape).toBe('message_lines')
  expect(conversations[0]?.messages).toHaveLength(1)
})
