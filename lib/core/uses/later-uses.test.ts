import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonValue } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import { forAll } from '../testing/test-size'
import { findTerms } from './find-terms'
import { breakEvenRefetches, distanceOfShare, lostUsesAt } from './lost-uses'
import { createTermIndex } from './term-index'
import { begin, MASKING, type Measured, measure } from './testing/measure-uses'

/** Thirty turns; the second one reads a fact, and the last one uses it. */
function thirtyTurns(fact: string, written = fact): JsonValue[][] {
  return Array.from({ length: 30 }, (_, index) => {
    if (index === 1) return turnOf('call_1', `The booking is ${fact} and it is paid.`)
    if (index === 29) return turnOf('call_29', 'done', 'cancel', JSON.stringify({ what: written }))
    return turnOf(`call_${index}`, `nothing here, page ${index}`)
  })
}

const facts = ({ uses }: Measured) =>
  uses.map(({ term, kind, turn, distance, where }) => ({ term, kind, turn, distance, where }))

describe('a fact of turn 2 that turn 30 uses', () => {
  test.each([
    ['id', 'PAY7407366'],
    ['number', '48213'],
    ['path', 'src/ledger.ts:42'],
    ['hash', 'a182587f'],
    ['hash', '0c2f6e0a-5a1d-4c57-9b0e-3f0d5a6b7c8d'],
    ['url', 'https://example.org/orders/9'],
    ['error_code', 'TS2345'],
    ['name', 'postEntryTwice'],
    ['number', '$4.25'],
    ['number', '37.5%'],
    ['number', '75%'],
    ['name', '漢字_台帳_番号'],
    ['number', '4.2 million'],
    ['path', 'depot/lagune'],
  ])('is found, a %s: %s', (kind, fact) => {
    const measured = measure([begin, ...thirtyTurns(fact).flat()])
    expect(facts(measured)).toEqual([
      { term: fact, kind, turn: 1, distance: 28, where: 'arguments' },
    ])
    const lostAt = (windowTurns: number) =>
      lostUsesAt(measured.losable, { windowTurns, batchTurns: 1 }, measured.prepared).length
    expect([1, 8, 27, 28, 30].map(lostAt)).toEqual([1, 1, 1, 0, 0])
  })

  test('has its distance, and its result is fetched again once', () => {
    const turns = thirtyTurns('PAY7407366', 'PAY7407366 a182587f')
    turns[1] = turnOf('call_1', 'PAY7407366 a182587f')
    turns.push(turnOf('call_30', 'done', 'close', '{"of": "nothing here, page 3"}'))
    const { uses, losable, prepared } = measure([begin, ...turns.flat()])
    expect(uses.map(({ distance }) => distance)).toEqual([28, 28])
    expect([0.4, 0.95, 1].map((share) => distanceOfShare(uses, share))).toEqual([28, 28, 28])
    expect(distanceOfShare([], 0.95)).toBe(0)
    const lost = lostUsesAt(losable, { windowTurns: 8, batchTurns: 1 }, prepared)
    expect(lost.map(({ result, request }) => `${result} ${request}`)).toEqual(['1 29', '1 29'])
  })

  test.each([
    ['19,531', '19531'],
    ['19531', '19\u202f531'],
    ['1,219,531.75', '1219531.75'],
  ])('is the same number in another notation: %s and %s', (fact, written) => {
    const measured = measure([begin, ...thirtyTurns(fact, written).flat()])
    expect(facts(measured)).toMatchObject([{ term: written, kind: 'number', turn: 1 }])
    // A group of three is no number of its own, and a longer one no group.
    expect(facts(measure([begin, ...thirtyTurns('12,3456', '123456').flat()]))).toEqual([])
  })

  test('is a proper name inside a sentence that one result has, and no heading', () => {
    const written = (text: string) => {
      const turns = thirtyTurns('with Marta Quispe in Arequipa', '')
      turns[29] = [{ role: 'assistant', content: text }]
      return turns
    }
    const termsIn = (turns: JsonValue[][]) => facts(measure([begin, ...turns.flat()]))
    const said = written('The talk was held by Marta Quispe, and later moved to Arequipa.')
    expect(termsIn(said)).toMatchObject([{ term: 'Marta Quispe' }, { term: 'Arequipa' }])
    expect(termsIn(written('## Marta Quispe'))).toEqual([])
    said[3] = turnOf('call_3', 'Marta Quispe again')
    expect(termsIn(said)).toMatchObject([{ term: 'Arequipa' }])
  })

  test('does not count if the user gave it', () => {
    const asked = { role: 'user', content: 'Please cancel PAY7407366.' }
    expect(facts(measure([asked, ...thirtyTurns('PAY7407366').flat()]))).toEqual([])
  })

  test('counts from the later result that has it too, and is kept with that', () => {
    const turns = thirtyTurns('PAY7407366')
    turns[26] = turnOf('call_26', 'PAY7407366 is open')
    const { uses, losable, prepared } = measure([begin, ...turns.flat()])
    expect(uses.map(({ turn, distance, holders }) => ({ turn, distance, holders }))).toEqual([
      { turn: 26, distance: 3, holders: [1, 26] },
    ])
    expect(lostUsesAt(losable, { windowTurns: 8, batchTurns: 1 }, prepared)).toEqual([])
  })

  // A word, a short number, a year, members of a library, a file, an encoding and a folder of most projects, a tool, a
  // parameter, a package of a library, common words, units, round amounts, names of any program and of a framework.
  test.each([
    ...['paid', '482', '2024', 'strings.HasSuffix', 'cell.padEnd', 'package.json', 'utf-16'],
    ...['usr/local/bin', '/usr/local/bin', 'cancel', 'what', 'crypto/rand', 'input/output'],
    ...['32-byte', '100ms'],
    ...['$20', 'file_path', 'createdAt', 'flexDirection'],
  ])('does not count as a common term: %s', (fact) => {
    expect(facts(measure([begin, ...thirtyTurns(fact).flat()]))).toEqual([])
  })

  // The placeholder has the number of characters, 1036 or 1040.
  test.each([
    ['in a result kept as an error', 'error: 1041 is closed', 1041, 1, 0],
    ['in every placeholder', `${'x'.repeat(1023)} 1040 or 1041`, 1036, 0, 0],
    ['in no placeholder', `${'x'.repeat(1023)} 1040 or 1041`, 1040, 1, 1],
    ['in the placeholder of its result', `1040 ${'x'.repeat(1035)}`, 1040, 1, 0],
  ])('a number %s has its uses and lost uses', (_, text, chars, uses, losable) => {
    const turns = thirtyTurns('')
    turns[1] = turnOf('call_1', text)
    turns[29] = turnOf('call_29', 'done', 'cancel', JSON.stringify({ chars }))
    const messages = [begin, ...turns.flat()]
    const measured = measure(messages)
    expect([measured.uses.length, measured.losable.length]).toEqual([uses, losable])
    if (text.startsWith('error'))
      expect(measure(messages, { ...MASKING, keepErrors: false }).losable).toHaveLength(1)
  })
})

test('a placeholder of another result brings a use back once that result is masked', () => {
  const turns = thirtyTurns('1040')
  turns[20] = turnOf('call_20', 'x'.repeat(1040))
  const template = '[{original_chars} characters, once {original_chars}]'
  const policy = { ...MASKING, placeholderTemplate: template }
  const { uses, losable, prepared } = measure([begin, ...turns.flat()], policy)
  expect(uses).toMatchObject([{ term: '1040', turn: 1 }])
  const lostAt = (windowTurns: number) =>
    lostUsesAt(losable, { windowTurns, batchTurns: 1 }, prepared).length
  // The request of the answer has 29 turns; a window of 8 has passed turn 20.
  expect([1, 8, 9, 27, 28].map(lostAt)).toEqual([0, 0, 1, 1, 0])
})

test('a result that answers no call is never masked, so nothing of it is lost', () => {
  const turns = thirtyTurns('PAY7407366')
  turns[2]?.push({ role: 'tool', content: 'PAY7407366 again' })
  expect(measure([begin, ...turns.flat()]).uses).toEqual([])
})

test('the names and ids of calls and the names of their arguments are known', () => {
  const turns = thirtyTurns('PAY7407366')
  const known = (call: Record<string, JsonValue>) => {
    turns[10] = [{ role: 'assistant', content: null, tool_calls: [call] }]
    return measure([begin, ...turns.flat()]).uses.length === 0
  }
  const named = (name: string, text = '{}') => ({ name, arguments: text })
  expect(known({ id: 'other', function: named('read') })).toBe(false)
  expect(known({ id: 'PAY7407366', function: named('read') })).toBe(true)
  expect(known({ function: named('PAY7407366') })).toBe(true)
  expect(known({ function: { arguments: '{}' } })).toBe(false)
  const written = named('read', '{"a": [{"PAY7407366": null}]}')
  expect(known({ id: 'other', function: written })).toBe(true)
})

test('a number is found in each notation, wherever it stands', () => {
  const anyNumber = fc.integer({ min: 1000, max: 1e12 })
  const anySeparator = fc.constantFrom('', ',', '\u00a0', '\u202f')
  forAll(300, [anyNumber, anySeparator, anySeparator], (number, one, other) => {
    const written = (separator: string) => String(number).replace(/\B(?=(?:\d{3})+$)/g, separator)
    const index = createTermIndex()
    const term = index.add(written(one))
    const found: number[] = []
    const text = `{"n": ${written(other)}, "m": ${number + 1}, "l": [${number}7, 7${number}]}`
    index.scan(text, (at) => found.push(at))
    expect(found).toEqual([term])
  })
})

test('terms without a word or of more than 240 characters are not looked for', () => {
  const index = createTermIndex()
  const long = `https://example.org/${'a'.repeat(220)}`
  const added = ['~/--/~', `${long}b`, long].map((term) => index.add(term))
  expect(added).toEqual([undefined, undefined, 0])
  expect(facts(measure([begin, ...thirtyTurns(`${long}b`).flat()]))).toEqual([])
  expect(findTerms('= - = - = - = - = - = - = - = - = -')).toEqual([])
})

test.each([
  ['error_code', 'TS2345'],
  ['number', '48213'],
  ['hash', 'a182587f'],
])('words in a row have parts: %s', (kind, term) => {
  expect(findTerms(`see build-${term}`)).toMatchObject([
    { term: `build-${term}`, parts: [{ term, kind, parts: [] }] },
  ])
})

test('breaks even at the refetches that the saving pays for', () => {
  expect(breakEvenRefetches(1, { results: 4, cached: 0.5 })).toBe(8)
  expect(breakEvenRefetches(-1, { results: 4, cached: 0.5 })).toBe(0)
  expect(breakEvenRefetches(1, { results: 0, cached: 0 })).toBeUndefined()
  expect(breakEvenRefetches(undefined, { results: 4, cached: 0.5 })).toBeUndefined()
})
