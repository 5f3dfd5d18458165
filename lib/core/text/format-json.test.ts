import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { anyStyle, writeJson } from '../testing/write-json'
import { canFormat, formatJson } from './format-json'

/** A text without white space between tokens. */
const tokensOf = (text: string) => text.replace(/("(?:[^"\\]|\\.)*")|\s+/g, '$1')

test('formatting changes white space only, and formatting again nothing', () => {
  forAll(100, [fc.jsonValue(), anyStyle, fc.boolean()], (value, style, hasMark) => {
    const text = (hasMark ? '\ufeff' : '') + writeJson(JSON.parse(JSON.stringify(value)), style)
    const formatted = formatJson(text)
    expect(tokensOf(formatted)).toBe(tokensOf(text))
    expect(formatJson(formatted)).toBe(formatted)
  })
})

test.each([
  ['{"a":[1.50,"\\u0041"]}', '{\n  "a": [\n    1.50,\n    "\\u0041"\n  ]\n}'],
  ['{\r\n"a":1}', '{\r\n  "a": 1\r\n}'],
  ['{"a":1}\n{"a":2}', '{"a":1}\n{"a":2}'],
  ['{"a":', '{"a":'],
])('%j becomes %j', (text, formatted) => {
  expect(formatJson(text)).toBe(formatted)
})

test('a byte order mark does not prevent formatting', () => {
  expect(canFormat('\ufeff{}')).toBe(true)
})
