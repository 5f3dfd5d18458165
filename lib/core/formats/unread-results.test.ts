/**
 * Texts that a plain walk finds under `output`, `result` or `content` below a role, type or key of a tool are those of
 * results, or named in a problem: in every sample, published file and generated document.
 */

import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { ReadError } from '../problem'
import { anyDocument } from '../testing/documents'
import { problemsOf } from '../testing/problems-of'
import { forAll } from '../testing/test-size'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES, STREAM_FILES } from '../testing/transcripts'
import { isJsonObject } from '../text/json'
import { recogniseCopiedRequests } from './network/recognise-copied-requests'
import { CHAT, GEMINI } from './network/testing/captured-answers'
import { readDocument } from './read-document'
import { repeatTest } from './reading/find-repeats'
import { openSource } from './reading/open-source'

const TOOL = /tool|function|observation|_output$/i
/** Definitions, what a model wrote, and names beside a text. */
const OTHER_KEY =
  /^(?:tools|functions|arguments|args|input|parameters)$|schema|(?:name|type|role|id|data|url|source|format|title|description)$/i
/** Where a format has what is not a result: what it shows, what a provider reads alone, what is stored elsewhere. */
const NO_RESULT =
  /\b(?:toolUseResult|tool_call_metadata|structuredContent|structured_content|encrypted_\w+|page_age|error_code|view)\b/
const STORED = /^attachment:\/\/|^Old environment output: /

/** The texts with their paths. */
function* looksLikeResults(
  value: unknown,
  path: string,
  isOfTool: boolean,
  isResult: boolean,
): Generator<readonly [text: string, path: string]> {
  if (typeof value === 'string' && isResult && value.trim() !== '') yield [value, path]
  if (typeof value !== 'object' || value === null) return
  const { role, type } = isJsonObject(value) ? value : {}
  const ofTool = isOfTool || TOOL.test(`${String(role)} ${String(type)}`)
  for (const [key, member] of Object.entries(value)) {
    if (OTHER_KEY.test(key)) continue
    const below = ofTool || TOOL.test(key)
    const isBelow = isResult || (below && /^(?:output|result|content)$/.test(key))
    yield* looksLikeResults(member, `${path}.${key}`, below, isBelow)
  }
}

/** The texts that no result has and no problem is about; empty for a text that is refused with a sentence. */
function silentTexts(text: string): string[] {
  try {
    const { conversations, problems, evidence } = readDocument(text)
    // Traces have answers where others have results.
    if (problems.length > 0 || evidence.shape === 'trace') return []
    const texts = conversations.flatMap(({ resultTexts, results, messageTexts }) => [
      ...resultTexts.flat(),
      // Of a result beside an image or another value, the texts stay in the message.
      ...results.flatMap(({ message }) => messageTexts[message]?.contents ?? []),
    ])
    const [known, isRepeated] = [new Set(texts), repeatTest(texts)]
    return openSource(text).values.flatMap(({ value }) =>
      [...looksLikeResults(value, '', false, false)].flatMap(([found, path]) =>
        known.has(found) || isRepeated?.(found) || NO_RESULT.test(path) || STORED.test(found)
          ? []
          : [`${path}: ${found.slice(0, 60)}`],
      ),
    )
  } catch (error) {
    if (error instanceof ReadError) return []
    throw error
  }
}

test.each([...SAMPLE_FILES, ...STREAM_FILES, ...CORPUS_FILES])('$name', (file) => {
  const text = readTranscript(file)
  expect(silentTexts(text)).toEqual([])
  expect(problemsOf(text).problems.flat().join()).not.toContain('looks like a tool result')
})

test('generated documents', () => {
  forAll(100, [anyDocument], ({ text }) => {
    expect(silentTexts(text)).toEqual([])
  })
})

const result = 'the whole text of a file that was read'
const item = (payload: object) => ({ type: 'response_item', payload })
const message = { type: 'message', role: 'user', content: 'go' }
const line = (type: string, value: object) => ({ type, sessionId: 's', message: value })
const withCall = (call: object) => [message, { role: 'assistant', tool_calls: [call] }]
const block = { type: 'tool_result', tool_use_id: 'a', content: result }
const SILENT: readonly (readonly [path: string, values: readonly object[]])[] = [
  ['tool_calls[0].output', withCall({ id: 'a', tool: 'read', output: result })],
  ['tool_calls[0].output.stdout', withCall({ id: 'a', tool: 'read', output: { stdout: result } })],
  ['tool_calls[0].response', withCall({ id: 'a', tool: 'read', response: result })],
  ['tool_results[0]', [message, { role: 'assistant', content: '', tool_results: [result] }]],
  [
    'message.content',
    [line('user', message), line('tool_result', { role: 'tool', content: result })],
  ],
  [
    'message.content[0].content',
    [line('user', message), line('tool_result', { content: [block] })],
  ],
  [
    'payload.content',
    [item(message), item({ type: 'message', role: 'function', content: result })],
  ],
]

test.each(SILENT)('%s is named, on lines and in a list', (path, values) => {
  for (const text of [
    values.map((value) => JSON.stringify(value)).join('\n'),
    JSON.stringify(values),
  ])
    expect(problemsOf(text).problems.flat().join()).toContain(`${path} looks like a tool result`)
})

describe.each(STREAM_FILES)('$name', ({ path }) => {
  const capture = readFileSync(path, 'utf8')

  test('cut off anywhere in the answer, it says so with its place', () => {
    const start = capture.indexOf('data:')
    const last = capture.lastIndexOf('data:')
    for (const share of [0.3, 0.6, 0.9]) {
      const cut = capture.slice(0, start + Math.floor((last - start) * share))
      const problems = recogniseCopiedRequests(cut)?.problems ?? []
      expect(problems.map(({ code }) => code)).toContain('stream_cut')
      for (const { offset } of problems) expect(offset).toBeGreaterThan(start)
    }
  })

  test('cut off in the request, it is JSON that ends too early, with its place', () => {
    const cut = capture.slice(0, capture.indexOf('data:') / 2)
    expect(() => readDocument(cut)).toThrow(
      expect.objectContaining({
        problem: expect.objectContaining({ code: 'truncated_json', offset: cut.length }),
      }),
    )
  })

  test('has no problems, alone and after an answer of another API', () => {
    const alone = recogniseCopiedRequests(capture)
    expect([alone?.count, alone?.hasRequests, alone?.problems]).toEqual([1, true, []])
    const other = capture.includes('chat.completion.chunk') ? GEMINI : CHAT
    const copied = recogniseCopiedRequests(`${other}${capture}`)
    expect([copied?.count, copied?.problems]).toEqual([2, []])
  })
})
