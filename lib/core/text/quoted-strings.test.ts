import { describe, expect, test } from 'vitest'
import {
  type QuotedString,
  readAnsiQuotes,
  readDoubleQuotes,
  readPlainQuotes,
  readScriptString,
} from './quoted-strings'

type Case = readonly [text: string, value: string | undefined]

describe.each<[string, (text: string, start: number) => QuotedString | undefined, readonly Case[]]>(
  [
    [
      'single quotes of a shell',
      readPlainQuotes,
      [
        ["'a\\n\"'", 'a\\n"'],
        ["'open", undefined],
      ],
    ],
    [
      'double quotes of a shell',
      readDoubleQuotes,
      [
        ['"a\\"b\\\\\\$\\`"', 'a"b\\$`'],
        ['"a\\\nb"', 'ab'],
        ['"\\n\\x"', '\\n\\x'],
        ['"open\\', undefined],
      ],
    ],
    [
      '$-quotes of a shell',
      readAnsiQuotes,
      [
        ["'a\\'b\\\"\\?\\\\'", 'a\'b"?\\'],
        ["'\\a\\b\\e\\E\\f\\n\\r\\t\\v'", '\u0007\b\u001b\u001b\f\n\r\t\v'],
        ["'\\101\\60\\0'", 'A0\0'],
        ["'\\x41\\u0042\\U0001F600'", 'AB😀'],
        ["'\\q'", '\\q'],
        ["'\\U00110000'", '\\U00110000'],
        ["'open\\", undefined],
      ],
    ],
    [
      'strings of a script',
      readScriptString,
      [
        ['"a\\n\\u{1F600}\\x41\\u0042"', 'a\n😀AB'],
        ["'\\0\\q\\''", "\0q'"],
        ['"a\\\nb\\\r\nc\\\rd"', 'abcd'],
        ['`a\nb`', 'a\nb'],
        ['`a $' + '{b}`', undefined],
        ['`open', undefined],
        ["'open\\", undefined],
      ],
    ],
  ],
)('%s', (_, read, cases) => {
  test.each(cases)('%j', (text, value) => {
    expect(read(text, 0)).toEqual(value === undefined ? undefined : { value, end: text.length })
    expect(read(`${text} x`, 0)?.value).toBe(value)
  })
})
