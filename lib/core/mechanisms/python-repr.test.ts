import { expect, test } from 'vitest'
import { pythonRepr } from './python-repr'

test.each([
  [true, 'True'],
  [false, 'False'],
  [null, 'None'],
  [1.5, '1.5'],
  ["it's", `"it's"`],
  ['"', `'"'`],
  [`'"`, `'\\'"'`],
  ['a\u0007\u00a0\u200b\u{e0001}\n\\', "'a\\x07\\xa0\\u200b\\U000e0001\\n\\\\'"],
  [[{ a: 'b' }, []], "[{'a': 'b'}, []]"],
])('%j is written as Python writes it', (value, expected) => {
  expect(pythonRepr(value)).toBe(expected)
})
