import fc from 'fast-check'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { type ListedToken, packTokens, RankTable } from './rank-table'

const bytesOf = (token: ListedToken) => Buffer.from(token as string).toString('latin1')

test.each([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
])('every token of %s has its rank, but those with a byte order mark', (_, tokens) => {
  const table = new RankTable(packTokens(tokens))
  const wrong = tokens.flatMap((token, rank) => {
    const bytes = bytesOf(token)
    const expected = bytes.startsWith('\xef\xbb\xbf') ? -1 : rank
    return table.rankOf(bytes, 0, bytes.length) === expected ? [] : [{ bytes, rank }]
  })
  expect(wrong).toEqual([])
  expect(table.rankOf('', 0, 0)).toBe(-1)
})

test('a table finds what a map finds, in any part of a text', () => {
  const anyBytes = fc.string({ unit: fc.constantFrom('\0', 'a', '0', '\xff'), maxLength: 6 })
  const anyTokens = fc.uniqueArray(
    anyBytes.filter((bytes) => bytes !== ''),
    { maxLength: 80 },
  )
  fc.assert(
    fc.property(anyTokens, anyBytes, anyBytes, anyBytes, (tokens, before, bytes, after) => {
      const lists = tokens.map((token) => [...Buffer.from(token, 'latin1')])
      const table = new RankTable(packTokens(lists))
      const start = before.length
      const found = table.rankOf(`${before}${bytes}${after}`, start, start + bytes.length)
      expect(found).toBe(tokens.indexOf(bytes))
    }),
    fuzz(500),
  )
})

test('the lengths of the tokens come first, and a token with a byte order mark is empty', () => {
  expect(packTokens(['ab', '\ufeffx', 'é', [255]])).toBe('2021ab\xc3\xa9\xff')
})

test('a token that is too long to pack is refused', () => {
  expect(() => packTokens(['x'.repeat(208)])).toThrow(
    'Expected tokens of at most 207 bytes, found 208.',
  )
  const longest = 'x'.repeat(207)
  expect(new RankTable(packTokens(['a', longest])).rankOf(longest, 0, 207)).toBe(1)
})
