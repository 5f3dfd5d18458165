import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { countMergedTokens, utf8Bytes } from './byte-pair-merge'

/** Merges one pair at a time, each found by looking at all. */
function countSlowly(bytes: string, ranks: ReadonlyMap<string, number>): number {
  const tokens = [...bytes]
  for (;;) {
    const pairs = tokens.slice(1).map((token, at) => ranks.get(`${tokens[at]}${token}`) ?? Infinity)
    const lowest = Math.min(...pairs)
    if (lowest === Infinity) return tokens.length
    const at = pairs.indexOf(lowest)
    tokens.splice(at, 2, `${tokens[at]}${tokens[at + 1]}`)
  }
}

const anyBytes = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength, maxLength, size: 'max' })

test('a piece has as many tokens as merging the lowest rank, leftmost first, leaves', () => {
  const anyRanks = fc.uniqueArray(anyBytes(2, 4), { maxLength: 60, size: 'max' })
  fc.assert(
    fc.property(anyBytes(1, 40), fc.nat(4), anyRanks, (bytes, times, tokens) => {
      const ranks = new Map(tokens.map((token, rank) => [token, rank]))
      const piece = bytes.repeat(times + 1)
      expect(countMergedTokens(piece, ranks)).toBe(countSlowly(piece, ranks))
    }),
    fuzz(1000),
  )
})

test('a text is written as UTF-8, lone surrogates as U+FFFD', () => {
  const edges = ['\0\x7f', '\x80\u07ff', '\u0800\uffff', '\u{10000}\u{10ffff}', '\ud800x\udc00']
  for (const text of [...edges, 'aé漢😀']) {
    expect(utf8Bytes(text)).toBe(Buffer.from(text).toString('latin1'))
  }
})
