import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BROKEN_REQUESTS, GOOD_REQUEST } from '../testing/broken-requests'
import { nearJson } from '../testing/near-json'
import { forAll } from '../testing/test-size'
import { checkRequest, REQUEST_RULES, type RequestRule } from './check-request'
import { createArgumentRepair, signature } from './signature'

const repair = createArgumentRepair()
const of = (written: string) => signature({ name: 'find', arguments: written }, repair)

describe('malformed arguments have the signature of their repaired form', () => {
  test.each([
    ['single quotes', "{'path': 'a.ts', 'line': 1}"],
    ['a comma too many', '{"path": "a.ts", "line": 1,}'],
    ['a missing comma', '{"path": "a.ts" "line": 1}'],
    ['bare keys', '{path: "a.ts", line: 1}'],
    ['a code fence', '```json\n{"line": 1, "path": "a.ts"}\n```'],
  ])('%s', (_, written) => {
    expect(of(written)).toBe(of('{"path":"a.ts","line":1}'))
  })
})

/** Malformed arguments that differ in one word: programs, cut-off texts, values dropped or guessed, names around values. */
const KINDS = [
  ...[
    'print("WORD")',
    "import os\nos.remove('WORD')",
    '{"a": 1, // WORD',
    '{"a": 1} WORD {"b": 2}',
  ],
  ...['{"a": {"b": 1, WORD }, ...}', '{"path": "WORD', 'call WORD: {"a": 1}', '{"a": [1, WORD 2}'],
  ...['WORD([1, 2', '{"a": NaN, "b": WORD(1)}', 'WORD({"a": 1})', '<function=WORD>{"a": 1}'],
  ...['{"a": 1} /* WORD */', '{"a": 1, # WORD\n}', '<WORD>{"a": 1,}</WORD>'],
]

test.each([
  ...KINDS.map((kind) => [kind.replaceAll('WORD', 'left7'), kind.replaceAll('WORD', 'right7')]),
  ['1. {"a": 1}', '2. {"a": 1}'],
  ['{"a": r"\\n"}', '{"a": "\\n",}'],
  ['{"path": "a.ts"', '{"path": "a.ts"}'],
  ['{"path": "a.ts', '{"path": "a.ts"}'],
  ['x = []\nprint(1)', '[]'],
  ['{"a": NaN}', '{"a": null}'],
  ['\u0000', '\u0001'],
  ["{'n': 12345678901234567891}", '{"n":12345678901234567890}'],
  ["{'path': 'b.ts', 'line': 1}", '{"path":"a.ts","line":1}'],
] as [string, string][])('%j and %j have different signatures', (one, other) => {
  expect(of(one)).not.toBe(of(other))
})

test('one other letter or digit gives another signature, but for fences', () => {
  let broken = 0
  forAll(2000, [nearJson, fc.nat()], (written, at) => {
    const places = [...written.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => index)
    fc.pre(places.length > 0 && !written.includes('```'))
    const place = places[at % places.length] as number
    const other = written[place] === '7' ? '8' : '7'
    const changed = written.slice(0, place) + other + written.slice(place + 1)
    expect(of(changed)).not.toBe(of(written))
    if (repair(written) !== undefined) broken++
  })
  expect(broken).toBeGreaterThan(0)
})

test('accepts a request with its calls answered in any order', () => {
  expect(checkRequest(GOOD_REQUEST)).toEqual([])
})

describe.each(Object.keys(REQUEST_RULES) as RequestRule[])('the rule %s', (rule) => {
  test.each(BROKEN_REQUESTS[rule])('is broken by %j alone', (request, message) => {
    expect(checkRequest(request)).toEqual([{ rule, message }])
  })
})

test.each([undefined, null, 7, 'text', []])('%j is not a request', (request) => {
  expect(checkRequest(request).map(({ rule }) => rule)).toEqual(['no_model', 'no_messages'])
})
