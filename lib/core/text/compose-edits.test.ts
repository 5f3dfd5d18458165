import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { composeEdits, invertEdits } from './compose-edits'
import { applyEdits, type Edit } from './span'

const anyText = fc.string({
  unit: fc.constantFrom('a', 'b', '\r', '\n', '\ud83d', 'é'),
  maxLength: 12,
})
const anyEdits = fc.array(fc.record({ start: fc.nat(9), length: fc.nat(4), text: anyText }), {
  maxLength: 4,
})

/** Edits in order that fit the text. */
function inOrder(text: string, edits: readonly { start: number; length: number; text: string }[]) {
  let position = 0
  return edits.map((edit): Edit => {
    const start = Math.min(position + edit.start, text.length)
    position = Math.min(start + edit.length, text.length)
    return { start, end: position, text: edit.text }
  })
}

test('composed edits have the effect of one after the other', () => {
  fc.assert(
    fc.property(anyText, anyEdits, anyEdits, (text, one, other) => {
      const first = inOrder(text, one)
      const between = applyEdits(text, first)
      const second = inOrder(between, other)
      expect(applyEdits(text, composeEdits(first, second))).toBe(applyEdits(between, second))
    }),
    fuzz(5000),
  )
})

test('inverted edits bring the text back', () => {
  fc.assert(
    fc.property(anyText, anyEdits, (text, edits) => {
      const fitted = inOrder(text, edits)
      expect(applyEdits(applyEdits(text, fitted), invertEdits(fitted, text))).toBe(text)
    }),
    fuzz(2000),
  )
})

test('characters typed one after the other are one edit', () => {
  let edits: readonly Edit[] = []
  for (const [at, text] of [...'typed'].entries())
    edits = composeEdits(edits, [{ start: 10 + at, end: 10 + at, text }])
  expect(edits).toEqual([{ start: 10, end: 10, text: 'typed' }])
})
