/** Arbitrary damaged documents of every format: samples and generated conversations, cut, mixed and changed. */
import fc from 'fast-check'
import type { MaskPolicy } from '../../lib/core/policy/policy'
import type { JsonValue } from '../../lib/core/testing/chat-messages'
import { anyDocument } from '../../lib/core/testing/documents'
import { anySessionPolicy } from '../../lib/core/testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../../lib/core/testing/transcripts'
import { anyStyle, writeJson } from '../../lib/core/testing/write-json'
import { isJsonObject } from '../../lib/core/text/json-object'

export interface DamagedDocument {
  readonly text: string
  readonly policy: MaskPolicy
}

interface Base {
  readonly isLines: boolean
  /** The value of the document, or the list of the values of its lines. */
  readonly value: JsonValue
}

/** Items of a list and characters of a text that a sample keeps. */
const SIZES = [
  [2, 20],
  [3, 40],
  [5, 60],
] as const

/** Longer generated documents are left out. */
const MOST_CHARS = 4_000

const BASES: readonly Base[] = SAMPLE_FILES.flatMap((file) => {
  const text = readTranscript(file)
  const whole = parsed(text)
  const isLines = whole === undefined
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return SIZES.map(([items, chars]) => ({
    isLines,
    value: isLines
      ? lines.slice(0, 3 * items).map((line) => shorten(JSON.parse(line), items, chars))
      : shorten(whole, items, chars),
  }))
})

/** Cuts lists and texts, also those in JSON in strings, so that a document is small. */
function shorten(value: JsonValue, items: number, chars: number): JsonValue {
  if (typeof value === 'string') {
    if (value.length <= chars) return value
    const inside = /^\s*[[{]/.test(value) ? parsed(value) : undefined
    return inside === undefined
      ? value.slice(0, chars)
      : JSON.stringify(shorten(inside, items, chars))
  }
  const own = editEntries(value, (entries) =>
    entries.map(([key, child]) => [key, shorten(child, items, chars)]),
  )
  return Array.isArray(own) ? own.slice(0, items) : own
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

type Entries = readonly (readonly [string, JsonValue])[]

/** Changes the items of a list or the members of an object; any other value stays. */
function editEntries(value: JsonValue, edit: (entries: Entries) => Entries): JsonValue {
  if (Array.isArray(value)) return edit(Object.entries(value)).map(([, child]) => child)
  return isJsonObject(value) ? Object.fromEntries(edit(Object.entries(value as object))) : value
}

const ODD_TEXTS = [
  '',
  '\ud800',
  '\udc00\ud800',
  '\u0000',
  '\ufeff',
  '__proto__',
  'constructor',
  '{"a":1',
  '[masked call_1]',
  '[Observation masked: {tool_call_id}]',
  '{original_chars}',
  'Error: x',
  '$&$1',
  'DB_PASSWORD=hunter2x',
  'é😀\u2028',
]
const ODD_KEYS = ['__proto__', 'constructor', 'toString', 'length', '', 'role', 'type', 'content']
const ODD_PIECES = [
  '\0',
  '\ufeff',
  '\ud800',
  '"',
  '\\',
  '{',
  '[',
  ',',
  '\n',
  '\r\n',
  '1e999',
  'NaN',
]
const ID_KEY = /(?:^|[_a-z])id$|Id$|^name$/

/** Values of types that are rarely expected. */
const anyOddValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(null, true, false, [], {}, [null, [], {}, 'text', 1]),
  fc.constantFrom(0, -1, 1.5, 1e308, -1e-300, 2 ** 53, 1e21),
  fc.constantFrom(...ODD_TEXTS),
  fc.constantFrom(...ODD_KEYS).map((key) => ({ [key]: { toString: 1, valueOf: null } })),
  fc.constantFrom(3, 40, 509, 600).map((levels) => {
    let value: JsonValue = 'deep'
    for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
    return value
  }),
)

/** Draws from an arbitrary while a document is made. */
type Draw = fc.GeneratorValue

const below = (draw: Draw, limit: number) => draw(fc.nat, Math.max(0, limit - 1))
const pick = <Item>(draw: Draw, items: readonly Item[]) => items[below(draw, items.length)] as Item
const chance = (draw: Draw, percent: number) => below(draw, 100) < percent
const odd = (draw: Draw) => draw(() => anyOddValue)

/** A list or an object loses, repeats, moves, renames or gains an item. */
const ENTRY_CHANGES: readonly ((entries: Entries, at: number, draw: Draw) => Entries)[] = [
  (entries, at) => entries.toSpliced(at, 1),
  (entries, at, draw) => entries.toSpliced(at, 0, ...entries.slice(below(draw, entries.length), 1)),
  (entries, at, draw) =>
    entries
      .toSpliced(at, 1)
      .toSpliced(below(draw, entries.length), 0, ...entries.slice(at, at + 1)),
  (entries, at, draw) =>
    entries.map(([key, child], own) => [own === at ? pick(draw, ODD_KEYS) : key, child]),
  (entries, _, draw) => [...entries, [pick(draw, ODD_KEYS), odd(draw)]],
  (entries, at, draw) => entries.toSpliced(at, 0, ['other', pick(draw, BASES).value]),
]

/** Changes one value somewhere inside; lists and objects near the root more often than what they contain. */
function changed(value: JsonValue, draw: Draw): JsonValue {
  const { length } = Object.keys(typeof value === 'object' ? (value ?? {}) : {})
  const at = below(draw, length)
  if (length > 0 && !chance(draw, 12))
    return editEntries(value, (entries) =>
      entries.map(([key, child], own) => [key, own === at ? changed(child, draw) : child]),
    )
  return pick(draw, [
    () => odd(draw),
    () => pick(draw, ODD_TEXTS),
    () => [value, value],
    // A value becomes JSON in a string, or the reverse.
    () => (typeof value === 'string' ? { text: value } : JSON.stringify(value)),
    ...ENTRY_CHANGES.map(
      (change) => () => editEntries(value, (entries) => change(entries, at, draw)),
    ),
  ])()
}

/** Gives all ids and names the same value. */
function repeatIds(value: JsonValue, id: string): JsonValue {
  return editEntries(value, (entries) =>
    entries.map(([key, child]) => [
      key,
      ID_KEY.test(key) && typeof child === 'string' ? id : repeatIds(child, id),
    ]),
  )
}

function writeChanged(base: Base, draw: Draw): string {
  let { value } = base
  for (let changes = pick(draw, [0, 0, 1, 1, 2, 5]); changes > 0; changes--)
    value = changed(value, draw)
  if (chance(draw, 8)) value = repeatIds(value, pick(draw, ['call_1', '', '__proto__']))
  if (chance(draw, 3)) value = { request: value, response: { body: JSON.stringify(value) } }
  const isLines = chance(draw, 5) ? !base.isLines : base.isLines
  if (isLines && Array.isArray(value)) return value.map((line) => JSON.stringify(line)).join('\n')
  if (chance(draw, 80)) return JSON.stringify(value, null, pick(draw, [0, 0, 1, 2]))
  return writeJson(
    value,
    draw(() => anyStyle),
  )
}

/** Damages the text itself: cut, a piece lost, repeated, put in or replaced. */
function damaged(text: string, draw: Draw): string {
  const at = below(draw, text.length + 1)
  const end = Math.min(text.length, at + below(draw, 60))
  const piece = pick(draw, ODD_PIECES)
  return pick(draw, [
    () => text.slice(0, at),
    () => text.slice(0, at) + text.slice(end),
    () => text.slice(0, end) + text.slice(at),
    () => text.slice(0, at) + piece + text.slice(at),
    () => piece + text,
    () => text.replace(/"role":/, '"role":"x","role":'),
    () => `${text}\n${text}`,
    () => text.replaceAll('\n', '\r\n'),
    () => text.replace(/:\s*\d+/, ': 1e999'),
    () => `${'['.repeat(pick(draw, [2, 600]))}${text}`,
    () => `curl https://example.org -d '${text}'`,
  ])()
}

export const anyDamagedDocument: fc.Arbitrary<DamagedDocument> = fc
  .tuple(anySessionPolicy, fc.option(anyDocument, { freq: 4 }), fc.gen())
  .map(([policy, generated, draw]) => {
    const isShort = generated !== null && generated.text.length < MOST_CHARS
    const text = isShort ? generated.text : writeChanged(pick(draw, BASES), draw)
    return { text: chance(draw, 35) ? damaged(text, draw) : text, policy }
  })
