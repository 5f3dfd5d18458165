/**
 * Ownership: a value stays under the name, and in the object or list, in which it stood. For objects broken in known ways,
 * each value that survives has the path it had, or the report says otherwise.
 */
import fc from 'fast-check'
import { test } from 'vitest'
import { WAYS_TO_BREAK } from '../testing/break-json'
import { realisticArguments } from '../testing/near-json'
import { forAll, testSize } from '../testing/test-size'
import { type JsonPath, jsonPointer } from '../text/json-object'
import { repairArguments } from './repair-arguments'
import { riskOf } from './repair-metrics'

type Json = { readonly [key: string]: unknown }

/** The same object with leaves that all differ. */
function withMarks(value: unknown, count = { next: 100 }): unknown {
  if (typeof value === 'string') return `${value}m${count.next++}`
  if (Array.isArray(value)) return value.map((item) => withMarks(item, count))
  if (typeof value !== 'object' || value === null) return count.next++
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, withMarks(item, count)]),
  )
}

/** Every leaf with the pointer to it. */
function leaves(value: unknown, path: JsonPath = []): (readonly [unknown, string])[] {
  if (typeof value !== 'object' || value === null) return [[value, jsonPointer(path)]]
  return Object.entries(value).flatMap(([key, item]) => leaves(item, [...path, key]))
}

type Break = (value: Json, at: number) => string

const json = (value: Json) => JSON.stringify(value)
const without =
  (pattern: RegExp): Break =>
  (value, place) => {
    const places = Array.from(json(value).matchAll(pattern), ({ index }) => index)
    const at = places[place % places.length] ?? 0
    return json(value).slice(0, at) + json(value).slice(at + 1)
  }
const halves = (value: Json): readonly [Json, Json] => {
  const entries = Object.entries(value)
  const half = entries.length >> 1
  return [Object.fromEntries(entries.slice(0, half)), Object.fromEntries(entries.slice(half))]
}
const tags = (open: (key: string) => string, close: string) => (value: Json) =>
  Object.entries(value)
    .map(
      ([key, item]) =>
        `${open(key)}${typeof item === 'string' ? item : JSON.stringify(item)}${close}`,
    )
    .join('\n')

const WAYS: Readonly<Record<string, Break>> = {
  ...WAYS_TO_BREAK,
  'cut off': (value, place) => json(value).slice(0, 2 + (place % json(value).length)),
  'no bracket closes': without(/[}\]]/g),
  'no bracket opens': without(/[{[]/g),
  'a quote is missing': without(/"/g),
  'a comma is missing': without(/,/g),
  'a colon is missing': without(/:/g),
  'a mark is missing': without(/[{}[\]",:\\]/g),
  'two objects': (value) => halves(value).map(json).join(''),
  'two objects on lines': (value) => halves(value).map(json).join('\n'),
  'two calls': (value) => halves(value).map(json).join('</tool_call><tool_call>'),
  'encoded twice': (value) => JSON.stringify(json(value)),
  'encoded twice, cut off': (value) => JSON.stringify(json(value)).slice(0, -3),
  'encoded thrice': (value) => JSON.stringify(JSON.stringify(json(value))),
  'marks of Gemma': (value) =>
    `<|tool_call>call:f${json(value).replace(/"((?:[^"\\]|\\.)*)"/g, (text, content) => (content.includes('\\') ? text : `<|"|>${content}<|"|>`))}<tool_call|>`,
  'tags of GLM': tags((key) => `<arg_key>${key}</arg_key>\n<arg_value>`, '</arg_value>'),
  'tags of Qwen': tags((key) => `<parameter=${key}>\n`, '\n</parameter>'),
}

const RUNS = testSize(1500, 100_000)

test(`values keep their owners, or the report says that they may not, in ${RUNS} objects broken in ${Object.keys(WAYS).length} ways`, () => {
  const risks = { none: 0, guess: 0, loss: 0, failed: 0 }
  const check = (raw: unknown, [name, damage]: [string, Break], place: number) => {
    const value = withMarks(raw) as Json
    const text = damage(value, place)
    const result = repairArguments(text)
    if (result.state === 'valid') return
    const risk = result.state === 'failed' ? 'failed' : riskOf(result)
    risks[risk]++
    if (risk !== 'none') return
    const [first, second] = halves(value)
    const isTwo = name.startsWith('two ') && json(first) !== '{}' && json(second) !== '{}'
    const owners = new Map(leaves(isTwo ? [first, second] : value))
    const isMoved = ([leaf, path]: readonly [unknown, string]) =>
      owners.has(leaf) && owners.get(leaf) !== path
    if (leaves(result.value).some(isMoved))
      throw new Error(`${name}: ${text}\n became ${result.text}`)
  }
  const ways = fc.constantFrom(...Object.entries(WAYS))
  forAll(0, [realisticArguments, ways, fc.nat()], check, { numRuns: RUNS })
  console.info('Repairs of broken objects by risk', risks)
}, 900_000)
