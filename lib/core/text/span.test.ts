import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { applyEdits, type Edit, partitionPoint } from './span'

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

test('the point is where a plain search finds it, whatever the numbers and the range', () => {
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
