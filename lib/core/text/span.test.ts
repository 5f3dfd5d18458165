import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { applyEdits, type Edit, partitionPoint } from './span'

/** A source as alternating pieces, every second one of which is replaced. */
const anyPieces = fc.array(fc.tuple(fc.string(), fc.string(), fc.string()), { maxLength: 8 })

describe('applyEdits', () => {
  test('replaces the spans and keeps every piece between them', () => {
    fc.assert(
      fc.property(anyPieces, fc.string(), (pieces, rest) => {
        const edits: Edit[] = []
        let source = ''
        for (const [kept, replaced, text] of pieces) {
          const start = source.length + kept.length
          edits.push({ start, end: start + replaced.length, text })
          source += kept + replaced
        }
        const expected = pieces.map(([kept, , text]) => kept + text).join('') + rest
        expect(applyEdits(source + rest, edits)).toBe(expected)
      }),
      fuzz(100),
    )
  })

  test('without edits gives the source', () => {
    fc.assert(
      fc.property(fc.string(), (source) => applyEdits(source, []) === source),
      fuzz(100),
    )
  })

  test.each([
    [
      'overlap',
      [
        { start: 0, end: 3, text: '' },
        { start: 2, end: 4, text: '' },
      ],
      'edits[1] covers 2-4',
    ],
    [
      'come in another order',
      [
        { start: 3, end: 4, text: '' },
        { start: 0, end: 1, text: '' },
      ],
      'edits[1] covers 0-1',
    ],
    ['end before they start', [{ start: 3, end: 2, text: '' }], 'edits[0] covers 3-2'],
    [
      'reach past the end',
      [{ start: 4, end: 9, text: '' }],
      'edits[0] covers 4-9; expected a span from 0 to 5',
    ],
  ])('refuses edits that %s', (_, edits, sentence) => {
    expect(() => applyEdits('abcde', edits)).toThrow(sentence)
  })
})

test('the point is where a plain search finds it, whatever the numbers and the range', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), fc.nat(21), fc.nat(20), (numbers, sought, skipped) => {
      const sorted = numbers.toSorted((one, other) => one - other)
      const low = Math.min(skipped, sorted.length)
      const found = sorted.findIndex((number, index) => index >= low && number >= sought)
      const point = partitionPoint(
        low,
        sorted.length,
        (index) => (sorted[index] as number) < sought,
      )
      expect(point).toBe(found < 0 ? sorted.length : found)
    }),
    fuzz(100),
  )
})

test('an empty range is its own end', () => {
  expect(partitionPoint(3, 3, () => true)).toBe(3)
  expect(partitionPoint(4, 3, () => true)).toBe(4)
})
