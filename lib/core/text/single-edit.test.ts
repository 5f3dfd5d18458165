import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { indexLines } from './line-index'
import { singleEdit } from './single-edit'
import { applyEdits } from './span'

const anyLines = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n'), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('the single edit turns one text into the other and never parts a CR from its LF', () => {
  fc.assert(
    fc.property(anyLines, anyLines, (before, after) => {
      const edit = singleEdit(before, after)
      if (edit === undefined) {
        expect(before).toBe(after)
        return
      }
      expect(applyEdits(before, [edit])).toBe(after)
      for (const [text, offset] of [
        [before, edit.start],
        [before, edit.end],
        [after, edit.start],
        [after, edit.start + edit.text.length],
      ] as const)
        expect(text.slice(offset - 1, offset + 1)).not.toBe('\r\n')
      expect(indexLines(before).starts.length).toBeGreaterThan(0)
    }),
    fuzz(1000),
  )
})

test('long texts give the same edit as short ones', () => {
  const anyLength = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 200_000)
  fc.assert(
    fc.property(anyLength, anyLength, anyLines, anyLines, (before, after, one, other) => {
      const [head, tail] = ['h'.repeat(before), 't'.repeat(after)]
      const edit = singleEdit(one, other)
      expect(singleEdit(head + one + tail, head + other + tail)).toEqual(
        edit && { ...edit, start: edit.start + before, end: edit.end + before },
      )
    }),
    fuzz(100),
  )
})
