import { expect, test } from 'vitest'
import { compare, findRegressions } from './compare'

test('a ratio over its bound gives a sentence', () => {
  const rows = [
    { name: 'theirs', milliseconds: 2, ratio: 1 },
    { name: 'ours', milliseconds: 3, ratio: 1.5, atMost: 1.4 },
    { name: 'ours, other', milliseconds: 2, ratio: 1, atMost: 1.4 },
  ]
  expect(findRegressions([{ title: 'Masking', rows }])).toEqual([
    'Masking: "ours" takes 1.50 times the case it is compared with; at most 1.4 are allowed.',
  ])
})

test('a case that stays over its bound is found, though measured again', async () => {
  let sum = 0
  const add = (count: number) => {
    for (let at = 0; at < count; at++) sum += at
    return sum
  }
  const cases = [
    { name: 'few', run: () => add(10_000) },
    { name: 'many', run: () => add(100_000), atMost: 2 },
  ]
  const block = await compare('Adding', cases, { rounds: 3, warmMilliseconds: 1 })
  expect(findRegressions([block])).toHaveLength(1)
})
