import { expect, test } from 'vitest'
import { findRegressions, tablesOf } from './compare'

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
