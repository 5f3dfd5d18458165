/**
 * Ownership: a value stays under the name, and in the object or list, in which it stood. For objects broken in known ways,
 * each value has the path it had, or the report says otherwise.
 */
import fc from 'fast-check'
import { test } from 'vitest'
import { WAYS_TO_BREAK } from '../testing/break-json'
import { realisticArguments } from '../testing/near-json'
import { forAll, testSize } from '../testing/test-size'
import { type JsonPath, jsonPointer } from '../text/json-path'
import { repairArguments } from './repair-arguments'
import { riskOf } from './repair-strategies'

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

/** The three digits at the end of a leaf. */
const markOf = (leaf: unknown) => String(leaf).slice(-3)

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
const tags = (open: (key: string, isText: boolean) => string, close: string) => (value: Json) =>
  Object.entries(value)
    .map(([key, item]) => {
      const isText = typeof item === 'string'
      return `${open(key, isText)}${isText ? item : JSON.stringify(item)}${close}`
    })
    .join('\n')
const parameters = tags(
  (key, isText) => `<｜DSML｜parameter name="${key}" string="${isText}">`,
  '</｜DSML｜parameter>',
)
/** The text up to a tag, without the tag. */
const deepseek = (value: Json, place: number) => {
  const text = `<｜DSML｜invoke name="f">${parameters(value)}</｜DSML｜invoke>`
  const found = Array.from(text.matchAll(/<\/?｜[^<>]*>/g))
  const { 0: tag = '', index = 0 } = found[place % found.length] ?? {}
  return { text, before: text.slice(0, index), after: text.slice(index + tag.length) }
}

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
  'tags of DeepSeek': (value) => deepseek(value, 0).text,
  'tags of DeepSeek, one is missing': (value, place) => {
    const { before, after } = deepseek(value, place)
    return before + after
  },
  'tags of DeepSeek, cut off between them': (value, place) => deepseek(value, place).before,
  'a tag within, a bracket is missing': (value, place) => {
    const [first, second] = halves(value).map(json) as [string, string]
    return `${first.slice(0, -1)}</tool_call>${second.slice(place % 2)}`
  },
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
      Array.from(owners).some(
        ([other, owner]) => owner !== path && String(leaf).includes(markOf(other)),
      )
    const isLost = (leaf: unknown) => !result.text.includes(markOf(leaf))
    if (leaves(result.value).some(isMoved) || Array.from(owners.keys()).some(isLost))
      throw new Error(`${name}: ${text}\n became ${result.text}`)
  }
  const ways = fc.constantFrom(...Object.entries(WAYS))
  forAll(0, [realisticArguments, ways, fc.nat()], check, { numRuns: RUNS })
  console.info('Repairs of broken objects by risk', risks)
}, 900_000)
