import { expect, test } from 'vitest'
import { displayTest } from './find-repeats'

const ERROR = 'the file is not there'

test.each([
  ['the result', ERROR, true],
  ['the result behind a few words', `It failed: ${ERROR}`, true],
  [
    'the result in a text of more than twice its length',
    `${'It failed. '.repeat(3)}${ERROR}`,
    false,
  ],
  ['another text', 'the file has been read', false],
])('%s shows a result: %#', (_, text, expected) => {
  expect(displayTest([ERROR])?.(text)).toBe(expected)
})
