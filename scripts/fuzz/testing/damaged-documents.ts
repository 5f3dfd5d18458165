/** Arbitrary damaged documents of every format: samples and generated conversations, cut, mixed and changed. */
import fc from 'fast-check'
import type { MaskPolicy } from '../../../lib/core/policy/policy'
import type { JsonValue } from '../../../lib/core/testing/chat-messages'
import { anyDocument } from '../../../lib/core/testing/documents'
import { anySessionPolicy } from '../../../lib/core/testing/test-sessions'
import { readTranscript, SAMPLE_FILES } from '../../../lib/core/testing/transcripts'
import { anyStyle, writeJson } from '../../../lib/core/testing/write-json'
import { isJsonObject, parseJson } from '../../../lib/core/text/json'

export interface DamagedDocument {
  readonly text: string
  readonly policy: MaskPolicy
}

/** Items of a list and characters of a text that a sample keeps. */
const SIZES = [
  [2, 20],
  [3, 40],
  [5, 60],
] as const

/** Longer generated documents are left out. */
const MOST_CHARS = 4_000

/** The value of each sample, or the list of the values of its lines, with short lists and texts. */
const BASES = SAMPLE_FILES.flatMap((file) => {
  const text = readTranscript(file)
  const whole = parseJson(text)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return SIZES.map(([items, chars]) => {
    /** Cuts lists and texts, also those in JSON in strings. */
    const short = (_: string, value: JsonValue): JsonValue => {
      if (Array.isArray(value)) return value.slice(0, items)
      if (typeof value !== 'string' || value.length <= chars) return value
      const inside = /^\s*[[{]/.test(value) ? parseJson(value) : undefined
      return inside === undefined ? value.slice(0, chars) : JSON.stringify(inside, short)
    }
    const isLines = whole === undefined
    const values = isLines ? lines.slice(0, 3 * items).map(parseJson) : [whole]
    const shortened = values.map((value) => JSON.parse(JSON.stringify(value, short)) as JsonValue)
    return { isLines, value: isLines ? shortened : (shortened[0] as JsonValue) }
  })
})

const ODD_KEYS = '__proto__ constructor toString length role type content'.split(' ').concat('')
const ODD_PIECES = [...'\0\ufeff\ud800"\\{[,\n', '\r\n', '1e999', 'NaN']
const ODD_TEXTS = [
  ...['', '\ud800', '\udc00\ud800', '\0', '\ufeff', '__proto__', 'constructor', '{"a":1'],
  ...['[masked call_1]', '[Observation masked: {tool_call_id}]', '{original_chars}', '$&$1'],
  ...['Error: x', 'DB_PASSWORD=hunter2x', 'é😀\u2028'],
]
const ID_MEMBER = /("(?:\w*_)?(?:id|name)"|"\w*Id"):\s*"(?:[^"\\]|\\.)*"/g

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

/** What becomes of a value; undefined removes it. */
const CHANGES: readonly ((value: JsonValue, draw: Draw) => JsonValue | undefined)[] = [
  () => undefined,
  (_, draw) => draw(() => anyOddValue),
  (_, draw) => pick(draw, ODD_TEXTS),
  (_, draw) => structuredClone(pick(draw, BASES).value),
  (value) => [value, value],
  // A value becomes JSON in a string, or the reverse.
  (value) => (typeof value === 'string' ? { text: value } : JSON.stringify(value)),
  (value, draw) => withItems(value, (items) => items.toSpliced(below(draw, items.length), 1)),
  (value) => withItems(value, (items) => items.toReversed()),
  (value) => withItems(value, (items) => [...items, ...items.slice(0, 1)]),
  (value, draw) =>
    withItems(value, ([[, child] = ['', null], ...rest]) => [
      [pick(draw, ODD_KEYS), child],
      ...rest,
    ]),
  (value, draw) =>
    withItems(value, (items) => [...items, [pick(draw, ODD_KEYS), draw(() => anyOddValue)]]),
]

type Items = readonly (readonly [string, JsonValue])[]

/** Changes the items of a list or the members of an object; any other value stays. */
function withItems(value: JsonValue, edit: (items: Items) => Items): JsonValue {
  if (Array.isArray(value)) return edit(Object.entries(value)).map(([, child]) => child)
  return isJsonObject(value) ? Object.fromEntries(edit(Object.entries(value as object))) : value
}

/** Changes one value somewhere inside, one near the start more often. */
function changed(value: JsonValue, draw: Draw): JsonValue {
  let size = 0
  JSON.stringify(value, (_, child) => {
    size++
    return child
  })
  let left = below(draw, 1 + below(draw, size))
  const text = JSON.stringify(value, (_, child) =>
    left-- === 0 ? pick(draw, CHANGES)(child, draw) : child,
  )
  return text === undefined ? null : JSON.parse(text)
}

function writeChanged({ value: sample, isLines }: (typeof BASES)[number], draw: Draw): string {
  let value = sample
  for (let changes = pick(draw, [0, 0, 1, 1, 2, 5]); changes > 0; changes--)
    value = changed(value, draw)
  if (chance(draw, 3)) value = { request: value, response: { body: JSON.stringify(value) } }
  if (isLines !== chance(draw, 5) && Array.isArray(value))
    return value.map((line) => JSON.stringify(line)).join('\n')
  if (chance(draw, 80)) return JSON.stringify(value, null, pick(draw, [0, 0, 1, 2]))
  const style = draw(() => anyStyle)
  return writeJson(value, style)
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
    () => text.replaceAll(ID_MEMBER, `$1:"${pick(draw, ['call_1', '', '__proto__'])}"`),
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
