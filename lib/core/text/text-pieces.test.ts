import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { countCodePoints, TextPieces } from './text-pieces'

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

test('counts as an iteration over the text does, lone surrogates included', () => {
  const anyUnits = fc.array(fc.constantFrom('a', 'é', '😀', '\ud83d', '\ude00', '😀\ud83dx😀'))
  forAll(500, [anyUnits], (units) => {
    const text = units.join('')
    expect(countCodePoints(text)).toBe([...text].length)
  })
})
