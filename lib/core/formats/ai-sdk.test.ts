import { convertToModelMessages, type UIMessage } from 'ai'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyMessages, type ChatMessage } from '../testing/chat-messages'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { readDocument } from './read-document'

const ASK = { role: 'user', content: 'go' }
const call = (id: string) => ({
  role: 'assistant',
  content: [{ type: 'tool-call', toolCallId: id, toolName: 'read', input: { path: 'a' } }],
})
const resultPart = (id: string, more: object) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: 'read',
  ...more,
})
const tool = (...content: unknown[]) => ({ role: 'tool', content })
const text = (value: unknown) => ({ output: { type: 'text', value } })
const MESSAGES = [ASK, call('a'), tool(resultPart('a', text('x')))]

const toolPart = (id: string, more: object = { state: 'output-available', output: 'x' }) => ({
  type: 'tool-read',
  toolCallId: id,
  input: { path: 'a' },
  ...more,
})
const STEP = { type: 'step-start' }
const answer = (...parts: unknown[]) => ({ id: 'm', role: 'assistant', parts })
const invocation = (id: string, more: object = { result: 'x' }) => ({
  state: 'result',
  toolCallId: id,
  toolName: 'read',
  args: { path: 'a' },
  ...more,
})

function read(value: unknown) {
  const [conversation] = readDocument(JSON.stringify(value)).conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

/** Roles with their turns, and the ids of results: how an answer falls into messages. */
function outline(value: unknown) {
  const { messages, results } = read(value)
  return [
    messages.map(({ role, turn }) => (turn === undefined ? role : `${role} ${turn}`)).join(', '),
    results.map(({ callId, message }) => `${callId} in ${message}`).join(', '),
  ]
}

describe('shapes', () => {
  test.each([
    ['messages for a model', MESSAGES, 'message_array', ['messages']],
    ['a body', { model: 'x', messages: MESSAGES }, 'request_body', ['messages']],
    [
      'what generateText gives',
      { text: 'done', response: { id: 'r', messages: MESSAGES } },
      'nested_lists',
      ['response.messages'],
    ],
    ['messages for a page', [answer(STEP, toolPart('a'))], 'message_array', ['messages']],
    ['a chat', { id: 'c', messages: [answer(toolPart('a'))] }, 'request_body', ['messages']],
  ])('%s: one conversation a list, with where it stands', (_, value, shape, labels) => {
    const { format, evidence, conversations } = readDocument(JSON.stringify(value))
    expect([format.id, evidence.shape]).toEqual(['ai-sdk', shape])
    expect(evidence.marks).toContain('toolCallId')
    expect(conversations.map(({ label }) => label)).toEqual(labels)
    expect(conversations[0]).toMatchObject({
      turnCount: 1,
      calls: [{ id: 'a', name: 'read', argumentsPreview: '{"path":"a"}' }],
      results: [{ callId: 'a', turn: 0, shape: 'text', chars: 1 }],
    })
  })

  test('lines of messages are one conversation, the system prompt beside a list is sent', () => {
    const lines = MESSAGES.map((message) => JSON.stringify(message)).join('\n')
    expect(readDocument(lines)).toMatchObject({
      evidence: { shape: 'message_lines' },
      conversations: [{ turnCount: 1 }],
    })
    const { messages } = read({ system: 'be brief', messages: MESSAGES })
    expect(messages[0]).toMatchObject({ role: 'system', chars: 8 })
  })

  test.each([
    ['chat completions', [{ role: 'tool', content: 'x', tool_call_id: 'a' }]],
    ['spans of a trace', [{ role: 'assistant', parts: [{ type: 'text', content: 'x' }] }]],
    ['blocks', [{ role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x' }] }]],
    ['an agent of another kind', [{ role: 'agent', parts: [{ type: 'text', text: 'x' }] }]],
  ])('%s are not claimed', (_, value) => {
    expect(complaintsOf(JSON.stringify(value)).format).not.toBe('ai-sdk')
  })
})

describe('messages for a page', () => {
  test('each step is an assistant message, its results a message after it', () => {
    const steps = answer(
      ...[STEP, { type: 'text', text: 'I look' }, toolPart('a'), toolPart('b')],
      ...[STEP, { type: 'reasoning', text: 'hm' }, toolPart('c')],
      ...[STEP, { type: 'text', text: 'done' }],
    )
    expect(outline([answer(), steps])).toEqual([
      'assistant, assistant 0, tool, assistant 1, tool, assistant',
      'a in 2, b in 2, c in 4',
    ])
  })

  test('version 4 starts a step at a text after a call and where its number changes', () => {
    const part = (id: string, step: number) => ({
      type: 'tool-invocation',
      toolInvocation: invocation(id, { result: 'x', step }),
    })
    const say = { type: 'text', text: 'so' }
    expect(outline([answer(part('a', 0), part('b', 0), part('c', 1), say, part('d', 1))])).toEqual([
      'assistant 0, tool, assistant 1, tool, assistant 2, tool',
      'a in 1, b in 1, c in 3, d in 5',
    ])
  })

  test('without parts, the calls come before the text', () => {
    const old = { id: 'm', role: 'assistant', content: 'done', toolInvocations: [invocation('a')] }
    expect(outline([old])).toEqual(['assistant 0, tool, assistant', 'a in 1'])
  })

  test('states: written is no call yet, asked is unanswered, an error is flagged', () => {
    const { calls, results } = read([
      answer(
        toolPart('a', { state: 'input-streaming' }),
        toolPart('b', { state: 'input-available' }),
        toolPart('c', { state: 'output-error', errorText: 'no such file' }),
        toolPart('d', { state: 'output-denied' }),
        { ...toolPart('e'), type: 'dynamic-tool', toolName: 'search' },
      ),
    ])
    expect(calls.map(({ id, name }) => `${id} ${name}`)).toEqual([
      ...['b read', 'c read', 'd read', 'e search'],
    ])
    expect(results).toMatchObject([
      { callId: 'c', errorRules: ['flag'], length: 12 },
      { callId: 'd', errorRules: ['flag'], shape: 'other' },
      { callId: 'e', errorRules: [] },
    ])
  })

  test('a call that the user denied is answered by the reason, flagged; without one by no text', () => {
    const denied = (reason?: string) => ({
      state: 'output-denied',
      approval: { id: 'p', approved: false, reason },
    })
    const page = [answer(toolPart('a', denied('not today')), toolPart('b', denied()))]
    expect(read(page).results).toMatchObject([
      { callId: 'a', turn: 0, shape: 'text', errorRules: ['flag'] },
      { callId: 'b', turn: 0, shape: 'other', errorRules: ['flag'] },
    ])
    expect(read(page).resultTexts).toEqual([['not today'], []])
    expectStableMasking(JSON.stringify([...page, answer(STEP, toolPart('c'))]), 'ai-sdk')
  })

  test('the value of an MCP server is masked with the blocks that say the same', () => {
    const output = {
      content: [{ type: 'text', text: '{"city":"Oslo","days":["one","two"],"none":""}' }],
      structuredContent: { city: 'Oslo', days: ['one', 'two'], none: '', count: 2 },
    }
    const image = { ...output, content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] }
    const done = (value: unknown) => ({ state: 'output-available', output: value })
    const page = [
      answer(toolPart('a', done(output)), toolPart('b', done(image))),
      answer(toolPart('c')),
    ]
    expect(read(page).results.map(({ slots, twins }) => [slots.length, twins])).toEqual([
      [4, 3],
      [0, 0],
      [1, 0],
    ])
    expectStableMasking(JSON.stringify(page), 'ai-sdk')
    const sent = tool(resultPart('a', { output: { type: 'json', value: output } }))
    const messages = [ASK, call('a'), sent, call('b'), tool(resultPart('b', text('x')))]
    expect(read(messages).results[0]?.twins).toBe(3)
    expectStableMasking(JSON.stringify(messages), 'ai-sdk')
  })

  test('what a provider ran stays with its call, and is no text', () => {
    const { messages, results } = read([
      answer(toolPart('a', { state: 'output-available', output: 'x', providerExecuted: true })),
    ])
    expect(messages).toHaveLength(1)
    expect(results).toMatchObject([{ callId: 'a', turn: 0, message: 0, shape: 'other' }])
  })

  test('a result that stands twice is masked twice, string by string', () => {
    const result = { status: 'fine', lines: ['the longest of them', 'b'] }
    const message = {
      ...answer(
        ...['a', 'b'].flatMap((id) => [
          STEP,
          { type: 'tool-invocation', toolInvocation: invocation(id, { result }) },
        ]),
      ),
      toolInvocations: [invocation('a', { result }), invocation('b', { result })],
    }
    const source = JSON.stringify([message])
    const document = readDocument(source)
    expect(document.conversations[0]?.results).toMatchObject([{ twins: 3 }, { twins: 3 }])
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const [masked] = JSON.parse(maskDocument({ text: source, ...document }, policy).text)
    const [first, second] = masked.toolInvocations
    expect(first.result).toEqual({ status: '', lines: [expect.stringMatching(/^\[Obs/), ''] })
    expect(masked.parts[1].toolInvocation).toEqual(first)
    expect(second.result).toEqual(result)
  })

  test('the package makes the messages for a model of them that are read', async () => {
    const sample = (name: string) => {
      const file = SAMPLE_FILES.find((found) => found.name.endsWith(`ai-sdk/${name}`))
      if (file === undefined) throw new Error(`there is no ${name}`)
      return JSON.parse(readTranscript(file))
    }
    const messages: UIMessage[] = sample('ui-messages.json').messages
    const converted = await convertToModelMessages(messages)
    expect(JSON.parse(JSON.stringify(converted))).toEqual(sample('model-messages.json'))
  })
})

describe('results for a model', () => {
  const resultsOf = (more: object) => {
    const { results, resultTexts } = read([...MESSAGES, call('b'), tool(resultPart('b', more))])
    return { ...results[1], texts: resultTexts[1] }
  }

  test.each([
    ['a text', text('long'), 'text', ['long'], []],
    ['an empty text', text(''), 'text', [''], []],
    [
      'a JSON value',
      { output: { type: 'json', value: { code: 0, out: ['b', 'long'] } } },
      ...(['text', ['long', 'b'], []] as const),
    ],
    ['a number', { output: { type: 'json', value: 7 } }, 'other', [], []],
    ['an error', { output: { type: 'error-text', value: 'none' } }, 'text', ['none'], ['flag']],
    [
      'an error as JSON',
      { output: { type: 'error-json', value: { error: 'none' } } },
      ...(['text', ['none'], ['json_error', 'flag']] as const),
    ],
    ['denied', { output: { type: 'execution-denied', reason: 'no' } }, 'text', ['no'], ['flag']],
    [
      'texts',
      { output: { type: 'content', value: [{ type: 'text', text: 'a' }] } },
      ...(['text', ['a'], []] as const),
    ],
    [
      'a text and an image',
      {
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            { type: 'media', data: 'AA', mediaType: 'image/png' },
          ],
        },
      },
      ...(['other', [], []] as const),
    ],
    [
      'the answer of an MCP server',
      {
        output: { type: 'json', value: { content: [{ type: 'text', text: 'a' }], isError: true } },
      },
      ...(['text', ['a'], ['flag']] as const),
    ],
    ['version 4', { result: 'long' }, 'text', ['long'], []],
    ['version 4, an error', { result: 'long', isError: true }, 'text', ['long'], ['flag']],
  ])('%s', (_, more, shape, texts, rules) => {
    expect(resultsOf(more)).toMatchObject({ shape, texts, errorRules: rules })
  })

  test('version 4 repeats a result as content, with an image it is no text', () => {
    const part = { type: 'text', text: 'long' }
    expect(resultsOf({ result: 'long', experimental_content: [part] })).toMatchObject({ twins: 1 })
    const image = { type: 'image', data: 'AA' }
    expect(resultsOf({ result: 'long', experimental_content: [part, image] })).toMatchObject({
      shape: 'other',
      twins: 0,
    })
  })
})

test('the reason of a denial stands in the approval too, a result of a provider in its content', () => {
  const reason = 'not on a Friday'
  const messages = [
    ASK,
    call('a'),
    tool(
      { type: 'tool-approval-response', approvalId: 'p', approved: false, reason },
      resultPart('a', { output: { type: 'execution-denied', reason } }),
    ),
    call('b'),
    tool(resultPart('b', { result: 'x', content: [{ type: 'text', text: 'x' }] })),
    call('c'),
    tool(resultPart('c', text('x'))),
  ]
  expect(read(messages).results.map(({ twins }) => twins)).toEqual([1, 1, 0])
  expectStableMasking(JSON.stringify(messages), 'ai-sdk')
})

test('what stands beside the messages and equals a result is masked with it', () => {
  const seen = 'what the tool saw, a long line'
  const failed = 'no such tool, a long line'
  const messages = [
    ASK,
    call('a'),
    tool(resultPart('a', text(seen))),
    call('b'),
    tool(resultPart('b', { output: { type: 'error-text', value: failed } })),
    call('c'),
    tool(resultPart('c', text('x'))),
  ]
  const sent = [{ role: 'tool', tool_call_id: 'a', content: seen }]
  const step = {
    content: [{ type: 'tool-error', toolCallId: 'b', toolName: 'read', error: failed }],
    request: { body: JSON.stringify({ model: 'gpt-5', messages: sent }) },
  }
  const value = { steps: [step], response: { messages } }
  expect(read(value).results.map(({ twins }) => twins)).toEqual([1, 1, 0])
  expectStableMasking(JSON.stringify(value), 'ai-sdk')
})

describe('what generateText gives, written down whole', () => {
  const answered = (id: string, value: unknown) => tool(resultPart(id, text(value)))
  const first = [call('a'), answered('a', 'first')]
  const step = (id: string, output: string, messages: readonly unknown[]) => ({
    content: [{ type: 'tool-result', toolCallId: id, toolName: 'read', input: {}, output }],
    response: { id: 'r', messages },
  })
  const steps = [
    step('a', 'first', first),
    step('b', 'second', [...first, call('b'), answered('b', 'second')]),
  ]

  test('the steps repeat results, which are masked with those of the last messages that hold them', () => {
    const source = JSON.stringify({ steps, totalUsage: {} })
    const document = readDocument(source)
    expect(document.conversations.map(({ label }) => label)).toEqual([
      'steps[0].response.messages',
      'steps[1].response.messages',
    ])
    expect(document.conversations.map(({ results }) => results.map(({ twins }) => twins))).toEqual([
      [0],
      [1, 1],
    ])
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
    const masked = JSON.parse(maskDocument({ text: source, ...document }, policy).text)
    expect(masked.steps[0].content[0].output).toBe(
      masked.steps[1].response.messages[1].content[0].output.value,
    )
    expect(masked.steps[0].content[0].output).toMatch(/^\[Obs/)
    expect(masked.steps[1].content[0].output).toBe('second')
    expectStableMasking(source, 'ai-sdk')
  })

  test('another output under the same id is no copy', () => {
    const [one, two] = steps
    const value = { steps: [{ ...one, content: step('a', 'other', []).content }, two] }
    const document = readDocument(JSON.stringify(value))
    expect(document.conversations[1]?.results.map(({ twins }) => twins)).toEqual([0, 1])
  })
})

describe('what is of a wrong type gets a sentence', () => {
  test.each([
    [
      [...MESSAGES, { role: 'user', content: 7 }],
      '[3].content is a number; expected a text or a list of parts.',
      '7',
    ],
    [
      [...MESSAGES, { role: 'user', content: [7] }],
      '[3].content[0] is a number; expected a part, an object with a "type".',
      '7',
    ],
    [
      [...MESSAGES, { role: 'user', content: [{ type: 'text', text: 7 }] }],
      '[3].content[0].text is a number; expected a text.',
      '7',
    ],
    [
      [...MESSAGES, tool(resultPart('a', { output: 'plain' }))],
      '[3].content[0].output is a text; expected an output, an object with a "type" such as "text" or "json".',
      '"plain"',
    ],
    [
      [...MESSAGES, tool(resultPart('a', text(7)))],
      '[3].content[0].output.value is a number; expected a text.',
      '7',
    ],
    [
      [...MESSAGES, tool(resultPart('a', { output: { type: 'content', value: 'x' } }))],
      '[3].content[0].output.value is a text; expected a list of content parts.',
      '"x"',
    ],
    [
      [...MESSAGES, tool({ type: 'tool-result', toolCallId: 7, ...text('x') })],
      '[3].content[0].toolCallId is a number; expected a text, the id of the call it answers.',
      '7',
    ],
    [[...MESSAGES, null], '[3] is null, not a message; it was left alone.', 'null'],
    [
      [answer(toolPart('a')), { role: 'assistant', parts: 'x' }],
      '[1].parts is a text; expected a list of parts.',
      '"x"',
    ],
    [
      [answer(toolPart('a'), 'x')],
      '[0].parts[1] is a text; expected a part, an object with a "type".',
      '"x"',
    ],
    [
      [answer(toolPart('a', { state: 'output-error', errorText: 7 }))],
      '[0].parts[0].errorText is a number; expected a text.',
      '7',
    ],
    [
      [answer({ type: 'tool-invocation', toolInvocation: 'x' })],
      '[0].parts[0].toolInvocation is a text; expected a call, an object with "toolCallId" and "toolName".',
      '"x"',
    ],
    [
      [answer({ ...toolPart('a'), toolCallId: 7 })],
      '[0].parts[0].toolCallId is a number; expected a text, the id of the call.',
      '7',
    ],
  ])('%#', (value, sentence, at) => {
    const { format, said } = complaintsOf(JSON.stringify(value))
    expect(format).toBe('ai-sdk')
    expect(said.map(([first]) => first)).toEqual([sentence])
    expect(said[0]?.[1].startsWith(at)).toBe(true)
  })

  test('cut off, the place is the end', () => {
    for (const value of [MESSAGES, [answer(toolPart('a'))]]) {
      const cut = JSON.stringify(value).slice(0, -20)
      expect(complaintsOf(cut)).toMatchObject({ format: 'unread', said: [[/looks cut off/, '']] })
    }
  })
})

/** Messages of chat completions in the words of messages for a model, or for a page. */
const WRITINGS: readonly ((message: ChatMessage) => unknown)[] = [
  ({ role, content, tool_calls: calls, tool_call_id: id }) => {
    if (role === 'tool') {
      const output =
        typeof content === 'string'
          ? { type: 'text', value: content }
          : { type: 'json', value: content }
      return tool({ type: 'tool-result', toolCallId: id, toolName: 'read', output })
    }
    const said = typeof content === 'string' ? [{ type: 'text', text: content }] : []
    return {
      role,
      content: [...said, ...idsOf(calls).map((toolCallId) => ({ type: 'tool-call', toolCallId }))],
    }
  },
  ({ role, content, tool_calls: calls }) => {
    const toolInvocations = idsOf(calls).map((id) => invocation(String(id), { result: content }))
    return {
      role: role === 'tool' ? 'assistant' : role,
      parts: [
        { type: 'text', text: content },
        ...toolInvocations.map((toolInvocation) => ({ type: 'tool-invocation', toolInvocation })),
      ],
      toolInvocations,
    }
  },
]

function idsOf(calls: unknown): readonly unknown[] {
  return Array.isArray(calls) ? calls.map((made) => made?.id) : []
}

test('masking any session changes its results alone, and once', () => {
  fc.assert(
    fc.property(anyMessages, fc.constantFrom(...WRITINGS), (messages, write) => {
      const value = [...MESSAGES, answer(toolPart('z')), ...messages.map(write)]
      expectStableMasking(JSON.stringify(value), 'ai-sdk')
    }),
  )
})
