import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { ReadError } from '../problem'
import { anyMessages, type ChatMessage } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

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
  ])('%s: one conversation a list, with where it stands', (_, text, shape, labels) => {
    const { format, evidence, conversations } = readDocument(text)
    expect([format.id, evidence.shape]).toEqual(['gemini', shape])
    expect(conversations.map(({ label }) => label)).toEqual(labels)
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

  test('snake case is the same conversation', () => {
    const text = JSON.stringify(CONTENTS)
      .replace('functionCall', 'function_call')
      .replace('functionResponse', 'function_response')
    expect(readDocument(text).evidence.marks).toContain('function_call')
    expect(readDocument(text).conversations[0]).toMatchObject({
      turnCount: 1,
      results: [{ callId: 'a' }],
    })
  })

  test.each([
    ['messages of an AI SDK page', [{ role: 'user', parts: [{ type: 'text', text: 'go' }] }]],
    ['messages between agents', [{ role: 'agent', parts: [{ kind: 'text', text: 'go' }] }]],
    ['parts lists of no conversation', { engine: [{ role: 'wheel', parts: [{ text: 'rim' }] }] }],
    ['a table of contents', { contents: ['one', 'two'] }],
  ])('%s are not claimed', (_, value) => {
    const claimed = () => readDocument(JSON.stringify(value), { format: 'gemini' })
    expect(claimed).toThrow('not Gemini')
  })
})

describe('calls and responses', () => {
  test('without ids they are matched by name and order', () => {
    const { calls, results } = read(
      model(call(undefined, 'read'), call(undefined, 'list'), call(undefined, 'read')),
      user(
        answer(undefined, { output: 'l' }, 'list'),
        answer(undefined, { output: '1' }),
        answer(undefined, { output: '2' }),
      ),
      model(call(undefined, 'read')),
      user(answer(undefined, { output: '3' })),
    )
    expect(calls.map(({ id }) => id)).toEqual(['a', 'read-1', 'list-1', 'read-2', 'read-3'])
    expect(results.map(({ callId }) => callId)).toEqual([
      ...['a', 'list-1', 'read-1', 'read-2', 'read-3'],
    ])
  })

  test('what comes later changes no id', () => {
    const contents = [model(call(undefined)), user(answer(undefined, { output: '1' }))]
    const before = read(...contents).results.map(({ callId }) => callId)
    const after = read(...contents, ...contents, model(call('read-1'))).results
    expect(after.map(({ callId }) => callId).slice(0, 2)).toEqual(before)
  })

  test('an unanswered call is not answered by a later turn', () => {
    const { results } = read(
      model(call(undefined), call(undefined, 'list')),
      user(answer(undefined, { output: 'l' }, 'list')),
      model(call(undefined)),
      user(answer(undefined, { output: '2' })),
      user(answer(undefined, { output: '?' })),
    )
    expect(results.map(({ callId }) => callId)).toEqual(['a', 'list-1', 'read-2', undefined])
  })

  test('a response with an id no call bears is an orphan', () => {
    const { results } = read(user(answer('z', { output: 'x' })))
    expect(results[1]).toMatchObject({ callId: 'z', turn: undefined })
  })

  test('a response is read by its strings, the longest first', () => {
    const { results, resultTexts } = read(
      model(call('b')),
      user(answer('b', { exit: 0, status: 'ok', out: ['long', 'longest'], more: '' })),
    )
    expect(results[1]?.slots.map(({ pointer }) => pointer)).toEqual([
      '/4/parts/0/functionResponse/response/out/1',
      '/4/parts/0/functionResponse/response/status',
      '/4/parts/0/functionResponse/response/out/0',
    ])
    expect(resultTexts[1]).toEqual(['longest', 'ok', 'long'])
  })

  test('an empty response is text where it has a string, and none where it has not', () => {
    const { results } = read(
      model(call('b'), call('c'), call('d')),
      user(answer('b', { output: '' }), answer('c', {}), answer('d', { exit: 1 })),
    )
    expect(results.map(({ shape }) => shape)).toEqual(['text', 'text', 'other', 'other'])
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

  test('images and files in a response or beside it make it no text', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    const file = { file_data: { mime_type: 'image/png', file_uri: 'files/1' } }
    const withParts = {
      functionResponse: { id: 'd', name: 'read', response: { output: 'x' }, parts: [image] },
    }
    const { results, messages } = read(
      model(call('b'), call('c'), call('d')),
      user(answer('b', { output: 'x' }), answer('c', { output: 'x' }), file, withParts),
    )
    expect(results.map(({ shape }) => shape)).toEqual(['text', 'text', 'other', 'other'])
    expect(messages[4]?.nonTextParts).toBe(2)
  })

  test('thoughts are reasoning, code that the model ran is text', () => {
    const { messages } = read(
      model(
        { text: 'hm', thought: true },
        { executableCode: { language: 'PYTHON', code: '1+1' } },
        { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
      ),
    )
    expect(messages[3]).toMatchObject({ chars: 4, contents: [{}, {}], reasoning: [{}] })
  })
})

describe('what is of a wrong type gets a sentence', () => {
  const withPart = (part: unknown) => JSON.stringify([...CONTENTS, model(part)])
  test.each([
    [withPart(3), '[3].parts[0] is a number; expected a part, an object with "text"', '3'],
    [withPart({ text: 3 }), '[3].parts[0].text is a number; expected a text.', '3'],
    [
      withPart({ functionCall: 'read' }),
      '[3].parts[0].functionCall is a text; expected a call, an object with "name" and "args".',
      '"read"',
    ],
    [withPart(call('b', 'read', 'a')), 'args is a text; expected an object of arguments.', '"a"}'],
    [
      withPart({ functionCall: { name: null } }),
      '[3].parts[0].functionCall.name is null; expected a text.',
      'null',
    ],
    [withPart({ function_call: { id: 7, name: 'read' } }), 'function_call.id is a number', '7'],
    [withPart({ functionResponse: [] }), 'functionResponse is a list of 0 items', '[]'],
    [
      withPart(answer('a', 'plain')),
      '[3].parts[0].functionResponse.response is a text; expected an object, what the function gave.',
      '"plain"',
    ],
    [
      withPart({ functionResponse: { name: 'read', response: {}, parts: {} } }),
      'functionResponse.parts is an empty object; expected a list of parts.',
      '{}}',
    ],
    [
      JSON.stringify([...CONTENTS, { role: 'model', parts: 'x' }]),
      '[3].parts is a text; expected a list of parts.',
      '"x"',
    ],
    [JSON.stringify([...CONTENTS, null]), '[3] is null, not a message; it was left alone.', 'null'],
    [
      JSON.stringify({ systemInstruction: 9, contents: CONTENTS }),
      'systemInstruction is a number; expected a list of parts, or a text.',
      '9',
    ],
  ])('%s', (text, sentence, at) => {
    const [[said, place] = [], ...more] = complaintsOf(text).said
    expect(more).toEqual([])
    expect(said).toContain(sentence)
    expect(place?.startsWith(at)).toBe(true)
  })

  test('a body without a list of contents cannot be read', () => {
    const text = '{"generationConfig":{},"contents":"go"}'
    expect(() => readDocument(text)).toThrow(
      new ReadError(
        'wrong_type',
        {
          path: 'contents',
          found: 'a text',
          expected: 'a list of messages, objects with "parts"',
        },
        text.indexOf('"go"'),
      ),
    )
  })
})

describe('sessions of Gemini CLI', () => {
  const HEAD = { sessionId: 's', projectHash: 'p' }
  const recorded = (id: string, output: string, more: object = {}) => ({
    id: `m-${id}`,
    type: 'gemini',
    content: 'reading',
    model: 'gemini-2.5-pro',
    toolCalls: [
      {
        id,
        name: 'read',
        args: { path: 'a' },
        result: [{ functionResponse: { id, name: 'read', response: { output } } }],
        status: 'success',
        ...more,
      },
    ],
  })
  const ASKED = { id: 'm-0', type: 'user', content: [{ text: 'go' }] }
  const session = (...messages: unknown[]) => JSON.stringify({ ...HEAD, messages })
  const MASK = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

  test('calls are a turn, their results a message after it; what no model is sent is left out', () => {
    const { format, evidence, conversations, problems } = readDocument(
      session(ASKED, recorded('a', 'x'), { id: 'i', type: 'info', content: 'update!' }),
    )
    expect([format.id, evidence.shape, problems]).toEqual(['gemini', 'session', []])
    expect(conversations[0]).toMatchObject({
      model: 'gemini-2.5-pro',
      turnCount: 1,
      messages: [{ role: 'user' }, { role: 'gemini', turn: 0 }, { role: 'tool' }],
      results: [{ callId: 'a', turn: 0, message: 2 }],
    })
  })

  test('a call without a result is unanswered; an error is flagged', () => {
    const { conversations } = readDocument(
      session(
        recorded('a', 'x', { result: null }),
        recorded('b', 'x', { status: 'error' }),
        recorded('c', 'x', { result: 'plain' }),
      ),
    )
    expect(conversations[0]?.results).toMatchObject([
      { callId: 'b', errorRules: ['flag'] },
      { callId: 'c', errorRules: [], length: 5 },
    ])
  })

  test.each([
    ['part of it', 'Output: done\nExit Code: 0', 'done', true],
    ['nearly all of it', 'done', ' done.\n', true],
    ['something else', 'Output: done', 'edited a.txt', false],
    ['nothing', 'Output: done', '', false],
  ])('what is shown of a result is its twin when it repeats it: %s', (_, output, shown, isTwin) => {
    const text = session(
      recorded('a', output, { resultDisplay: shown }),
      recorded('b', output, { resultDisplay: shown }),
    )
    const document = readDocument(text)
    expect(document.conversations[0]?.results.map(({ twins }) => twins)).toEqual(
      isTwin ? [1, 1] : [0, 0],
    )
    const masked = JSON.parse(maskDocument({ text, ...document }, MASK).text)
    const [{ result, resultDisplay }] = masked.messages[0].toolCalls
    const [{ functionResponse }] = result
    expect(resultDisplay).toBe(isTwin ? functionResponse.response.output : shown)
    expect(functionResponse.response.output).not.toBe(output)
  })

  test.each([
    [
      'a changed file, by the lines shown of it',
      'Changed a.ts:\nconst total = 4\nreturn total',
      {
        fileName: 'const total = 4',
        fileDiff: '-const total = 3\n+const total = 4',
        originalContent: 'const total = 3',
        newContent: 'const total = 4\n',
        diffStat: { ai_added_lines: 1 },
      },
      ['/fileDiff', '/newContent'],
    ],
    [
      'the lines of a terminal, each as a whole',
      'Output: first line of it\nsecond line of it',
      [
        [{ text: 'first', bold: true, fg: '' }, { text: ' line of it' }],
        [{ text: 'another line' }],
        [{ text: 'second line of it' }],
      ],
      ['/0/0/text', '/0/1/text', '/2/0/text'],
    ],
    ['a list of things to do', 'Noted.', { todos: [{ description: 'Look at it' }] }, []],
  ])(
    'strings of a display that repeat a result are its twins: %s',
    (_, output, shown, pointers) => {
      const text = session(recorded('a', output, { resultDisplay: shown }), recorded('b', 'x'))
      const [result] = readDocument(text).conversations[0]?.results ?? []
      const at = '/messages/0/toolCalls/0/resultDisplay'
      expect(result?.slots.slice(1).map(({ pointer }) => pointer)).toEqual(
        pointers.map((pointer) => `${at}${pointer}`),
      )
      expectStableMasking(text, 'gemini')
    },
  )

  test('in lines the last of an id counts, and its result is masked wherever it stands', () => {
    const lines = [
      HEAD,
      ASKED,
      recorded('a', 'first'),
      { $set: { lastUpdated: 'now' } },
      { ...recorded('a', 'first'), tokens: { total: 3 } },
      recorded('b', 'taken back'),
      { $rewindTo: 'm-b' },
      recorded('c', 'third'),
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const document = readDocument(text)
    expect(document.problems).toEqual([])
    expect(document.conversations).toMatchObject([
      {
        turnCount: 2,
        results: [
          { callId: 'a', twins: 1 },
          { callId: 'c', twins: 0 },
        ],
      },
      { label: 'taken back, line 7', isAside: true, results: [{ callId: 'b' }] },
    ])
    const masked = maskDocument({ text, ...document }, MASK).text
    expect(masked).not.toContain('first')
    expect(maskDocument({ text: masked, ...readDocument(masked) }, MASK).text).toBe(masked)
  })

  test('a list of messages set whole replaces what was recorded before', () => {
    const lines = [
      HEAD,
      recorded('a', 'first'),
      recorded('b', 'second'),
      { $set: { messages: [recorded('b', 'second')] } },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { conversations } = readDocument(text)
    expect(conversations.map(({ label, results }) => [label, results.length])).toEqual([
      ['messages', 1],
      ['taken back, line 4', 1],
    ])
    expect(conversations[0]?.results).toMatchObject([{ callId: 'b', twins: 1 }])
  })

  test('what was taken back is a conversation of its own, unless it comes again or has no results', () => {
    const lines = [
      HEAD,
      ASKED,
      recorded('a', 'first'),
      recorded('b', 'second'),
      { $rewindTo: 'm-a' },
      recorded('b', 'second'),
      { ...ASKED, id: 'm-1' },
      { $rewindTo: 'm-1' },
      recorded('c', 'third', { resultDisplay: 'third' }),
      recorded('d', 'fourth'),
      { $rewindTo: 'm-c' },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const { conversations } = readDocument(text)
    expect(
      conversations.map(({ label, results }) => [
        label,
        ...results.map(({ callId, twins }) => `${callId} ${twins}`),
      ]),
    ).toEqual([
      ['messages', 'b 1'],
      ['taken back, line 5', 'a 0'],
      ['taken back, line 11', 'c 1', 'd 0'],
    ])
    const masked = maskDocument({ text, conversations }, MASK).text
    expect(masked).not.toContain('third')
    expectStableMasking(text, 'gemini')
  })

  test.each([
    [
      JSON.stringify({ ...HEAD, messages: 'none' }),
      'messages is a text; expected a list of messages, objects with a "type".',
      '"none"',
    ],
    [session(ASKED, 7), 'messages[1] is a number, not a message; it was left alone.', '7'],
    [
      session({ ...recorded('a', 'x'), toolCalls: {} }),
      'messages[0].toolCalls is an empty object; expected a list of calls.',
      '{}',
    ],
    [
      session(recorded('a', 'x', { result: 5 })),
      'messages[0].toolCalls[0].result is a number; expected a list of parts, or a text.',
      '5',
    ],
    [
      session(recorded('a', 'x', { name: 5 })),
      'messages[0].toolCalls[0].name is a number; expected a text.',
      '5',
    ],
  ])('%s gets a sentence', (text, sentence, at) => {
    const [[said, place] = [], ...more] = complaintsOf(text).said
    expect(more).toEqual([])
    expect(said).toBe(sentence)
    expect(place?.startsWith(at)).toBe(true)
  })
})

describe('checkpoints of Gemini CLI', () => {
  const LONG = 'the first line of it\nand the second line'
  const shown = (callId: string, resultDisplay: unknown) => ({
    type: 'tool_group',
    tools: [{ callId, name: 'ReadFile', description: 'a', status: 'Success', resultDisplay }],
  })
  const checkpoint = (ownId: string | undefined, ...history: unknown[]) => ({
    history: [{ type: 'user', text: 'go' }, ...history],
    clientHistory: [
      ASK,
      model(call(ownId)),
      user(answer('read-17', { output: LONG })),
      model(call(ownId && 'read-18')),
      user(answer('read-18', { output: 'something else' })),
    ],
    toolCall: { name: 'replace', args: { file_path: 'a' } },
  })

  test.each([
    ['by the id of its call', 'read-17', shown('read-17', LONG), ['']],
    ['by the id that its response alone bears', undefined, shown('read-17', LONG), ['']],
    ['by its text where no id is the same', undefined, shown('x', `${LONG}\n... 9 more`), ['']],
    [
      'in the lines of a terminal',
      'read-17',
      shown('read-17', [[{ text: 'the first line of it' }], [{ text: 'other' }]]),
      ['/0/0/text'],
    ],
    ['not where it says something else', 'read-17', shown('read-17', 'Read 2 lines of a'), []],
  ])('what the screen showed of a result is its twin: %s', (_, ownId, group, pointers) => {
    const text = JSON.stringify(checkpoint(ownId, group, shown('read-18', 'something else')))
    const { conversations } = readDocument(text)
    expect(conversations.map(({ results }) => results.map(({ twins }) => twins))).toEqual([
      [pointers.length, 1],
    ])
    expect(conversations[0]?.results[0]?.slots.slice(1).map(({ pointer }) => pointer)).toEqual(
      pointers.map((pointer) => `/history/1/tools/0/resultDisplay${pointer}`),
    )
    expectStableMasking(text, 'gemini')
  })

  test('a history of another shape is left alone', () => {
    for (const history of ['none', [3, { tools: 3 }, { tools: [3, { callId: 7 }] }]]) {
      const text = JSON.stringify({ ...checkpoint('read-17'), history })
      expect(complaintsOf(text).said).toEqual([])
    }
  })
})

/** A message of chat completions in Gemini's words. */
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

test('masking any session changes its results alone, and once', () => {
  fc.assert(
    fc.property(anyMessages, (messages) => {
      const text = JSON.stringify({ contents: [...CONTENTS, ...messages.map(contentOf)] })
      expectStableMasking(text, 'gemini')
    }),
  )
})
