import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { createArgumentRepair } from './repair-call-arguments'
import { signature } from './signature'

const repair = createArgumentRepair()
const of = (written: string) => signature({ name: 'find', arguments: written }, repair)

describe('malformed arguments have the signature of their repaired form', () => {
  test.each([
    ['single quotes', "{'path': 'a.ts', 'line': 1}"],
    ['a comma too many', '{"path": "a.ts", "line": 1,}'],
    ['a missing comma', '{"path": "a.ts" "line": 1}'],
    ['bare keys', '{path: "a.ts", line: 1}'],
    ['a code fence', '```json\n{"line": 1, "path": "a.ts"}\n```'],
    ['a missing bracket', '{"line": 1, "path": "a.ts"'],
  ])('%s', (_, written) => {
    expect(of(written)).toBe(of('{"path":"a.ts","line":1}'))
  })

  test('but not of other arguments', () => {
    expect(of("{'path': 'b.ts', 'line': 1}")).not.toBe(of('{"path":"a.ts","line":1}'))
  })
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
