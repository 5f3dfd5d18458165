import { expect, test } from 'vitest'
import { groupFindings } from './history-findings'

test('findings are grouped by rule in display order, each with its places', () => {
  const finding = (rule: 'orphan' | 'unanswered_call', message: number) => {
    return { rule, message, result: undefined }
  }
  const found = [finding('orphan', 1), finding('unanswered_call', 3), finding('orphan', 4)]
  expect(groupFindings(found)).toEqual([
    { rule: 'unanswered_call', places: [finding('unanswered_call', 3)] },
    { rule: 'orphan', places: [finding('orphan', 1), finding('orphan', 4)] },
  ])
  expect(groupFindings([])).toEqual([])
})
