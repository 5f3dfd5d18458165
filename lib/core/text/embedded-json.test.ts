import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyUnicode } from '../testing/any-unicode'
import { forAll } from '../testing/test-size'
import { parseEmbeddedTree, readValueAt, writeEmbeddedString } from './embedded-json'
import type { JsonNode } from './json-node'

/** A JSON string of the text in which any characters may be written as escapes. */
function writeEscaped(text: string, isEscaped: (index: number) => boolean): string {
  const units = [...Array(text.length).keys()].map((index) => {
    const unit = text[index] as string
    if (isEscaped(index)) return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    return unit === '/' ? '\\/' : JSON.stringify(unit).slice(1, -1)
  })
  return `"${units.join('')}"`
}

const leaves = (node: JsonNode): JsonNode[] => [
  ...(node.kind === 'string' || node.kind === 'other' ? [node] : []),
  ...node.items.flatMap(leaves),
  ...node.members.flatMap(({ value }) => leaves(value)),
]

test('every value of it is found in the outer text, however the outer string is escaped', () => {
  forAll(100, [fc.jsonValue(), fc.array(fc.boolean())], (value, escapes) => {
    const inner = JSON.stringify(value)
    const isEscaped = (index: number) => escapes[index % Math.max(1, escapes.length)] === true
    const outer = `{"body": ${writeEscaped(inner, isEscaped)}}`
    const span = { start: 9, end: outer.length - 1 }
    const tree = parseEmbeddedTree(outer, span)
    expect(readValueAt(outer, { ...tree, encoded: 1 })).toEqual(JSON.parse(inner))
    for (const leaf of leaves(tree)) {
      expect(() => readValueAt(outer, { ...leaf, encoded: 1 })).not.toThrow()
    }
  })
})

test('a string written into it is that text when both are parsed', () => {
  forAll(100, [anyUnicode(), anyUnicode()], (before, text) => {
    const outer = JSON.stringify({ body: JSON.stringify({ a: [before, 1] }) })
    const tree = parseEmbeddedTree(outer, { start: 8, end: outer.length - 1 })
    const span = tree.find(['a', 0]) as JsonNode
    const edited = outer.slice(0, span.start) + writeEmbeddedString(text, 1) + outer.slice(span.end)
    expect(JSON.parse(JSON.parse(edited).body)).toEqual({ a: [text, 1] })
  })
})
