import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedValue, WAYS_TO_BREAK } from '../testing/break-json'
import { nearJson, realisticArguments } from '../testing/near-json'
import { forAll, testSize } from '../testing/test-size'
import { parseJson } from '../text/json'
import { applyEdits } from '../text/span'
import { repairArguments } from './repair-arguments'
import { riskOf } from './repair-strategies'

const VALUES = fc.sample(realisticArguments, { numRuns: testSize(150, 1000), seed: 20261122 })

const isJson = (text: string) => parseJson(text) !== undefined

/** Lowest share of values restored, by kind of damage, as measured. Kinds without a rate restore every value. */
const RATES: Readonly<Record<string, number>> = {
  'quotes in strings not escaped': 0.85,
}

describe('valid JSON damaged in a known way', () => {
  test.each(Object.entries(WAYS_TO_BREAK))(
    '%s: the repair restores the value',
    (damage, broken) => {
      let tried = 0
      const lost: string[] = []
      for (const value of VALUES) {
        const text = broken(value)
        if (isJson(text)) continue
        tried++
        const result = repairArguments(text)
        if (JSON.stringify(result.value) !== JSON.stringify(expectedValue(damage, value)))
          lost.push(`${text}\n  became ${result.text}`)
      }
      expect(tried).toBeGreaterThan(10)
      if (1 - lost.length / tried < (RATES[damage] ?? 1)) expect(lost).toEqual([])
    },
  )
})

test('returns valid JSON byte for byte, with any spacing and numbers', () => {
  // A string that begins like an object is taken for an object that was encoded twice.
  const anyJson = fc.json().filter((text) => !/^"\s*[[{]/.test(text))
  forAll(100, [anyJson, fc.constantFrom('', ' ', '\n', '\t')], (text, space) => {
    const spaced = space + text + space
    expect(repairArguments(spaced)).toMatchObject({ state: 'valid', text: spaced, fixes: [] })
  })
  const odd = '{"a":12345678901234567890, "a":1.50,\r\n"b":1E+2 , "c":"\\u00e9\\/" }'
  expect(repairArguments(odd)).toMatchObject({ state: 'valid', text: odd, fixes: [] })
})

test('no almost valid text throws or hangs, and valid ones are unchanged', () => {
  let slowest = 0
  // CPU time, so that other programs do not count.
  const states = { valid: 0, repaired: 0, failed: 0 }
  forAll(
    0,
    [nearJson],
    (text) => {
      const before = process.cpuUsage()
      const result = repairArguments(text)
      slowest = Math.max(slowest, process.cpuUsage(before).user / 1000)
      states[result.state]++
      // Valid JSON is repaired only where it is a string with an object in it.
      const isValid = isJson(text) && !(typeof parseJson(text) === 'string' && result.isObject)
      if (isValid !== (result.state === 'valid')) throw new Error('wrong state')
      if (result.state !== 'repaired' && result.text !== text) throw new Error('text was changed')
      if (result.state === 'repaired' && !isJson(result.text)) throw new Error('no JSON came out')
      if (applyEdits(text, result.fixes) !== result.text)
        throw new Error('the corrections are not the text')
    },
    { numRuns: testSize(3_000, 50_000) },
  )
  console.info('Texts near JSON', states, `slowest ${slowest.toFixed(1)} ms`)
  expect(slowest).toBeLessThan(5000)
}, 300_000)

test('arguments cut off anywhere keep their content, every string and key the start of an original one, and are a loss', () => {
  forAll(
    2000,
    [realisticArguments, fc.nat()],
    (value, place) => {
      const text = JSON.stringify(value)
      const cut = text.slice(0, 2 + (place % (text.length - 2)))
      const result = repairArguments(cut)
      expect(result.state).toBe('repaired')
      expect(isBeginning(result.value, value)).toBe(true)
      const escaped = JSON.stringify(text).slice(1, -2)
      const cutEscaped = escaped.slice(0, 3 + (place % (escaped.length - 2)))
      const second = repairArguments(cutEscaped)
      const risks = [riskOf(result), second.state === 'failed' ? 'loss' : riskOf(second)]
      expect([cutEscaped, ...risks]).toEqual([cutEscaped, 'loss', 'loss'])
    },
    {
      examples: [
        ['[0] \\d+', 12],
        ['x } y', 8],
        [['', 'y'], 11],
      ].map(([a, place]) => [{ a } as object as Record<string, never>, place as number]),
    },
  )
})

/** True if `part` is what a cut leaves of `whole`: strings may end early, numbers and literals may be completed. */
function isBeginning(part: unknown, whole: unknown): boolean {
  if (typeof part === 'string') return typeof whole === 'string' && whole.startsWith(part)
  if (Array.isArray(part)) {
    return Array.isArray(whole) && part.every((item, index) => isBeginning(item, whole[index]))
  }
  if (typeof part !== 'object' || part === null || typeof whole !== 'object' || whole === null) {
    return typeof part !== 'object' || part === null
  }
  const members = Object.entries(whole)
  return Object.entries(part).every(([key, item], index) => {
    const [name, value] = members[index] ?? []
    return name?.startsWith(key) === true && isBeginning(item, value)
  })
}
