/** Changes JSON values as broken programs and hostile authors do. */
import type { JsonValue } from '../../lib/core/testing/chat-messages'

/** Random choices that depend on a seed only, so that a failing document can be made again. */
export interface Random {
  /** An integer from 0 to below the limit. */
  readonly below: (limit: number) => number
  readonly chance: (percent: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
}

/** Mulberry32: https://github.com/cprosche/mulberry32 */
export function createRandom(seed: number): Random {
  let state = seed | 0
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
  return {
    below,
    chance: (percent) => below(100) < percent,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  }
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
const ID_KEY = /(?:^|[_a-z])id$|Id$|^name$/

/** A value of a type that is rarely expected. */
function oddValue(random: Random): JsonValue {
  return random.pick<() => JsonValue>([
    () => null,
    () => random.chance(50),
    () => random.pick([0, -1, 1.5, 1e308, -1e-300, 2 ** 53, 1e21]),
    () => random.pick(ODD_TEXTS),
    () => [],
    () => ({}),
    () => Object.fromEntries([[random.pick(ODD_KEYS), { toString: 1, valueOf: null }]]),
    () => nested(random.pick([3, 40, 509, 600])),
    () => [null, [], {}, 'text', 1],
  ])()
}

function nested(levels: number): JsonValue {
  let value: JsonValue = 'deep'
  for (let level = 0; level < levels; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

type Change = (value: JsonValue, random: Random) => JsonValue

const CHANGES: readonly Change[] = [
  (_, random) => oddValue(random),
  (_, random) => random.pick(ODD_TEXTS),
  // An array loses, repeats or moves an item; an object loses or renames a key.
  (value, random) => (isList(value) ? value.toSpliced(random.below(value.length + 1), 1) : null),
  (value, random) => {
    if (!isList(value) || value.length === 0) return [value, value]
    return value.toSpliced(random.below(value.length), 0, random.pick(value))
  },
  (value, random) => {
    if (!isList(value)) return [value]
    const from = random.below(value.length)
    return value.toSpliced(from, 1).toSpliced(random.below(value.length), 0, value[from] ?? null)
  },
  (value, random) => changeKey(value, random, () => undefined),
  (value, random) => changeKey(value, random, () => random.pick(ODD_KEYS)),
  (value, random) => (isList(value) ? [...value, oddValue(random)] : oddValue(random)),
  // A value becomes JSON in a string, or the reverse.
  (value) => (typeof value === 'string' ? { text: value } : JSON.stringify(value)),
]

/** Changes one value somewhere inside; lists and objects near the root more often than what they contain. */
export function mutateValue(value: JsonValue, random: Random): JsonValue {
  const children = childrenOf(value)
  if (children.length === 0 || random.chance(12)) return random.pick(CHANGES)(value, random)
  const [key, child] = random.pick(children)
  return withChild(value, key, mutateValue(child, random))
}

/** Gives all ids, or all ids and names, the same value. */
export function repeatIds(value: JsonValue, id: JsonValue): JsonValue {
  if (isList(value)) return value.map((item) => repeatIds(item, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [
      key,
      ID_KEY.test(key) && typeof child === 'string' ? id : repeatIds(child, id),
    ]),
  )
}

/** Puts a value somewhere into a list of another. */
export function insertValue(value: JsonValue, added: JsonValue, random: Random): JsonValue {
  if (isList(value) && (value.length === 0 || random.chance(40)))
    return value.toSpliced(random.below(value.length + 1), 0, added)
  const children = childrenOf(value)
  if (children.length === 0) return [value, added]
  const [key, child] = random.pick(children)
  return withChild(value, key, insertValue(child, added, random))
}

/** Cuts lists and texts, also those in JSON in strings, so that a document is small. */
export function shorten(value: JsonValue, items: number, chars: number): JsonValue {
  if (typeof value === 'string') {
    if (value.length <= chars) return value
    const inside = /^\s*[[{]/.test(value) ? parsed(value) : undefined
    return inside === undefined
      ? value.slice(0, chars)
      : JSON.stringify(shorten(inside, items, chars))
  }
  if (isList(value)) return value.slice(0, items).map((item) => shorten(item, items, chars))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, shorten(child, items, chars)]),
  )
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function changeKey(value: JsonValue, random: Random, renamed: () => string | undefined): JsonValue {
  if (typeof value !== 'object' || value === null || isList(value)) return value
  const entries = Object.entries(value)
  const at = random.below(entries.length)
  const name = renamed()
  const [, child] = entries[at] ?? ['', null]
  return Object.fromEntries(
    entries.toSpliced(
      at,
      1,
      ...(name === undefined ? [] : [[name, child] satisfies [string, JsonValue]]),
    ),
  )
}

function childrenOf(value: JsonValue): readonly (readonly [string | number, JsonValue])[] {
  if (isList(value)) return value.map((item, index) => [index, item])
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function withChild(value: JsonValue, key: string | number, child: JsonValue): JsonValue {
  if (isList(value)) return value.with(key as number, child)
  return Object.fromEntries(
    Object.entries(value as object).map(([name, own]) => [name, name === key ? child : own]),
  )
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
