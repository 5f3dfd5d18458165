import { expect } from 'vitest'
import { type FormatId, type ReadDocument, readDocument } from '../formats/read-document'
import { type MaskedDocument, maskDocument } from '../mask/mask-document'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { isJsonObject } from '../text/json'
import { jsonPointer } from '../text/json-path'
import { nonBlankLines } from '../text/lines'
import type { Edit, Offset } from '../text/span'
import { parseText } from './documents'

export const MASK_ALL: MaskPolicy = {
  ...DEFAULT_POLICY,
  enabled: true,
  windowTurns: 1,
  keepErrors: false,
  textParts: true,
  linkByOrder: true,
}

/**
 * Checks that a text is read as this format, that masking all old results changes only their strings, and that the masked
 * text is read as the same format and does not change when it is masked again.
 */
export function expectStableMasking(
  text: string,
  format: FormatId,
  policy = MASK_ALL,
  document = readDocument(text),
): void {
  expect(document.format.id).toBe(format)
  expect(maskDocument({ text, ...document }, DEFAULT_POLICY).text).toBe(text)
  const masked = maskDocument({ text, ...document }, policy)
  expectMaskedOnly(document, masked)
  const again = readDocument(masked.text)
  expect(again.format.id).toBe(format)
  expect(maskDocument({ text: masked.text, ...again }, policy).text).toBe(masked.text)
}

/**
 * Checks a masked text against its source: the texts outside the edits are equal, and the parsed values differ only at the
 * strings of masked results.
 */
export function expectMaskedOnly(document: ReadDocument, masked: MaskedDocument): void {
  const { text, layout } = document.source
  expectEqualOutside(text, masked.text, masked.edits)
  const expected = expectedTexts(document, masked)
  const embedded = embeddedPointers(expected.keys(), parseText(text, layout))
  const before = parseEmbedded(parseText(text, layout), embedded)
  const after = parseEmbedded(parseText(masked.text, layout), embedded)
  const unexpected = differences(before, after).filter((pointer) => !expected.has(pointer))
  expect(unexpected).toEqual([])
  for (const [pointer, content] of expected) expect(valueAtPointer(after, pointer)).toBe(content)
}

/** Checks that edits ascend, and that they are all that differs. */
export function expectEqualOutside(source: string, output: string, edits: readonly Edit[]): void {
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

/** Returns the expected text of each masked string, by pointer; in JSON Lines the pointer starts with the line. */
function expectedTexts(
  { source, conversations }: ReadDocument,
  { decisions }: MaskedDocument,
): ReadonlyMap<string, string> {
  const lines = source.layout === 'jsonl' ? nonBlankLines(source.text) : []
  const root = parseText(source.text, source.layout)
  const expected = new Map<string, string>()
  for (const [at, { results }] of conversations.entries()) {
    for (const [index, { spans }] of results.entries()) {
      const placeholder = decisions[at]?.[index]?.placeholder
      if (placeholder === undefined) continue
      for (const span of spans) {
        const line = lines.findIndex(({ start, end }) => start <= span.start && span.end <= end)
        const pointer = line === -1 ? span.pointer : `/${line}${span.pointer}`
        const text = span.filler ?? placeholder
        const isInQuotes = span.encoded > 0 && stringAbove(root, pointer) === pointer
        expected.set(pointer, isInQuotes ? JSON.stringify(text) : text)
      }
    }
  }
  return expected
}

/** Returns the pointers of strings with JSON in which something is masked. */
function embeddedPointers(pointers: Iterable<string>, root: unknown): ReadonlySet<string> {
  const embedded = new Set<string>()
  for (const pointer of pointers) {
    const above = stringAbove(root, pointer)
    if (above !== pointer) embedded.add(above)
  }
  return embedded
}

/** Returns the pointer of the first string on the way to a pointer, or the pointer itself when there is none above. */
function stringAbove(root: unknown, pointer: string): string {
  const steps = pointer.split('/').slice(1)
  for (let length = 0; length < steps.length; length++) {
    const start = ['', ...steps.slice(0, length)].join('/')
    if (typeof valueAtPointer(root, start) === 'string') return start
  }
  return pointer
}

/** Replaces each of those strings with its parsed JSON. */
function parseEmbedded(root: unknown, embedded: ReadonlySet<string>): unknown {
  for (const pointer of embedded) {
    const [, parentPointer, key] = /^(.*)\/([^/]*)$/.exec(pointer) ?? []
    const parent = valueAtPointer(root, parentPointer ?? '') as Record<string, unknown>
    const step = (key ?? '').replaceAll('~1', '/').replaceAll('~0', '~')
    parent[step] = JSON.parse(parent[step] as string)
  }
  return root
}

/** Returns the value at an RFC 6901 pointer. */
export function valueAtPointer(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((found, step) => (found as Record<string, unknown>)[step], value)
}

/** Returns the pointers at which two JSON values differ, including keys and their order. */
function differences(before: unknown, after: unknown): string[] {
  const found: string[] = []
  const walk = (a: unknown, b: unknown, path: (string | number)[]): void => {
    if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
      for (let index = 0; index < a.length; index++) walk(a[index], b[index], [...path, index])
      return
    }
    if (isJsonObject(a) && isJsonObject(b)) {
      const keys = Object.keys(a)
      if (JSON.stringify(keys) === JSON.stringify(Object.keys(b))) {
        for (const key of keys) walk(a[key], b[key], [...path, key])
        return
      }
    }
    if (!Object.is(a, b)) found.push(jsonPointer(path))
  }
  walk(before, after, [])
  return found
}
