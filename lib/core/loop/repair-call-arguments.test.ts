import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nearJson } from '../testing/near-json'
import { fuzz } from '../testing/test-size'
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

  test('but not of other arguments', () => {
    expect(of("{'path': 'b.ts', 'line': 1}")).not.toBe(of('{"path":"a.ts","line":1}'))
  })
})

/** 50 pairs of different malformed arguments: programs, cut-off texts, values dropped or guessed, names around values. */
const PAIRS: readonly (readonly [string, string])[] = Array.from({ length: 50 }, (_, n) => {
  const kinds: readonly ((value: string) => string)[] = [
    (value) => `print("${value}")`,
    (value) => `import os\nos.remove('${value}')`,
    (value) => `{"a": 1, // ${value}`,
    (value) => `{"a": 1} ${value} {"b": 2}`,
    (value) => `{"a": {"b": 1, ${value} }, ...}`,
    (value) => `{"path": "${value}`,
    (value) => `call ${value}: {"a": 1}`,
    (value) => `{"a": [1, ${value} 2}`,
    (value) => `${value}([1, 2`,
    (value) => `{"a": NaN, "b": ${value}(1)}`,
    (value) => `${value}({"a": 1})`,
    (value) => `<function=${value}>{"a": 1}`,
    (value) => `{"a": 1} /* ${value} */`,
    (value) => `{"a": 1, # ${value}\n}`,
    (value) => `<${value}>{"a": 1,}</${value}>`,
  ]
  const write = kinds[n % kinds.length] as (value: string) => string
  return [write(`left${n}`), write(`right${n}`)]
})

test.each<readonly [string, string]>([
  ...PAIRS,
  ['1. {"a": 1}', '2. {"a": 1}'],
  ['{"a": r"\\n"}', '{"a": "\\n",}'],
])('%j and %j have different signatures', (one, other) => {
  expect(of(one)).not.toBe(of(other))
})

test('a cut-off call is not the whole call, and none of these programs is an empty list', () => {
  expect(of('{"path": "a.ts"')).not.toBe(of('{"path": "a.ts"}'))
  expect(of('{"path": "a.ts')).not.toBe(of('{"path": "a.ts"}'))
  expect(of('x = []\nprint(1)')).not.toBe(of('[]'))
  expect(of('{"a": NaN}')).not.toBe(of('{"a": null}'))
})

test('one other letter or digit gives another signature, but for fences', () => {
  let broken = 0
  fc.assert(
    fc.property(nearJson, fc.nat(), (written, at) => {
      const places = [...written.matchAll(/[\p{L}\p{N}]/gu)].map(({ index }) => index)
      fc.pre(places.length > 0 && !written.includes('```'))
      const place = places[at % places.length] as number
      const other = written[place] === '7' ? '8' : '7'
      const changed = written.slice(0, place) + other + written.slice(place + 1)
      expect(of(changed)).not.toBe(of(written))
      if (repair(written) !== undefined) broken++
    }),
    fuzz(2000),
  )
  expect(broken).toBeGreaterThan(0)
})

test('arguments that cannot be repaired are compared as text', () => {
  expect(of('\u0000')).toBe(of(' \u0000 '))
  expect(of('\u0000')).not.toBe(of('\u0001'))
})

test('returns the same result again', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), (text) => {
      expect(repair(text)).toBe(createArgumentRepair()(text))
      expect(repair(text)).toBe(repair(text))
    }),
    fuzz(100),
  )
})

test('valid arguments lose no digit of a number', () => {
  expect(of("{'n': 12345678901234567891}")).not.toBe(of('{"n":12345678901234567890}'))
})
