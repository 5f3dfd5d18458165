import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { nonBlankLines, textStart } from './json-lines'

const anyLine = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\u2028', '{') })

describe('nonBlankLines', () => {
  test('gives every line that is not blank, without its line end, in order', () => {
    fc.assert(
      fc.property(
        fc.array(anyLine),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (lines, end, hasMark) => {
          const text = (hasMark ? '\ufeff' : '') + lines.join(end)
          const expected = lines.flatMap((content, index) =>
            content.trim() === '' ? [] : [{ number: index + 1, content }],
          )
          const found = nonBlankLines(text).map(({ number, start, end: to }) => ({
            number,
            content: text.slice(start, to),
          }))
          expect(found).toEqual(expected)
        },
      ),
      fuzz(100),
    )
  })

  test('counts blank lines, so that the number is the one an editor shows', () => {
    const text = '\ufeff{"a":1}\r\n\r\n  \n{"b":2}'
    expect(nonBlankLines(text)).toEqual([
      { number: 1, start: 1, end: 8 },
      { number: 4, start: 15, end: 22 },
    ])
  })

  test('takes a line that begins with much white space for what it is', () => {
    const text = `${' '.repeat(500)}{}\n${' '.repeat(500)}`
    expect(nonBlankLines(text)).toEqual([{ number: 1, start: 0, end: 502 }])
  })

  test('finds nothing in nothing', () => {
    for (const text of ['', '\n\n', '\ufeff', '\ufeff\r\n']) expect(nonBlankLines(text)).toEqual([])
  })
})

test('a text starts after its byte order mark', () => {
  expect([textStart(''), textStart('{}'), textStart('\ufeff{}')]).toEqual([0, 0, 1])
})
