import { expect } from 'vitest'
import type { ReadDocument } from '../formats/read-document'
import type { MaskedDocument } from '../mask/mask-document'
import { nonBlankLines } from '../text/json-lines'
import type { Edit, Offset } from '../text/span'
import { differences } from './differences'
import { parseText } from './documents'

/**
 * Checks a masked text against its source, without trusting what made it: what stands outside the edits is equal,
 * and parsed, the two differ at the strings of masked results and nowhere else.
 */
export function expectMaskedOnly(document: ReadDocument, masked: MaskedDocument): void {
  const { text, layout } = document.source
  expectEqualOutside(text, masked.text, masked.edits)
  const expected = expectedTexts(document, masked)
  const held = heldPointers(expected.keys(), parseText(text, layout))
  const before = unpackHeld(parseText(text, layout), held)
  const after = unpackHeld(parseText(masked.text, layout), held)
  const unexpected = differences(before, after).filter((pointer) => !expected.has(pointer))
  expect(unexpected).toEqual([])
  for (const [pointer, content] of expected) expect(valueAt(after, pointer)).toBe(content)
}

function expectEqualOutside(source: string, output: string, edits: readonly Edit[]): void {
  let from: Offset = 0
  let shift = 0
  for (const edit of [...edits, { start: source.length, end: source.length, text: '' }]) {
    expect(edit.start).toBeGreaterThanOrEqual(from)
    const isEqual =
      source.slice(from, edit.start) === output.slice(from + shift, edit.start + shift)
    expect(isEqual, `characters ${from}-${edit.start} of the source`).toBe(true)
    shift += edit.text.length - (edit.end - edit.start)
    from = edit.end
  }
  expect(output.length).toBe(source.length + shift)
}

/** What masked strings must have become, by pointer; in JSON Lines the pointer begins with the line. */
function expectedTexts(
  { source, conversations }: ReadDocument,
  { decisions }: MaskedDocument,
): ReadonlyMap<string, string> {
  const lines = source.layout === 'jsonl' ? nonBlankLines(source.text) : []
  const root = parseText(source.text, source.layout)
  const expected = new Map<string, string>()
  for (const [at, { results }] of conversations.entries()) {
    for (const [index, { slots }] of results.entries()) {
      const placeholder = decisions[at]?.[index]?.placeholder
      if (placeholder === undefined) continue
      for (const slot of slots) {
        const line = lines.findIndex(({ start, end }) => start <= slot.start && slot.end <= end)
        const pointer = line === -1 ? slot.pointer : `/${line}${slot.pointer}`
        const text = slot.filler ?? placeholder
        const isInQuotes = slot.encoded > 0 && stringAbove(root, pointer) === pointer
        expected.set(pointer, isInQuotes ? JSON.stringify(text) : text)
      }
    }
  }
  return expected
}

/** Pointers of the strings that hold JSON in which something is masked. */
function heldPointers(pointers: Iterable<string>, root: unknown): ReadonlySet<string> {
  const held = new Set<string>()
  for (const pointer of pointers) {
    const above = stringAbove(root, pointer)
    if (above !== pointer) held.add(above)
  }
  return held
}

/** The pointer of the first string on the way to a pointer: where nothing is held, that at its end. */
function stringAbove(root: unknown, pointer: string): string {
  const steps = pointer.split('/').slice(1)
  for (let length = 0; length < steps.length; length++) {
    const start = ['', ...steps.slice(0, length)].join('/')
    if (typeof valueAt(root, start) === 'string') return start
  }
  return pointer
}

/** The value with each of those strings replaced by what it holds. */
function unpackHeld(root: unknown, held: ReadonlySet<string>): unknown {
  for (const pointer of held) {
    const [, parentPointer, key] = /^(.*)\/([^/]*)$/.exec(pointer) ?? []
    const parent = valueAt(root, parentPointer ?? '') as Record<string, unknown>
    const step = (key ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
    parent[step] = JSON.parse(parent[step] as string)
  }
  return root
}

/** The value at an RFC 6901 pointer. */
export function valueAt(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], value)
}
