import { expect, test } from 'vitest'
import {
  readAnsiQuotes,
  readDoubleQuotes,
  readPlainQuotes,
  readScriptString,
} from './quoted-strings'

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
