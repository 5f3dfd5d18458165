import { expect, test } from 'vitest'
import { assertReadError, messageOf, problemOfReading, ReadError } from './problem'
import { describeProblem } from './words/english'

test('any error but a ReadError is thrown again, or is a bug of a reader', () => {
  const error = new ReadError('archive_empty', { kind: 'zip' })
  const other = new TypeError('x is not a function')
  expect(() => assertReadError(error)).not.toThrow()
  expect(() => assertReadError(other)).toThrow(other)
  expect(problemOfReading(error)).toBe(error.problem)
  expect(problemOfReading(other).code).toBe('reader_failed')
})

test('a sentence keeps braces that name no value', () => {
  expect(describeProblem(new ReadError('archive_empty').problem)).toBe(
    'The {kind} archive contains no files; expected a transcript.',
  )
})

test('anything that is thrown has a message', () => {
  expect(messageOf(new RangeError('too far'))).toBe('too far')
  expect(messageOf('stopped')).toBe('stopped')
})
