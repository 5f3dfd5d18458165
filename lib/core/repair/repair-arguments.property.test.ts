import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { expectedValue, WAYS_TO_BREAK } from '../testing/break-json'
import { fuzz } from '../testing/test-size'
import { applyEdits } from '../text/span'
import { repairArguments } from './repair-arguments'

/** Realistic arguments: paths, queries, code, patterns, prose. */
const name = fc
  .stringMatching(/^[a-z][a-z_]{0,9}$/)
  .filter(
    (word) => !/^(first|last|rules|note|nan|inf|nil|null|true|false|undefined|end)$/.test(word),
  )
const words = fc
  .array(
    fc.oneof(
      fc.stringMatching(/^[A-Za-z]{1,8}$/),
      fc.constantFrom(
        'src/app.ts',
        '--flag',
        '12.5',
        'a,',
        'x: y',
        '(see)',
        '"name"',
        'print("hi")',
        'class="x"',
        'a "b", "c d"',
        "it's",
        '\\d+',
        'é',
        '日本',
        '😀',
        '\n',
        '\t',
        '<b>',
        'a=b',
        '{',
        '}',
        '[0]',
        '#1',
        '+',
        '//',
        'https://a.org/?q=1',
      ),
    ),
    { maxLength: 6 },
  )
  .map((parts) => parts.join(' '))
const leaf = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.integer({ min: -1e6, max: 1e6 }),
  fc
    .double({ noNaN: true, noDefaultInfinity: true, min: -1, max: 1 })
    .map((value) => Number(value.toFixed(3)) + 0),
  fc.boolean(),
  fc.constant(null),
)
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { weight: 4, arbitrary: leaf },
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { minKeys: 1, maxKeys: 3 }),
  ),
}))
const argumentsObject = fc.dictionary(name, json, { minKeys: 1, maxKeys: 4 }) as fc.Arbitrary<
  Record<string, never>
>

const PER_WAY = 1000

/** Lowest share of values restored, by kind of damage, as measured. Kinds without a rate restore every value. */
const RATES: Readonly<Record<string, number>> = {
  'quotes in strings not escaped': 0.85,
}

describe('valid JSON damaged in a known damage', () => {
  const rates = new Map<string, string>()
  for (const [damage, broken] of Object.entries(WAYS_TO_BREAK)) {
    test(`${damage}: the repair restores the value`, () => {
      let tried = 0
      let restored = 0
      let lost: string | undefined
      for (const value of fc.sample(argumentsObject, { numRuns: PER_WAY, seed: 20261122 })) {
        const text = broken(value)
        if (isJson(text)) continue
        tried++
        const result = repairArguments(text)
        if (JSON.stringify(result.value) === JSON.stringify(expectedValue(damage, value)))
          restored++
        else lost ??= `${text}\n  became ${result.text}`
      }
      rates.set(
        damage,
        `${((100 * restored) / tried).toFixed(1)} % of ${tried}${lost === undefined ? '' : `, such as not ${lost}`}`,
      )
      expect(tried).toBeGreaterThan(50)
      expect(restored / tried).toBeGreaterThanOrEqual(RATES[damage] ?? 1)
    })
  }

  test('prints the rates', () => {
    console.info([...rates].map(([damage, rate]) => `${damage}: ${rate}`).join('\n'))
    expect(rates.size).toBe(Object.keys(WAYS_TO_BREAK).length)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test('returns valid JSON byte for byte, with any spacing and numbers', () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom('', ' ', '\n', '\t'), (text, space) => {
      const spaced = space + text + space
      expect(repairArguments(spaced)).toMatchObject({ state: 'valid', text: spaced, fixes: [] })
    }),
    fuzz(100),
  )
  const odd = '{"a":12345678901234567890, "a":1.50,\r\n"b":1E+2 , "c":"\\u00e9\\/" }'
  expect(repairArguments(odd)).toMatchObject({ state: 'valid', text: odd, fixes: [] })
})

/** Almost valid JSON: JSON tokens in any order, and generated JSON with characters removed, doubled or inserted. */
const piece = fc.constantFrom(
  ...'{}[]":,\'`\\/()<>=;#.+-0123456789 \n\t“”é😀\u0000\ufeff'.split(''),
  ...[
    '"a"',
    '"a":',
    '""',
    '[""]',
    'true',
    'None',
    'NaN',
    '```',
    '/*',
    '*/',
    '//',
    '...',
    '\\"',
    '\\u00',
    '{"a":1}',
    '1e',
    'f(',
    '<a>',
    'b:',
    '}{',
    '"b","c"',
  ],
)
const nearJson = fc.oneof(
  fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join('')),
  fc
    .tuple(
      fc.json({ maxDepth: 3 }),
      fc.array(fc.tuple(fc.nat(), piece, fc.nat(2)), { minLength: 1, maxLength: 4 }),
    )
    .map(([text, changes]) =>
      changes.reduce((before, [at, insert, removed]) => {
        const place = before.length === 0 ? 0 : at % before.length
        return before.slice(0, place) + insert + before.slice(place + removed)
      }, text),
    ),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

test('none of 100,000 almost valid texts throws or hangs, and valid ones are unchanged', () => {
  let slowest = 0
  // CPU time, so that other programs do not count.
  const states = { valid: 0, repaired: 0, failed: 0 }
  fc.assert(
    fc.property(nearJson, (text) => {
      const before = process.cpuUsage()
      const result = repairArguments(text)
      slowest = Math.max(slowest, process.cpuUsage(before).user / 1000)
      states[result.state]++
      const isValid = isJson(text)
      if (isValid !== (result.state === 'valid')) throw new Error('wrong state')
      if (result.state !== 'repaired' && result.text !== text) throw new Error('text was changed')
      if (result.state === 'repaired' && !isJson(result.text)) throw new Error('no JSON came out')
      if (applyEdits(text, result.fixes) !== result.text)
        throw new Error('the corrections are not the text')
    }),
    fuzz(100_000),
  )
  console.info('100,000 texts near JSON', states, `slowest ${slowest.toFixed(1)} ms`)
  expect(slowest).toBeLessThan(5000)
}, 300_000)

test('arguments cut off anywhere keep their content: every string and key is the start of an original one', () => {
  fc.assert(
    fc.property(argumentsObject, fc.nat(), (value, place) => {
      const text = JSON.stringify(value)
      const cut = text.slice(0, 2 + (place % (text.length - 2)))
      const { state, value: left } = repairArguments(cut)
      expect(state).toBe('repaired')
      expect(isBeginning(left, value)).toBe(true)
    }),
    { ...fuzz(2000), examples: [[{ a: '[0] \\d+' } as never, 12]] },
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
