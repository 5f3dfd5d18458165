import { expect, test } from 'vitest'
import type { LineSpan } from '@/lib/core/mask/output-layout'
import type { Decision } from '@/lib/core/policy/decide'
import { changedSpans, stepChange } from './shown-document'

const span = (result: number, line: number, column: number): LineSpan => ({
  ...{ conversation: 0, result, line, column },
  ...{ start: 0, end: 0, encoded: 1, filler: undefined },
})

/** Results 0 and 1 are on one line; only result 2 is kept. */
const spans = [span(0, 4, 10), span(1, 4, 90), span(2, 7, 10), span(3, 9, 10)]
const masked: Decision = { action: 'mask', reason: 'masked', keptBy: [], placeholder: '…' }
const kept: Decision = { action: 'keep', reason: 'in_window', keptBy: [], placeholder: undefined }
const changed = changedSpans(spans, [[masked, masked, kept, masked]])

test('what is kept is no change', () => {
  expect(changed).toEqual([0, 1, 3])
  expect(changedSpans(spans, [[kept, kept, kept, kept]])).toEqual([])
})

test('steps go from change to change, also within a line, and around both ends', () => {
  const step = (line: number, column: number, isBack = false) =>
    stepChange(spans, changed, { line, column }, isBack)
  const next = [step(1, 1), step(4, 10), step(4, 90), step(7, 10), step(9, 10)]
  expect(next).toEqual([0, 1, 2, 2, 0])
  const back = [step(9, 10, true), step(4, 90, true), step(20, 1, true), step(4, 10, true)]
  expect(back).toEqual([1, 0, 2, 2])
  expect(stepChange(spans, [], { line: 1, column: 1 }, false)).toBeUndefined()
})
