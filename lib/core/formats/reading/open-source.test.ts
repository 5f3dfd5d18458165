import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Problem, problemOfReading, ReadError } from '../../problem'
import { anyDocument } from '../../testing/documents'
import { sentenceThrownBy } from '../../testing/spoken'
import { forAll } from '../../testing/test-size'
import { describeProblem, inEnglish } from '../../words/english'
import { readDocument } from '../read-document'
import {
  ArrivingSource,
  decodeFile,
  MAX_FILE_BYTES,
  MAX_SOURCE_LENGTH,
  openSource,
} from './open-source'
import { resultSpanAt, type SourceDocument, type SourceValue } from './source-document'

const MESSAGE = JSON.stringify({ role: 'user', content: 'wörds, 詞 and 👍' })
const PARTS = ['\n', '\r\n', ' ', '\ufeff', '\u00a0', '[', '{"role":', MESSAGE, `${MESSAGE}\n`]
const anyText = fc.array(fc.constantFrom(...PARTS)).map((parts) => parts.join(''))
const anyLines = fc
  .array(fc.constantFrom(MESSAGE, MESSAGE, MESSAGE, '', '{', '\t'))
  .map((lines) => lines.join('\n'))

function arrive(text: string, chunkSize: number): SourceDocument | string {
  const bytes = new TextEncoder().encode(text)
  const arriving = new ArrivingSource(new Uint8Array(bytes.length))
  for (let at = 0; at < bytes.length; at += chunkSize) arriving.add(bytes.slice(at, at + chunkSize))
  return arriving.finish()
}

/** All that is read, or the problem. */
function readingOf(input: SourceDocument | string) {
  try {
    const { source, ...reading } = readDocument(input)
    return { ...reading, layout: source.layout, text: source.text.slice(0) }
  } catch (error) {
    return problemOfReading(error)
  }
}

test('a text that arrives in chunks is read like the text', () => {
  const anyWhole = fc.oneof(
    anyText,
    anyLines,
    anyDocument.map(({ text }) => text.toWellFormed()),
  )
  forAll(400, [anyWhole, fc.integer({ min: 1, max: 90 })], (text, chunkSize) => {
    expect(readingOf(arrive(text, chunkSize))).toEqual(readingOf(text))
  })
})

test('a line and a line of a space that JSON does not have are read like the text', () => {
  const text = `${MESSAGE}\n\u00a0`
  expect(arrive(text, 500)).toBe(text)
})

test('lines are read before the last has arrived', () => {
  const bytes = new TextEncoder().encode(`${MESSAGE}\n`.repeat(3))
  const arriving = new ArrivingSource(new Uint8Array(bytes.length + 1))
  arriving.add(bytes)
  // Not UTF-8: the lines before it are decoded already.
  arriving.add(Uint8Array.of(0xff))
  expect(sentenceThrownBy(() => arriving.finish())).toMatch('byte 0 ')
})

test('a value on the first line and pretty-printed ones after it are values in a row', () => {
  const user = { role: 'user', content: 'List the files.' }
  const answer = { role: 'assistant', content: [{ type: 'text', text: 'None.' }] }
  const text = [JSON.stringify(user), JSON.stringify(answer, null, 2), `${MESSAGE}\n`].join('\n')
  const document = readDocument(text)
  expect(document.problems).toEqual([])
  expect(document.conversations[0]?.messages).toHaveLength(3)
  expect(readingOf(arrive(text, 7))).toEqual(readingOf(text))
  const cut = readDocument(text.slice(0, text.indexOf('"text"')))
  expect(cut.problems.map(({ code }) => code)).toContain('bad_line')
})

test('pretty-printed values in a row are read like lines, and masking keeps their bytes', () => {
  const pretty = (id: number) =>
    JSON.stringify({ messages: [{ role: 'user', content: `message ${id}` }] }, null, 2)
  const text = `\ufeff${pretty(1)}\r\n\n${pretty(2)}${pretty(3)}\n`
  const { source, conversations } = readDocument(text)
  expect(source).toEqual({ text, layout: 'jsonl' })
  expect(conversations.map(({ label }) => inEnglish(label))).toEqual([
    'line 1',
    'line 10',
    'line 17',
  ])
  const [, second] = conversations
  const { start, end } = second?.messages[0] ?? { start: 0, end: 0 }
  expect(JSON.parse(text.slice(start, end))).toEqual({ role: 'user', content: 'message 2' })
})

test.each([
  ['{\n"messages": []}\n{\n"a": [1,]}', 'Line 4, column 9: found ]'],
  ['{\n"messages": []}\n{\n"a": ', 'ends at line 4, column 6, inside the object opened on line 3'],
  ['{\n"messages": []}\n{}\nand so on', 'Line 4, column 1: found and; expected a value'],
  ['{\n"messages": []}\n"text"', 'Line 3, column 1: found "text"'],
])('what is wrong with a value after others is located: %j', (text, sentence) => {
  expect(sentenceThrownBy(() => readDocument(text))).toMatch(sentence)
})

test.each([
  ['['.repeat(513), 'column 513: arrays and objects are nested more than 512 levels deep'],
  ['"cut', 'it ends at column 5, inside the document'],
])('why a line is not JSON is said without the line: %j', (line, reason) => {
  const [problem] = openSource(`${MESSAGE}\n${line}\n${MESSAGE}`).problems
  expect(describeProblem(problem as Problem)).toContain(`Line 2 is not JSON (${reason}`)
})

test.each([
  ['a text past the limit', () => openSource('x'.repeat(MAX_SOURCE_LENGTH + 1)), 'too_large'],
  ['a file past the limit', () => decodeFile(new Uint8Array(MAX_FILE_BYTES + 1)), 'too_large'],
  ['a file of spaces', () => decodeFile(new TextEncoder().encode(' \n')), 'empty_file'],
])('%s is refused', (_, read, code) => {
  expect(read).toThrow(ReadError)
  expect(read).toThrow(expect.objectContaining({ problem: expect.objectContaining({ code }) }))
})

test('a file is decoded', () => {
  expect(decodeFile(new TextEncoder().encode('[1]'))).toBe('[1]')
})

test('only a string can be a span', () => {
  const { values } = openSource('{"a":[7,"x"]}')
  expect(resultSpanAt(values[0] as SourceValue, ['a', 1], undefined)).toMatchObject({
    pointer: '/a/1',
    start: 8,
    end: 11,
  })
  expect(() => resultSpanAt(values[0] as SourceValue, ['a', 0], undefined)).toThrow(
    'No string at /a/0.',
  )
})
