import { expect, test } from 'vitest'
import { compare } from './testing/compare'

test('a case that stays over its bound gives a sentence, though measured again', async () => {
  let sum = 0
  const add = (count: number) => {
    for (let at = 0; at < count; at++) sum += at
    return sum
  }
  const over = await compare(
    'Adding',
    [
      ['few', () => add(10_000)],
      ['many', () => add(100_000), 2],
      ['as many', () => add(10_000), 5],
    ],
    50,
  )
  expect(over).toHaveLength(1)
  expect(over[0]).toMatch(/^Adding: "many" takes [\d.]+ times .* at most 2 are allowed\.$/)
})
