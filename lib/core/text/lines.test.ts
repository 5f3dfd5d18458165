import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { hasMoreLines, indexLines, nonBlankLines, offsetAt, positionAt, textStart } from './lines'
import { applyEdits, countCodePoints, type Edit, partitionPoint, TextPieces } from './span'

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

test('a slice of pieces is the slice of the text', () => {
  forAll(500, [fc.array(fc.string()), fc.nat(30), fc.nat(30)], (pieces, from, length) => {
    const text = pieces.join('')
    const inPieces = new TextPieces()
    for (const piece of pieces) inPieces.add(piece)
    expect(inPieces.length).toBe(text.length)
    expect(inPieces.slice(from, from + length)).toBe(text.slice(from, from + length))
    expect(inPieces.slice(from)).toBe(text.slice(from))
  })
})

test('characters are counted as an iteration over the text does, lone surrogates included', () => {
  const anyUnits = fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '😀\ud83dx😀'))
  forAll(500, [anyUnits], (units) => {
    const text = units.join('')
    expect(countCodePoints(text)).toBe([...text].length)
  })
})

/** A source as alternating pieces, every second one of which is replaced. */
const anyPieces = fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { maxLength: 8 })

test('edits replace their spans and keeps every piece between them', () => {
  forAll(100, [anyPieces, fc.string()], (pieces, rest) => {
    const edits: Edit[] = []
    let source = ''
    for (const [kept, replaced, text] of pieces) {
      const start = source.length + kept.length
      edits.push({ start, end: start + replaced.length, text })
      source += kept + replaced
    }
    const expected = pieces.map(([kept, , text]) => kept + text).join('') + rest
    expect(applyEdits(source + rest, edits)).toBe(expected)
  })
})

test.each([
  ['overlap', '0-3 2-4', 'edits[1] covers 2-4'],
  ['come in another order', '3-4 0-1', 'edits[1] covers 0-1'],
  ['end before they start', '3-2', 'edits[0] covers 3-2'],
  ['reach past the end', '4-9', 'edits[0] covers 4-9; expected a span from 0 to 5'],
])('edits are refused that %s', (_, spans, sentence) => {
  const edits = spans.split(' ').map((span) => {
    const [start = 0, end = 0] = span.split('-').map(Number)
    return { start, end, text: '' }
  })
  expect(() => applyEdits('abcde', edits)).toThrow(sentence)
})

test('the point of a search is where a plain one finds it, whatever the numbers and the range', () => {
  forAll(100, [fc.array(fc.nat(20)), fc.nat(21), fc.nat(20)], (numbers, sought, skipped) => {
    const sorted = numbers.toSorted((one, other) => one - other)
    const low = Math.min(skipped, sorted.length)
    const found = sorted.findIndex((number, index) => index >= low && number >= sought)
    const point = partitionPoint(low, sorted.length, (index) => (sorted[index] as number) < sought)
    expect(point).toBe(found < 0 ? sorted.length : found)
  })
})

test('a range that ends before it starts is its own end', () => {
  expect(partitionPoint(4, 3, () => true)).toBe(4)
})
