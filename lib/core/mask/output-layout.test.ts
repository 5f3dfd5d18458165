import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import type { Decision } from '../policy/decide'
import { ReadError } from '../problem'
import { anyMessages, anyText } from '../testing/chat-messages'
import { turnOf } from '../testing/conversation-of'
import { forAll } from '../testing/test-size'
import { indexLines, offsetAt, positionAt } from '../text/lines'
import { applyEdits } from '../text/span'
import { maskEdits } from './mask-document'
import {
  firstSpanOnLine,
  layoutOutput,
  lineSpansOf,
  rangeEdits,
  toOutput,
  toSource,
} from './output-layout'

/** Laid out over lines, on one line, and as JSON Lines; every kind of line end. */
const anyDocument = fc
  .record({
    messages: anyMessages,
    indent: fc.constantFrom(0, 2),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    mark: fc.constantFrom('', '\ufeff'),
    lines: fc.integer({ min: 1, max: 3 }),
  })
  .map(({ messages, indent, lineEnd, mark, lines }) => {
    const one = JSON.stringify({ messages }, null, lines === 1 ? indent : 0)
    const text = Array.from({ length: lines }, () => one).join('\n')
    return mark + text.replace(/\n/g, lineEnd)
  })

function read(text: string) {
  try {
    return readDocument(text).conversations
  } catch (error) {
    if (error instanceof ReadError) return []
    throw error
  }
}

function decisionsFrom(
  conversations: ReturnType<typeof read>,
  placeholders: readonly (string | undefined)[],
): Decision[][] {
  let next = 0
  return conversations.map(({ results }) =>
    results.map(() => {
      const placeholder = placeholders[next++ % placeholders.length]
      const action = placeholder === undefined ? 'keep' : 'mask'
      return { action, reason: 'masked', keptBy: [], placeholder }
    }),
  )
}

const anyPlaceholder = fc.option(anyText, { nil: undefined, freq: 2 })
const anyPlaceholders = fc.array(anyPlaceholder, { minLength: 1, maxLength: 7 })

test('range edits turn the output of any decisions into that of any others', () => {
  forAll(100, [anyDocument, anyPlaceholders, anyPlaceholders], (text, first, second) => {
    const conversations = read(text)
    const spans = lineSpansOf(conversations, indexLines(text))
    const [before, after] = [first, second].map((list) => decisionsFrom(conversations, list))
    if (before === undefined || after === undefined) return
    const layout = layoutOutput(spans, before)
    const next = layoutOutput(spans, after, layout)
    const output = applyEdits(text, maskEdits(conversations, before))
    const index = indexLines(output)
    // In two ranges of whole lines.
    const cut = firstSpanOnLine(spans, spans[spans.length >> 1]?.line ?? 1)
    const edits = [
      ...rangeEdits(text, spans, layout, next, 0, cut),
      ...rangeEdits(text, spans, layout, next, cut),
    ].map((edit) => ({
      start: offsetAt(index, { line: edit.line, column: edit.startColumn }),
      end: offsetAt(index, { line: edit.line, column: edit.endColumn }),
      text: edit.text,
    }))
    expect(applyEdits(output, edits)).toBe(applyEdits(text, maskEdits(conversations, after)))
    expect(next).toEqual(layoutOutput(spans, after))
  })
})

test('every position outside the spans is mapped to the same character and back', () => {
  forAll(40, [anyDocument, anyPlaceholders], (text, list) => {
    const conversations = read(text)
    const index = indexLines(text)
    const spans = lineSpansOf(conversations, index)
    const decisions = decisionsFrom(conversations, list)
    const layout = layoutOutput(spans, decisions)
    const output = applyEdits(text, maskEdits(conversations, decisions))
    const outputIndex = indexLines(output)
    for (let offset = 0; offset < text.length; offset++) {
      const place = positionAt(index, offset)
      const moved = toOutput(spans, layout, place)
      const back = toSource(spans, layout, moved)
      const replaced = spans.find(
        ({ start, end }, at) => layout.texts[at] !== undefined && start <= offset && offset < end,
      )
      if (replaced === undefined) {
        expect(back).toEqual(place)
        expect(output[offsetAt(outputIndex, moved)]).toBe(text[offset])
      } else {
        expect(offsetAt(index, back)).toBe(replaced.start)
      }
    }
    for (const [at, { line, column }] of spans.entries()) {
      if (layout.texts[at] === undefined) continue
      const last = (layout.columns[at] as number) + (layout.lengths[at] as number) - 1
      expect(toSource(spans, layout, { line, column: last })).toEqual({ line, column })
    }
  })
})

test('spans are in document order, and kept without a decision, as those of later requests', () => {
  const line = JSON.stringify({ messages: [...turnOf('a', 'one'), ...turnOf('b', 'two')] })
  const text = `${line}\n${line}`
  const spans = lineSpansOf(read(text).toReversed(), indexLines(text))
  const places = spans.map(({ conversation, result }) => `${conversation} ${result}`)
  expect(places).toEqual(['1 0', '1 1', '0 0', '0 1'])
  const [decisions] = decisionsFrom(read(text), ['[gone]'])
  const { texts } = layoutOutput(spans, [decisions?.slice(0, 1) ?? []])
  expect(texts).toEqual([undefined, undefined, '"[gone]"', undefined])
})
