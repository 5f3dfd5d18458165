import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forAll } from '../testing/test-size'
import { composeEdits, invertEdits, lineEdits, singleEdit } from './edits'
import { indexLines } from './lines'
import { applyEdits, type Edit } from './span'

const anyLines = fc
  .array(fc.constantFrom('a', 'b', '\n', '\r', '\r\n'), { maxLength: 12 })
  .map((parts) => parts.join(''))

test('the single edit turns one text into the other and never parts a CR from its LF', () => {
  forAll(1000, [anyLines, anyLines], (before, after) => {
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
  })
})

test('long texts give the same edit as short ones', () => {
  const anyLength = fc.constantFrom(0, 1, 65_535, 65_536, 65_537, 200_000)
  forAll(100, [anyLength, anyLength, anyLines, anyLines], (before, after, one, other) => {
    const [head, tail] = ['h'.repeat(before), 't'.repeat(after)]
    const edit = singleEdit(one, other)
    expect(singleEdit(head + one + tail, head + other + tail)).toEqual(
      edit && { ...edit, start: edit.start + before, end: edit.end + before },
    )
  })
})

const anyTextOfLines = fc.array(fc.constantFrom('', 'a', 'b', '}', 'c\r', 'ä', '\ud800'), {
  maxLength: 60,
})

test('the edits turn any text into any other, in order and without overlap', () => {
  forAll(300, [anyTextOfLines, anyTextOfLines], (one, other) => {
    const [before, after] = [one.join('\n'), other.join('\n')]
    const edits = lineEdits(before, after)
    expect(applyEdits(before, edits)).toBe(after)
    for (const [at, { start, end }] of edits.entries()) {
      expect(start).toBeGreaterThanOrEqual(edits[at - 1]?.end ?? 0)
      expect(end).toBeGreaterThanOrEqual(start)
    }
  })
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
  forAll(5000, [anyText, anyEdits, anyEdits], (text, one, other) => {
    const first = inOrder(text, one)
    const between = applyEdits(text, first)
    const second = inOrder(between, other)
    expect(applyEdits(text, composeEdits(first, second))).toBe(applyEdits(between, second))
  })
})

test('inverted edits bring the text back', () => {
  forAll(2000, [anyText, anyEdits], (text, edits) => {
    const fitted = inOrder(text, edits)
    expect(applyEdits(applyEdits(text, fitted), invertEdits(fitted, text))).toBe(text)
  })
})

test('characters typed one after the other are one edit', () => {
  let edits: readonly Edit[] = []
  for (const [at, text] of [...'typed'].entries())
    edits = composeEdits(edits, [{ start: 10 + at, end: 10 + at, text }])
  expect(edits).toEqual([{ start: 10, end: 10, text: 'typed' }])
})
