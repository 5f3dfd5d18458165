import fc from 'fast-check'
import cl100k from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200k from 'gpt-tokenizer/bpeRanks/o200k_base'
import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { forAll } from '../testing/test-size'
import {
  countMergedTokens,
  type ListedToken,
  packTokens,
  RankTable,
  utf8Bytes,
} from './byte-pair-merge'
import {
  countConversation,
  countMessageTokens,
  countRequestTokens,
  requestTokens,
} from './count-conversation'

/** One token a character makes every sum one a reader can redo. */
const countCharacters = (text: string) => text.length

const assistant = {
  role: 'assistant',
  name: undefined,
  contents: ['abc', 'de'],
  calls: [
    { name: 'read', arguments: '{"a":1}' },
    { name: '', arguments: '' },
  ],
}

describe('the tokens of a message', () => {
  test('are its role, its contents, its calls and their overheads', () => {
    // 3 + assistant 9 + 3 + 2, calls: 8 + 4 + 7 and 8.
    expect(countMessageTokens(assistant, countCharacters)).toBe(3 + 9 + 5 + 19 + 8)
  })

  test('grow by a name and its overhead', () => {
    const named = { role: 'user', name: 'bob', contents: [], calls: [] }
    expect(countMessageTokens(named, countCharacters)).toBe(3 + 4 + 1 + 3)
  })

  test('are the same by conversation and by request', () => {
    const tools = [{ type: 'function', function: { name: 'read' } }]
    const messages = [
      { role: 'user', content: [{ type: 'text', text: 'two' }, { type: 'image_url' }] },
      { role: 'assistant', tool_calls: [{ id: 'a', function: { name: 'read', arguments: {} } }] },
      {
        role: 'tool',
        tool_call_id: 'a',
        content: ['x', 'yz'].map((text) => ({ type: 'text', text })),
      },
    ]
    const [conversation] = readDocument(JSON.stringify({ messages, tools })).conversations
    if (conversation === undefined) throw new Error('no conversation')
    const counts = countConversation(conversation, countCharacters)
    expect(counts.messages).toEqual([3 + 4 + 3, 3 + 9 + 8 + 4 + 2, 3 + 4 + 3])
    expect(counts.results).toEqual([3])
    expect(requestTokens(counts)).toBe(
      countRequestTokens(conversation.messageTexts, conversation.toolSchemas, countCharacters),
    )
    expect(requestTokens(counts)).toBe(10 + 26 + 10 + 3 + JSON.stringify(tools).length)
  })
})

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
  forAll(1000, [anyBytes(1, 40), fc.nat(4), anyRanks], (bytes, times, tokens) => {
    const ranks = new Map(tokens.map((token, rank) => [token, rank]))
    const piece = bytes.repeat(times + 1)
    const table = new RankTable(packTokens(tokens))
    expect(countMergedTokens(piece, table)).toBe(countSlowly(piece, ranks))
  })
})

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
  forAll(500, [anyTokens, anyBytes, anyBytes, anyBytes], (tokens, before, bytes, after) => {
    const lists = tokens.map((token) => [...Buffer.from(token, 'latin1')])
    const table = new RankTable(packTokens(lists))
    const start = before.length
    const found = table.rankOf(`${before}${bytes}${after}`, start, start + bytes.length)
    expect(found).toBe(tokens.indexOf(bytes))
  })
})

test('a token that is too long to pack is refused', () => {
  expect(() => packTokens(['x'.repeat(208)])).toThrow(
    'Expected tokens of at most 207 bytes, found 208.',
  )
  const longest = 'x'.repeat(207)
  expect(new RankTable(packTokens(['a', longest])).rankOf(longest, 0, 207)).toBe(1)
})

test('a text is written as UTF-8, lone surrogates as U+FFFD', () => {
  const edges = ['\0\x7f', '\x80\u07ff', '\u0800\uffff', '\u{10000}\u{10ffff}', '\ud800x\udc00']
  for (const text of [...edges, 'aé漢😀']) {
    expect(utf8Bytes(text)).toBe(Buffer.from(text).toString('latin1'))
  }
})
