import { expect, test } from 'vitest'
import { excerptsOf } from './error-lab'

test('an excerpt has the matched text with some words around it', () => {
  const text = `${'x'.repeat(100)} request timeout after 30 s, Permission denied ${'y'.repeat(100)}`
  const rules = ['timeout', 'flag', 'pattern', 'exit_code'] as const
  const excerpts = excerptsOf(text, rules, ['permission denied'])
  expect(excerpts.map(({ mark, matched }) => [mark, matched])).toEqual([
    ['timeout', 'timeout'],
    ['pattern', 'Permission denied'],
  ])
  expect(excerpts[0]?.before).toMatch(/^x+ request $/)
  expect(excerpts[0]?.before).toHaveLength(40)
  expect(excerpts[0]?.after).toMatch(/^ after 30 s/)
})
