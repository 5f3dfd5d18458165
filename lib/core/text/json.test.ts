import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUnicode } from '../testing/any-unicode'
import { valueAtPointer } from '../testing/expect-masked'
import { forAll } from '../testing/test-size'
import { anyStyle, writeJson } from '../testing/write-json'
import { inEnglish } from '../words/english'
import { parseEmbeddedTree, readValueAt, writeEmbeddedString } from './embedded-json'
import { canFormat, formatJson } from './format-json'
import type { JsonNode } from './json-node'
import { jsonPointer, readablePath, valueAtPath } from './json-path'
import {
  readAnsiQuotes,
  readDoubleQuotes,
  readPlainQuotes,
  readScriptString,
} from './quoted-strings'

test('a pointer leads back to its value, whatever the keys', () => {
  const anyKey = fc.oneof(fc.constantFrom('~', '/', '~1', '~0', '', '__proto__', 'é'), fc.string())
  forAll(100, [fc.array(anyKey, { maxLength: 5 })], (path) => {
    const value = path.reduceRight<unknown>(
      (inner, key) => Object.fromEntries([[key, inner]]),
      'found',
    )
    expect(valueAtPointer(value, jsonPointer(path))).toBe('found')
  })
})

test.each([
  [[], '', 'the document'],
  [['messages', 4, 'content'], '/messages/4/content', 'messages[4].content'],
  [[0, 'a/b', '~'], '/0/a~1b/~0', '[0]["a/b"]["~"]'],
])('%j is written as %j and for people as %j', (path, pointer, readable) => {
  expect(jsonPointer(path)).toBe(pointer)
  expect(inEnglish(readablePath(path))).toBe(readable)
})

test.each([
  [['a', 1, 'b'], 2],
  [['a', 3, 'b'], undefined],
  [['a', 0, 'b', 'c'], undefined],
  [['none', 'b'], undefined],
])('the value at %j is %j', (path, value) => {
  expect(valueAtPath({ a: [null, { b: 2 }], none: null }, path)).toBe(value)
})

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

/** A JSON string of the text in which any characters may be written as escapes. */
function writeEscaped(text: string, isEscaped: (index: number) => boolean): string {
  const units = [...Array(text.length).keys()].map((index) => {
    const unit = text[index] as string
    if (isEscaped(index)) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    return unit === '/' ? '\\/' : JSON.stringify(unit).slice(1, -1)
  })
  return `"${units.join('')}"`
}

const leaves = (node: JsonNode): JsonNode[] => [
  ...(node.kind === 'string' || node.kind === 'other' ? [node] : []),
  ...node.items.flatMap(leaves),
  ...node.members.flatMap(({ value }) => leaves(value)),
]

test('every value of it is found in the outer text, however the outer string is escaped', () => {
  forAll(100, [fc.jsonValue(), fc.array(fc.boolean())], (value, escapes) => {
    const inner = JSON.stringify(value)
    const isEscaped = (index: number) => escapes[index % Math.max(1, escapes.length)] === true
    const outer = `{"body": ${writeEscaped(inner, isEscaped)}}`
    const span = { start: 9, end: outer.length - 1 }
    const tree = parseEmbeddedTree(outer, span)
    expect(readValueAt(outer, { ...tree, encoded: 1 })).toEqual(JSON.parse(inner))
    for (const leaf of leaves(tree)) {
      expect(() => readValueAt(outer, { ...leaf, encoded: 1 })).not.toThrow()
    }
  })
})

test('a string written into it is that text when both are parsed', () => {
  forAll(100, [anyUnicode(), anyUnicode()], (before, text) => {
    const outer = JSON.stringify({ body: JSON.stringify({ a: [before, 1] }) })
    const tree = parseEmbeddedTree(outer, { start: 8, end: outer.length - 1 })
    const span = tree.find(['a', 0]) as JsonNode
    const edited = outer.slice(0, span.start) + writeEmbeddedString(text, 1) + outer.slice(span.end)
    expect(JSON.parse(JSON.parse(edited).body)).toEqual({ a: [text, 1] })
  })
})

const READERS = {
  "a shell's '": readPlainQuotes,
  'a shell\'s "': readDoubleQuotes,
  "a shell's $'": readAnsiQuotes,
  'a script': readScriptString,
}

test.each<readonly [keyof typeof READERS, text: string, value: string | undefined]>([
  ["a shell's '", "'a\\n\"'", 'a\\n"'],
  ["a shell's '", "'open", undefined],
  ['a shell\'s "', '"a\\"b\\\\\\$\\`"', 'a"b\\$`'],
  ['a shell\'s "', '"a\\\nb"', 'ab'],
  ['a shell\'s "', '"\\n\\x"', '\\n\\x'],
  ['a shell\'s "', '"open\\', undefined],
  ["a shell's $'", "'a\\'b\\\"\\?\\\\'", 'a\'b"?\\'],
  ["a shell's $'", "'\\a\\b\\e\\E\\f\\n\\r\\t\\v'", '\u0007\b\u001b\u001b\f\n\r\t\v'],
  ["a shell's $'", "'\\101\\60\\0'", 'A0\0'],
  ["a shell's $'", "'\\x41\\u0042\\U0001F600'", 'AB😀'],
  ["a shell's $'", "'\\q'", '\\q'],
  ["a shell's $'", "'\\U00110000'", '\\U00110000'],
  ["a shell's $'", "'open\\", undefined],
  ['a script', '"a\\n\\u{1F600}\\x41\\u0042"', 'a\n😀AB'],
  ['a script', "'\\0\\q\\''", "\0q'"],
  ['a script', '"a\\\nb\\\r\nc\\\rd"', 'abcd'],
  ['a script', '`a\nb`', 'a\nb'],
  ['a script', '`a $' + '{b}`', undefined],
  ['a script', '`open', undefined],
  ['a script', "'open\\", undefined],
])('%s: %j is %j', (reader, text, value) => {
  const read = READERS[reader]
  expect(read(text, 0)).toEqual(value === undefined ? undefined : { value, end: text.length })
  expect(read(`${text} x`, 0)?.value).toBe(value)
})
