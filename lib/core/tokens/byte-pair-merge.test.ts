import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { countMergedTokens } from './byte-pair-merge'
import { packTokens, RankTable } from './rank-table'

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
      const table = new RankTable(packTokens(tokens))
      expect(countMergedTokens(piece, table)).toBe(countSlowly(piece, ranks))
    }),
    fuzz(1000),
  )
})
