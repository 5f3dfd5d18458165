import { expect, test } from 'vitest'
import { ReadError } from '../../problem'
import { decodeFile, MAX_FILE_BYTES, MAX_SOURCE_LENGTH, openSource } from './open-source'
import { resultSpanAt, type SourceValue } from './source-document'

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
