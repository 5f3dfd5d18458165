import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createMendArguments } from './mend-arguments'
import { signature } from './signature'

const mend = createMendArguments()
const of = (written: string) => signature({ name: 'find', arguments: written }, mend)

describe('malformed arguments are the same call as the valid ones they mean', () => {
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

  test('but not of other valid ones', () => {
    expect(of("{'path': 'b.ts', 'line': 1}")).not.toBe(of('{"path":"a.ts","line":1}'))
  })
})

test('what cannot be mended counts as its own text', () => {
  expect(of('\u0000')).toBe(of(' \u0000 '))
  expect(of('\u0000')).not.toBe(of('\u0001'))
})

test('asked again, it says the same', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), (text) => {
      expect(mend(text)).toBe(createMendArguments()(text))
      expect(mend(text)).toBe(mend(text))
    }),
  )
})

test('a valid text loses no digit of its numbers', () => {
  expect(of("{'n': 12345678901234567891}")).not.toBe(of('{"n":12345678901234567890}'))
})
