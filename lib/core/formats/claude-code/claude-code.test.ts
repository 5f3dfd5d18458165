import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskDocument } from '../../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../../policy/policy'
import { ReadError } from '../../problem'
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
  const duplicatesOf = (
    content: unknown,
    toolUseResult: unknown,
    extra: readonly object[] = [],
  ) => {
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
    expect(again?.duplicates).toBe(found.duplicates)
    return found.slots.slice(found.slots.length - found.duplicates).map(({ pointer }) => pointer)
  }

  const stored = (preview: string) =>
    `<persisted-output>\nToo large.\n\nPreview (first 2KB):\n${preview}\n</persisted-output>`
  const output = { stdout: 'abc, a word and </persisted-output>' }

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
    ['no common text', 'Todos were changed.', { oldTodos: [{ content: 'Write' }] }, []],
    ['names and ids', 'text', { type: 'text', agentId: 'text', status: 'text' }, []],
    ['short lines alone', '}\nreturn nil\n}', { originalFile: 'other\nreturn nil\n' }, []],
    ['a preview', stored('abc, a word and'), output, ['/toolUseResult/stdout']],
    ['a preview of a few characters, not even by the tag around it', stored('abc'), output, []],
    ['an image', [{ type: 'image', source: {} }], { stdout: 'one', isImage: true }, []],
  ])('%s', (_, content, toolUseResult, pointers) => {
    expect(duplicatesOf(content, toolUseResult)).toEqual(pointers)
  })

  test('progress of the call is masked with its result', () => {
    const progress = (parentToolUseID: string) => ({
      type: 'progress',
      sessionId: 's',
      parentToolUseID,
      data: { type: 'bash_progress', output: 'one two three', fullOutput: 'one two three\nfour' },
    })
    const extra = [progress('a'), progress('z'), { ...progress('a'), data: 'one two three' }]
    expect(duplicatesOf('one two three\nfour', { stdout: 'x' }, extra)).toEqual([
      '/data/output',
      '/data/fullOutput',
      '/data',
    ])
  })

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

test('agents inside progress lines are told apart by their calls where they have no id', () => {
  const started = (parentToolUseID: string, text: string) => ({
    type: 'progress',
    parentToolUseID,
    data: { message: { type: 'user', message: { role: 'user', content: text } } },
  })
  const lines = [
    answer('m1', call('a'), call('b')),
    started('a', 'look'),
    started('b', 'listen'),
    started('a', 'again'),
    user(result('a', 'one')),
  ]
  const { conversations } = readDocument(textOf(lines))
  const texts = conversations.map(({ messageTexts }) => messageTexts.map((one) => one.contents))
  expect(texts).toHaveLength(3)
  expect(texts).toContainEqual([['look'], ['again']])
  expect(texts).toContainEqual([['listen']])
})

test('the same envelope around messages of Gemini is not recognised', () => {
  const lines = ['user', 'assistant'].map((type) => ({
    type,
    parentUuid: null,
    sessionId: 's',
    message: { role: type === 'user' ? 'user' : 'model', parts: [{ text: 'go' }] },
  }))
  expect(() => readDocument(textOf(lines))).toThrow(ReadError)
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
])('%s are not recognised', (_, text) => {
  let candidates: readonly string[] = []
  try {
    candidates = readDocument(text).candidates
  } catch (error) {
    expect(error).toBeInstanceOf(ReadError)
  }
  expect(candidates).not.toContain('claude-code')
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
        for (const { slots, duplicates } of results) {
          for (const slot of slots.slice(slots.length - duplicates)) {
            expect(typeof readValueAt(text, slot)).toBe('string')
          }
        }
      }
    }),
    fuzz(100),
  )
})
