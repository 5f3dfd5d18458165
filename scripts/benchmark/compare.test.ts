import { expect, test } from 'vitest'
import { compare, findRegressions, tablesOf } from './compare'

const rows = [
  { name: 'theirs', milliseconds: 2, ratio: 1, atMost: undefined },
  { name: 'ours', milliseconds: 3, ratio: 1.5, atMost: 1.4 },
  { name: 'ours, other', milliseconds: 2, ratio: 1, atMost: 1.4 },
]

test('a ratio over its bound gives a sentence', () => {
  expect(findRegressions([{ title: 'Masking', rows }])).toEqual([
    'Masking: "ours" takes 1.50 times the case it is compared with; at most 1.4 are allowed.',
  ])
})

test('a block is a table', () => {
  expect(tablesOf([{ title: 'Masking', rows: rows.slice(0, 2) }])).toBe(
    '### Masking\n\n| case | ratio | at most |\n| --- | ---: | ---: |\n| theirs | 1.00 |  |\n| ours | 1.50 | 1.4 |',
  )
})

test('a case that stays over its bound is found, though measured again', async () => {
  let runs = 0
  const add = (count: number) => {
    for (let at = 0; at < count; at++) runs += at
    return runs
  }
  const block = await compare(
    'Adding',
    [
      { name: 'few', run: () => add(10_000) },
      { name: 'many', run: () => add(100_000), atMost: 2 },
    ],
    { rounds: 3, warmMilliseconds: 1 },
  )
  expect(findRegressions([block])).toHaveLength(1)
})
