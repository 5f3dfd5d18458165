import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { ReadError } from '../problem'
import { expectMaskedOnly } from '../testing/expect-masked'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readPlace } from '../text/embedded-json'
import { readDocument } from './read-document'

const MASK_ALL: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, keepErrors: false }

interface Envelope {
  readonly [key: string]: unknown
}

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
const call = (id: string, name = 'Read') => ({
  type: 'tool_use',
  id,
  name,
  input: { path: 'a.ts' },
})
const result = (id: string, content: unknown = 'one') => [
  { type: 'tool_result', tool_use_id: id, content },
]
const BOUNDARY = { type: 'system', subtype: 'compact_boundary', sessionId: 's', isSidechain: false }
const SUMMARY = user('What was done so far.', { isCompactSummary: true })

const textOf = (lines: readonly unknown[]) => lines.map((line) => JSON.stringify(line)).join('\n')

function read(lines: readonly unknown[]) {
  const document = readDocument(textOf(lines))
  expect(document.format.id).toBe('claude-code')
  return document
}

function onlyConversation(lines: readonly unknown[]) {
  const { conversations } = read(lines)
  expect(conversations).toHaveLength(1)
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  return conversation
}

describe('messages', () => {
  test('lines with one message id are one message, results between them or not', () => {
    const { messages, results, calls, turnCount } = onlyConversation([
      user('go'),
      answer('m1', { type: 'thinking', thinking: 'hm', signature: '' }),
      answer('m1', call('a')),
      user(result('a')),
      answer('m1', call('b')),
      user(result('b')),
      answer('m2', { type: 'text', text: 'Done.' }),
    ])
    expect(messages.map(({ role, more }) => [role, more.length])).toEqual([
      ['user', 0],
      ['assistant', 2],
      ['user', 0],
      ['user', 0],
      ['assistant', 0],
    ])
    expect([turnCount, calls.length, results.map(({ turn }) => turn)]).toEqual([1, 2, [0, 0]])
    expect(messages[1]?.reasoning).toHaveLength(1)
  })

  test('lines of other types are left alone without complaint', () => {
    const others = ['summary', 'file-history-snapshot', 'progress', 'queue-operation', 'attachment']
    const { conversations, problems } = read([
      ...others.map((type) => ({ type, sessionId: 's' })),
      user('go'),
      { type: 'system', subtype: 'turn_duration', durationMs: 3 },
    ])
    expect(conversations[0]?.messages).toHaveLength(1)
    expect(problems).toEqual([])
  })

  test('notes of failed requests are no messages', () => {
    const note = answer('m', { type: 'text', text: 'API Error' }, { isApiErrorMessage: true })
    expect(onlyConversation([user('go'), note]).messages).toHaveLength(1)
  })

  test('the model is the one answers name', () => {
    expect(onlyConversation([user('go'), answer('m', call('a'))]).model).toBe('claude-opus-4-5')
  })
})

describe('contexts', () => {
  const turn = (id: string, around: Envelope = {}) => [
    answer(`m${id}`, call(id), around),
    user(result(id), around),
  ]
  const labelsOf = (lines: readonly unknown[]) =>
    read(lines).conversations.map(({ label, turnCount }) => [label, turnCount])

  test('what follows a compaction is a conversation of its own', () => {
    expect(
      labelsOf([user('go'), ...turn('a'), BOUNDARY, SUMMARY, ...turn('b'), ...turn('c')]),
    ).toEqual([
      ['session', 1],
      ['session from line 5, after a compaction', 2],
    ])
  })

  test('a summary without a boundary begins one too', () => {
    expect(labelsOf([...turn('a'), SUMMARY, ...turn('b')])).toEqual([
      ['session', 1],
      ['session from line 3, after a compaction', 1],
    ])
  })

  test('a summary that begins the file begins nothing new', () => {
    expect(labelsOf([BOUNDARY, SUMMARY, ...turn('a')])).toEqual([['session', 1]])
  })

  test('agents are told apart by their id, in whatever order their lines stand', () => {
    const [one, two] = ['a1', 'a2'].map((agentId) => ({ isSidechain: true, agentId }))
    expect(
      labelsOf([
        ...turn('a'),
        answer('m1', call('x'), one),
        answer('m2', call('y'), two),
        user(result('x'), one),
        user(result('y'), two),
        ...turn('b'),
      ]),
    ).toEqual([
      ['session', 2],
      ['agent a1', 1],
      ['agent a2', 1],
    ])
  })

  test('sidechains without a name go on from the line before them', () => {
    const link = (uuid: string, parentUuid: string | null) => ({
      isSidechain: true,
      uuid,
      parentUuid,
    })
    expect(
      labelsOf([
        user('go', { uuid: 'm' }),
        user('look', link('1', null)),
        user('find', link('2', null)),
        answer('m1', call('x'), link('3', '1')),
        answer('m2', call('y'), link('4', '2')),
        user(result('x'), link('5', '3')),
      ]),
    ).toEqual([
      ['session', 0],
      ['sidechain from line 2', 1],
      ['sidechain from line 3', 1],
    ])
  })

  test('an agent is compacted without its session', () => {
    const agent = { isSidechain: true, agentId: 'a1' }
    const lines = [...turn('a'), ...turn('x', agent), { ...BOUNDARY, ...agent }]
    expect(labelsOf([...lines, ...turn('y', agent), ...turn('b')])).toEqual([
      ['session', 2],
      ['agent a1', 1],
      ['agent a1 from line 6, after a compaction', 1],
    ])
  })

  test('a stream names agents by the call that started them, and runs by their session', () => {
    const around = (session_id: string, parent_tool_use_id: string | null = null) => ({
      isSidechain: undefined,
      sessionId: undefined,
      session_id,
      parent_tool_use_id,
    })
    const lines = [
      { type: 'system', subtype: 'init', session_id: 'r1' },
      ...turn('a', around('r1')),
      ...turn('x', around('r1', 'a')),
      { type: 'result', subtype: 'success', result: 'Done.', session_id: 'r1' },
      ...turn('b', around('r2')),
    ]
    const labels = [
      ['session', 1],
      ['agent of a', 1],
    ]
    expect(labelsOf(lines)).toEqual([...labels, ['session from line 7', 1]])
    const { evidence, conversations } = readDocument(JSON.stringify(lines, null, 2))
    expect(evidence.shape).toBe('event_array')
    expect(conversations.map(({ label, turnCount }) => [label, turnCount])).toEqual([
      ...labels,
      ['session from [6]', 1],
    ])
  })
})

describe('repeats of a result', () => {
  const twinsOf = (content: unknown, toolUseResult: unknown, extra: readonly object[] = []) => {
    const lines = [
      answer('m1', call('a')),
      ...extra,
      user(result('a', content), { toolUseResult }),
      answer('m2', call('b')),
    ]
    const text = textOf(lines)
    const document = readDocument(text)
    const [found] = document.conversations[0]?.results ?? []
    if (found === undefined) throw new Error('no result')
    const masked = maskDocument({ text, ...document }, MASK_ALL)
    expectMaskedOnly(document, masked)
    const again = readDocument(masked.text).conversations[0]?.results[0]
    expect(again?.twins).toBe(found.twins)
    return found.slots.slice(found.slots.length - found.twins).map(({ pointer }) => pointer)
  }

  test.each([
    ['the same string', 'one', 'one', ['/toolUseResult']],
    ['a command', 'one\ntwo', { stdout: 'one\ntwo\n', stderr: '' }, ['/toolUseResult/stdout']],
    [
      'a file without its line numbers',
      '     1→const total = 3\n     2→\n\n<system-reminder>Mind.</system-reminder>',
      { type: 'text', file: { filePath: '/const total = 3', content: 'const total = 3\n' } },
      ['/toolUseResult/file/content'],
    ],
    [
      'a list of files, by its lines',
      'Found 2 files\nsrc/a.ts\nsrc/b.ts',
      { mode: 'files_with_matches', filenames: ['src/a.ts', 'src/b.ts'], numFiles: 2 },
      ['/toolUseResult/filenames/0', '/toolUseResult/filenames/1'],
    ],
    [
      'an edit, by the lines shown of it',
      'The file a.ts has been updated.\n     1→const total = 4\n     2→}',
      {
        filePath: 'a.ts',
        oldString: 'const total = 3',
        newString: 'const total = 4',
        structuredPatch: [{ lines: ['-const total = 3', '+const total = 4', ' }'] }],
      },
      ['/toolUseResult/newString', '/toolUseResult/structuredPatch/0/lines/1'],
    ],
    [
      'a search, by what it quotes',
      'Links:\n[{"title":"A page about boxes"}]',
      { query: 'boxes', results: [{ content: [{ title: 'A page about boxes', url: 'x' }] }] },
      ['/toolUseResult/results/0/content/0/title'],
    ],
    [
      'an error',
      '<tool_use_error>File does not exist.</tool_use_error>',
      'Error: File does not exist.',
      ['/toolUseResult'],
    ],
    ['nothing that is shared', 'Todos were changed.', { oldTodos: [{ content: 'Write' }] }, []],
    ['what only names it', 'text', { type: 'text', agentId: 'text', status: 'text' }, []],
    ['short lines alone', '}\nreturn nil\n}', { originalFile: 'other\nreturn nil\n' }, []],
    ['an image', [{ type: 'image', source: {} }], { stdout: 'one', isImage: true }, []],
  ])('%s', (_, content, toolUseResult, pointers) => {
    expect(twinsOf(content, toolUseResult)).toEqual(pointers)
  })

  test('what an MCP server gave as JSON, beside the result and in it', () => {
    const rows = { rows: [{ name: 'A customer of ours', note: 'Pays late.\nAnd seldom at all.' }] }
    const lines = [
      answer('m1', call('a', 'mcp__db__query')),
      user(result('a', [{ type: 'text', text: JSON.stringify(rows) }]), {
        mcpMeta: { structuredContent: rows },
      }),
      answer('m2', call('b')),
    ]
    const { results } = onlyConversation(lines)
    expect(results[0]?.slots.slice(1).map(({ pointer }) => pointer)).toEqual([
      '/mcpMeta/structuredContent/rows/0/name',
      '/mcpMeta/structuredContent/rows/0/note',
    ])
    expectStableMasking(textOf(lines), 'claude-code')
  })

  test('progress of the call is masked with its result', () => {
    const progress = (parentToolUseID: string) => ({
      type: 'progress',
      sessionId: 's',
      parentToolUseID,
      data: { type: 'bash_progress', output: 'one two three', fullOutput: 'one two three\nfour' },
    })
    const extra = [progress('a'), progress('z')]
    expect(twinsOf('one two three\nfour', { stdout: 'x' }, extra)).toEqual([
      '/data/output',
      '/data/fullOutput',
    ])
  })

  test('progress of an id that is used twice is masked with the first result', () => {
    const progress = { type: 'progress', parentToolUseID: 'a', data: { output: 'one' } }
    const { results } = onlyConversation([
      answer('m1', call('a')),
      progress,
      user(result('a', 'one')),
      user(result('a', 'one')),
    ])
    expect(results.map(({ twins }) => twins)).toEqual([1, 0])
  })

  test('of two results on a line, a string is the twin of one', () => {
    const { results } = onlyConversation([
      answer('m1', call('a')),
      answer('m1', call('b')),
      user([...result('a', 'one'), ...result('b', 'one')], { toolUseResult: ['one', 'two'] }),
    ])
    expect(results.map(({ twins }) => twins)).toEqual([1, 0])
  })

  test('strings that merely quote the placeholder are not taken for it', () => {
    const placeholderTemplate = '[gone: {tool_arguments}]'
    const text = textOf([
      answer('m1', { ...call('a'), input: { file_path: 'src/some/file.ts' } }),
      user(result('a', 'one'), { toolUseResult: { file: 'src/some/file.ts', stdout: 'one' } }),
      answer('m2', call('b')),
    ])
    const policy = { ...MASK_ALL, placeholderTemplate }
    const masked = maskDocument({ text, ...readDocument(text) }, policy)
    expect(readDocument(masked.text).conversations[0]?.results[0]?.twins).toBe(1)
  })
})

describe('lines that stand twice', () => {
  const lines = [
    user('go', { uuid: '1' }),
    answer('m1', call('a'), { uuid: '2' }),
    user(
      result('a', [
        { type: 'text', text: 'x' },
        { type: 'text', text: 'y' },
      ]),
      {
        uuid: '3',
        toolUseResult: 'x\ny',
      },
    ),
  ]

  test('are one message, and are masked with its result', () => {
    const more = answer('m2', call('b'), { uuid: '4' })
    const { messages, calls, results } = onlyConversation([...lines, ...lines, more])
    expect([messages.length, calls.length]).toEqual([4, 2])
    expect(results).toMatchObject([{ twins: 4 }])
    expectStableMasking(textOf([...lines, ...lines, more]), 'claude-code')
  })

  test('are two where the message differs, or a compaction stands between', () => {
    const changed = user('stay', { uuid: '1' })
    expect(onlyConversation([...lines, changed]).messages).toHaveLength(4)
    const { conversations } = read([...lines, BOUNDARY, SUMMARY, ...lines])
    expect(conversations.map(({ results }) => results.length)).toEqual([1, 1])
  })
})

test('an envelope around messages in the words of Gemini is not claimed', () => {
  const lines = ['user', 'assistant'].map((type) => ({
    type,
    parentUuid: null,
    sessionId: 's',
    message: { role: type === 'user' ? 'user' : 'model', parts: [{ text: 'go' }] },
  }))
  expect(() => readDocument(textOf(lines))).toThrow(ReadError)
})

describe('what is not as it should be', () => {
  const sentencesOf = (lines: readonly unknown[]) =>
    read(lines).problems.map(({ code, values, offset = -1 }) => [
      code,
      values.path,
      values.found,
      textOf(lines).slice(offset, offset + 3),
    ])

  test.each([
    [{ ...user('x'), message: 'x' }, 'wrong_type', 'line 2: message', 'a text', '"x"'],
    [{ type: 'user', sessionId: 's' }, 'wrong_type', 'line 2: message', 'missing', '{"t'],
    [user(7), 'wrong_type', 'line 2: message.content', 'a number', '7}}'],
    [user(['x']), 'wrong_type', 'line 2: message.content[0]', 'a text', '"x"'],
    [
      user(result('')),
      'wrong_type',
      'line 2: message.content[0].tool_use_id',
      'an empty text',
      '"",',
    ],
    [42, 'skipped_message', 'line 2', 'a number', '42'],
    ['massive', 'skipped_message', 'line 2', 'a text', '"ma'],
    [{ silly: 1 }, 'skipped_message', 'line 2', 'an object with "silly"', '{"s'],
  ])('%j is left alone and named', (line, ...sentence) => {
    expect(sentencesOf([user('go'), line])).toEqual([sentence])
  })

  test('a line that is no JSON is left alone, and the rest is read', () => {
    const text = `${textOf([user('go'), answer('m', call('a'))])}\n{"type": "user", \n${textOf([user(result('a'))])}`
    const { conversations, problems } = readDocument(text)
    expect(conversations[0]?.results).toHaveLength(1)
    expect(problems).toMatchObject([{ code: 'bad_line', values: { line: 3 } }])
  })

  test('a session without one message that can be read is an error with its place', () => {
    const text = textOf([{ ...user('x'), message: 5, uuid: 'u' }, { type: 'summary' }])
    expect(() => readDocument(text)).toThrow(
      new ReadError(
        'wrong_type',
        {
          path: 'line 1: message',
          found: 'a number',
          expected: 'a message, an object with a "role" and a "content"',
        },
        text.indexOf('5,'),
      ),
    )
  })

  test.each([
    [
      'bare messages',
      textOf([
        { role: 'user', content: 'go' },
        { role: 'assistant', content: 'x' },
      ]),
    ],
    ['stored messages', textOf([{ type: 'human', data: { content: 'go' } }])],
    ['events of another program', textOf([{ type: 'user', message: 'go' }])],
    ['responses', textOf([{ type: 'message', role: 'assistant', content: [call('a')] }])],
  ])('%s are not claimed', (_, text) => {
    let candidates: readonly string[] = []
    try {
      candidates = readDocument(text).candidates
    } catch (error) {
      expect(error).toBeInstanceOf(ReadError)
    }
    expect(candidates).not.toContain('claude-code')
  })
})

test('whatever the outputs and their repeats, masking changes the listed strings and nothing else, once', () => {
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
        for (const { slots, twins } of results) {
          for (const slot of slots.slice(slots.length - twins)) {
            expect(typeof readPlace(text, slot)).toBe('string')
          }
        }
      }
    }),
  )
})
