import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { hasMoreLines, indexLines, nonBlankLines, offsetAt, positionAt, textStart } from './lines'

const anyLine = fc.string({ unit: fc.constantFrom('a', ' ', '\t', '\u2028', '{') })

test('gives every line that is not blank, without its line end, in order', () => {
  const anyEnd = fc.constantFrom('\n', '\r\n')
  forAll(100, [fc.array(anyLine), anyEnd, fc.constantFrom('', '\ufeff')], (lines, end, mark) => {
    const text = mark + lines.join(end)
    const expected = lines.flatMap((content, index) =>
      content.trim() === '' ? [] : [`${index + 1}: ${content}`],
    )
    const found = nonBlankLines(text).map((line) => {
      return `${line.number}: ${text.slice(line.start, line.end)}`
    })
    expect(found).toEqual(expected)
  })
})

test('takes a line that begins with much white space for what it is', () => {
  const text = `${' '.repeat(500)}{}\n${' '.repeat(500)}`
  expect(nonBlankLines(text)).toEqual([{ number: 1, start: 0, end: 502 }])
})

test('a text starts after its byte order mark', () => {
  expect([textStart(''), textStart('{}'), textStart('\ufeff{}')]).toEqual([0, 0, 1])
})

const anyText = fc.string({ unit: fc.constantFrom('a', '\n', '\r', '\r\n', '\u2028', '\ud83d') })

describe('a line index', () => {
  test('has as many lines as an editor shows', () => {
    forAll(100, [anyText], (text) => {
      expect(indexLines(text).starts).toHaveLength(text.split(/\r\n|\r|\n/).length)
    })
  })

  test('has as many lines as are counted up to a limit', () => {
    forAll(100, [anyText, fc.nat(12), fc.integer({ min: 1, max: 8 })], (text, most, size) => {
      const hasMore = indexLines(text).starts.length > most
      expect(hasMoreLines(text, most, size)).toBe(hasMore)
      expect(hasMoreLines(text, most)).toBe(hasMore)
    })
  })

  test('gives back every offset by its line and column', () => {
    forAll(100, [anyText], (text) => {
      const index = indexLines(text)
      for (let offset = 0; offset <= text.length; offset++) {
        expect(offsetAt(index, positionAt(index, offset))).toBe(offset)
      }
    })
  })

  test('counts lines and columns from 1', () => {
    const index = indexLines('ab\r\nc\rd\n')
    const places = [0, 2, 3, 4, 6, 8].map((offset) => Object.values(positionAt(index, offset)))
    expect(places.join(' ')).toBe('1,1 1,3 1,4 2,1 3,1 4,1')
  })

  test('takes what lies outside for the nearest place', () => {
    const index = indexLines('ab\ncd')
    expect(positionAt(index, 99)).toEqual({ line: 2, column: 3 })
    expect(positionAt(index, -1)).toEqual({ line: 1, column: 1 })
    expect(offsetAt(index, { line: 9, column: 1 })).toBe(5)
    expect(offsetAt(index, { line: 1, column: 99 })).toBe(2)
  })
})
