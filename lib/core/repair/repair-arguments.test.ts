import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { forAll } from '../testing/test-size'
import { isJsonObject } from '../text/json'
import { applyEdits } from '../text/span'
import { type RepairResult, repairArguments } from './repair-arguments'
import { REPAIR_LIMITS } from './repair-limits'
import { riskOf, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

/** The cases of a list: a line that describes each, its text, what becomes of it, and an empty line. */
function casesIn(list: string): (readonly [head: string, before: string, after: string])[] {
  const lines = readFileSync(`${import.meta.dirname}/cases/${list}.list`, 'utf8').split('\n')
  return Array.from({ length: lines.length >> 2 }, (_, at) => {
    const [head = '', before = '', after = ''] = lines.slice(at * 4)
    return [head, unwritten(before), unwritten(after)]
  })
}

/** Control characters are written as their pictures, other invisible ones as their numbers. */
function unwritten(line: string): string {
  return line
    .replace(/[\u2400-\u2420]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400))
    .replace(/⟨(\w+)⟩/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

const namesIn = ({ fixes }: RepairResult) => new Set(fixes.map(({ strategy }) => strategy))
const allow = (names: Iterable<StrategyName>) => ({ ...REPAIR_LIMITS, strategies: new Set(names) })
const EMPTY = { state: 'repaired', text: '{"a":1}', strategy: 'serialised_object' }

describe('the risk of a repair, its strategies, the text before and after', () => {
  const used = new Set<StrategyName>(['serialised_object', 'wrapped_input'])

  test.each(casesIn('repairs'))('%s: %j becomes %j', (head, before, after) => {
    const result = repairArguments(before)
    expect([result.text, applyEdits(before, result.fixes)]).toEqual([after, after])
    if (head === 'failed') {
      expect(result).toMatchObject({ state: 'failed', isObject: false, fixes: [] })
      return
    }
    const names = STRATEGY_NAMES.filter((name) => namesIn(result).has(name))
    const isNeeded = !head.endsWith(' …')
    expect([riskOf(result), ...names, ...(isNeeded ? [] : ['…'])].join(' ')).toBe(head)
    expect(JSON.parse(after)).toEqual(result.value)
    expect(result.isObject).toBe(after.trim().startsWith('{'))
    // No other strategy is needed, unless its fixes were replaced; and none is used that is not allowed.
    const same = { text: after, strategy: names.at(-1) }
    if (isNeeded) expect(repairArguments(before, allow(names))).toMatchObject(same)
    for (const name of names) {
      used.add(name)
      const others = allow(STRATEGY_NAMES.filter((other) => other !== name))
      if (name !== 'repeated_keys')
        expect(namesIn(repairArguments(before, others))).not.toContain(name)
    }
  })

  test('every strategy has a case', () => {
    expect(STRATEGY_NAMES.filter((name) => !used.has(name))).toEqual([])
  })
})

const VALUES = ['1', '-2.5', '"a b"', 'null', '["p", "q"]', '{"w": 0}', '"it\'s"', '"é, ü"', '""']

test.each(casesIn('variants'))('60 texts with %s mean the expected value', (_, before, after) => {
  for (const name of ['id', 'old_str', 'path'])
    for (const value of [...VALUES, '12e3'])
      for (const words of ['note', 'see 4']) {
        const [text, meant] = [before, after].map((template) =>
          template.replace(/NAME|VALUE|WORDS/g, (part) =>
            part === 'NAME' ? name : part === 'VALUE' ? value : words,
          ),
        ) as [string, string]
        const got = repairArguments(text).value
        if (!isDeepStrictEqual(got, JSON.parse(meant))) expect([text, got]).toEqual([text, meant])
      }
})

const CODE = 'print(5)\nx = 6'
const WRAPPED = { isObject: true, strategy: 'wrapped_input', value: { input: CODE } }
const NONE_LEFT = { attempts: 0, milliseconds: 0 }
const OFF = { ...NONE_LEFT, enabled: false, now: () => 9000 }

test.each([
  ['an object', { a: 1 }, {}, EMPTY],
  ['a value that JSON does not have', undefined, {}, { state: 'failed' }],
  ['valid JSON that is no object', '[1]', {}, { state: 'valid', isObject: false }],
  ['a program', CODE, {}, { state: 'failed', failure: 'nothing_recognised' }],
  ['a program that may be wrapped', CODE, { wrapInput: true }, WRAPPED],
  ['too many brackets', '['.repeat(600), {}, { text: '['.repeat(600), failure: 'too_deep' }],
  ['too many values', '[]'.repeat(10_001), {}, { failure: 'nothing_recognised' }],
  ['no attempts left', '{"a": 1,}', { attempts: 0 }, { failure: 'too_many_attempts' }],
  ['valid JSON, no attempts left', '{"a": 1}', NONE_LEFT, { state: 'valid' }],
  ['no limits', '{"a": 1,}', OFF, { text: '{"a": 1}' }],
])('%s', (_, input, options, result) => {
  expect(repairArguments(input, { ...REPAIR_LIMITS, ...options })).toMatchObject(result)
})

test('at most three strings around an object are undone, none around another value, wrapped or not', () => {
  const leaf = fc.oneof(fc.integer(), fc.boolean(), fc.constantFrom('x', 'a b', 'é"\\n', null))
  const { any } = fc.letrec<{ any: unknown }>((tie) => ({
    any: fc.oneof(
      leaf,
      fc.array(tie('any'), { maxLength: 3 }),
      fc.dictionary(fc.string(), tie('any')),
    ),
  }))
  forAll(
    1000,
    [any, fc.nat(5), fc.boolean(), fc.boolean()],
    (inner, layers, isBroken, wrapInput) => {
      const isObject = isJsonObject(inner)
      let text = JSON.stringify(inner)
      if (isObject && isBroken && text !== '{}') text = `${text.slice(0, -1)},}`
      const isRepaired = isObject && (layers > 0 || text.endsWith(',}'))
      for (let layer = 0; layer < layers; layer++) text = JSON.stringify(text)
      const made = repairArguments(text, { ...REPAIR_LIMITS, wrapInput })
      if (isObject && layers <= 3) {
        expect([made.value, made.state]).toEqual([inner, isRepaired ? 'repaired' : 'valid'])
        expect(riskOf(made)).toBe('none')
      } else if (wrapInput) expect(made.value).toEqual({ input: text })
      else expect([made.state, made.text]).toEqual(['valid', text])
    },
  )
})

test('the clock is a default: without options a repair ends after five seconds', () => {
  let time = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => (time += 3000))
  const { failure } = repairArguments('{"a": 1,}')
  clock.mockRestore()
  expect(failure).toBe('out_of_time')
})

test('each of several defects is named with its offsets', () => {
  const text = "{'path': 'a.txt' recursive: True, // all\n depth: 1_0,"
  const { value, fixes, strategy } = repairArguments(text)
  expect(value).toEqual({ path: 'a.txt', recursive: true, depth: 10 })
  expect(strategy).toBe('bad_numbers')
  const { start, end } = fixes.find((fix) => fix.strategy === 'comments') ?? { start: 0, end: 0 }
  expect(text.slice(start, end)).toBe('// all')
  // The second of two members with one name.
  const twice = '{"a": 1 "b": {"c": 1}, "a": 2}'
  const at = twice.lastIndexOf('2')
  expect(repairArguments(twice).fixes.at(-1)).toMatchObject({ start: at, end: at })
  // Text that is only wrapped is not part of a fix.
  expect(repairArguments('abc').fixes).toMatchObject([
    { start: 0, end: 0, text: '"' },
    { start: 3, end: 3, text: '"' },
  ])
})

test('a comment longer than the look-ahead is text', () => {
  const comment = `/*${'y'.repeat(5000)}*/`
  const { value } = repairArguments(`{"a": "x" ${comment}, "b": "y "z" w"}`)
  expect(value).toEqual({ a: `x" ${comment}`, b: 'y "z" w' })
})

test('a key named __proto__ is a key', () => {
  const { value } = repairArguments('{"__proto__": {"a": 1} "b": 2}')
  expect(Object.keys(value as object)).toEqual(['__proto__', 'b'])
})

test.each([
  ['between attempts', '] ] "a" : "b" ]', 3000, 5000],
  ['in a list', `[${'1 '.repeat(2000)}]`, 1000, 3000],
  ['in a string', `{"a": "${'x"y '.repeat(50_000)}`, 1000, 3000],
  ['in code', `[f(${'1,'.repeat(100_000)})]`, 1000, 3000],
])('returns the input once the time is up, %s', (_, text, step, milliseconds) => {
  let asked = 0
  const now = () => ++asked * step
  const late = { state: 'failed', text, failure: 'out_of_time' }
  expect(repairArguments(text, { ...REPAIR_LIMITS, milliseconds, now })).toMatchObject(late)
})
