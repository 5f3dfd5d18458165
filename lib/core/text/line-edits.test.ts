import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fuzz } from '../testing/test-size'
import { lineEdits } from './line-edits'
import { applyEdits } from './span'

const anyLines = fc.array(fc.constantFrom('', 'a', 'b', '}', 'c\r', 'ä', '\ud800'), {
  maxLength: 60,
})

test('the edits turn any text into any other, in order and without overlap', () => {
  fc.assert(
    fc.property(anyLines, anyLines, (one, other) => {
      const [before, after] = [one.join('\n'), other.join('\n')]
      const edits = lineEdits(before, after)
      expect(applyEdits(before, edits)).toBe(after)
      for (const [at, { start, end }] of edits.entries()) {
        expect(start).toBeGreaterThanOrEqual(edits[at - 1]?.end ?? 0)
        expect(end).toBeGreaterThanOrEqual(start)
      }
    }),
    fuzz(300),
  )
})

test('changes far apart are held as these lines alone', () => {
  const lines = Array.from({ length: 20_000 }, (_, line) => `line ${line}`)
  const changed = lines
    .with(3, 'line 3 mark')
    .toSpliced(9_000, 2)
    .toSpliced(15_000, 0, 'new', 'too')
  const [before, after] = [lines.join('\n'), changed.join('\n')]
  const edits = lineEdits(before, after)
  expect(applyEdits(before, edits)).toBe(after)
  expect(edits.map(({ text }) => text)).toEqual(['line 3 mark\n', '', 'new\ntoo\n'])
})

test('texts that share few lines are soon one edit', () => {
  const text = (name: string) =>
    Array.from({ length: 20_000 }, (_, at) => (at % 9 === 0 ? '}' : name + at)).join('\n')
  const edits = lineEdits(text('a'), text('b'))
  expect(applyEdits(text('a'), edits)).toBe(text('b'))
  expect(edits.length).toBe(1_001)
})

test('the lines of a text that is many times longer are not compared', () => {
  const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`)
  const [before, after] = [lines(20).join('\n'), ['new', ...lines(200)].join('\n')]
  const edits = lineEdits(before, after)
  expect(edits).toHaveLength(1)
  expect(applyEdits(before, edits)).toBe(after)
})
