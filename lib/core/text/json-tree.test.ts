import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReadError } from '../problem'
import { anyConversation } from '../testing/chat-messages'
import { sentenceThrownBy } from '../testing/spoken'
import { forAll } from '../testing/test-size'
import { anyStyle, writeJson } from '../testing/write-json'
import { describeProblem } from '../words/english'
import type { JsonNode } from './json-node'
import type { JsonPath } from './json-path'
import { MAX_JSON_DEPTH, parseJsonTree } from './json-tree'

const anyJsonText = fc
  .tuple(fc.oneof(fc.jsonValue(), anyConversation), anyStyle)
  .map(([value, style]) => writeJson(JSON.parse(JSON.stringify(value)), style))

const PIECES = ', " \\ { } [ ] : nul - . 1e // /* 01 \\u12 tru +1 \''.split(' ')

/** Texts that are nearly JSON: cut, or with a piece taken out, doubled, or put in. */
const anyBrokenText = fc
  .tuple(
    anyJsonText,
    fc.nat(),
    fc.nat(4),
    fc.oneof(
      fc.constantFrom('', '\t', '\u00a0', '\u0000', '\ufeff', ...PIECES),
      fc.string({ maxLength: 3 }),
    ),
    fc.boolean(),
  )
  .map(([text, at, removed, added, isCut]) => {
    const start = at % (text.length + 1)
    return text.slice(0, start) + added + (isCut ? '' : text.slice(start + removed))
  })

function refusal(read: () => unknown): Error | undefined {
  try {
    read()
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Every value of a tree with its path, as `JSON.parse` sees it: of repeated keys the last. */
function* nodesOf(node: JsonNode, path: JsonPath = []): Generator<[JsonPath, JsonNode]> {
  yield [path, node]
  for (const [index, item] of node.items.entries()) yield* nodesOf(item, [...path, index])
  for (const key of new Set(node.members.map((member) => member.key))) {
    yield* nodesOf(node.find([key]) as JsonNode, [...path, key])
  }
}

test('takes what JSON.parse takes, and its spans hold the values', () => {
  forAll(100, [anyJsonText], (text) => {
    const parsed: unknown = JSON.parse(text)
    for (const [path, { start, end }] of nodesOf(parseJsonTree(text))) {
      const value = path.reduce<unknown>(
        (found, step) => (found as Record<string | number, unknown>)[step],
        parsed,
      )
      expect(JSON.parse(text.slice(start, end))).toEqual(value)
      expect(text.slice(start, end)).toBe(text.slice(start, end).trim())
    }
  })
})

test('refuses what JSON.parse refuses, with a place in the text', () => {
  forAll(1000, [anyBrokenText], (text) => {
    const parsing = refusal(() => JSON.parse(text))
    const reading = refusal(() => parseJsonTree(text))
    expect([text, reading !== undefined]).toEqual([text, parsing !== undefined])
    if (reading === undefined) return
    expect(reading).toBeInstanceOf(ReadError)
    const { problem } = reading as ReadError
    expect(problem.offset).toBeGreaterThanOrEqual(0)
    expect(problem.offset).toBeLessThanOrEqual(text.length)
  })
})

test('quotes at most 24 characters of what it refuses', () => {
  const error = refusal(() => parseJsonTree(`{"a": ${'word'.repeat(9)}}`)) as ReadError
  expect(describeProblem(error.problem)).toContain(`${'word'.repeat(6)}…`)
  expect(describeProblem(error.problem)).not.toContain('word'.repeat(7))
})

test('calls a text that was cut truncated, wherever the cut is', () => {
  const anyList = fc.array(fc.jsonValue(), { minLength: 1 })
  forAll(500, [anyList, anyStyle, fc.nat()], (value, style, at) => {
    const text = writeJson(JSON.parse(JSON.stringify(value)), style)
    const cut = text.slice(0, 1 + (at % (text.length - 1)))
    const error = refusal(() => parseJsonTree(cut)) as ReadError
    expect([cut, error.problem.code]).toEqual([cut, 'truncated_json'])
    expect(error.problem.offset).toBe(cut.length)
  })
})

test('reads the end of a text that is itself the end of another as it reads the end alone', () => {
  forAll(100, [anyJsonText, fc.string(), fc.nat(1000)], (text, before, base) => {
    const inside = parseJsonTree(before + text, { from: before.length, base })
    const alone = parseJsonTree(text)
    const moved = base + before.length
    expect(inside.start).toBe(moved + alone.start)
    expect(inside.items.map(({ end }) => end)).toEqual(alone.items.map(({ end }) => moved + end))
  })
})

const IN_ARRAY = 'Line 1, column 2: found'
const VALUE = 'expected a value or ].'
const [ENDS, CUT] = ['The text ends at line', 'It looks cut off.']
test.each([
  ['{"a":1,}', 'Line 1, column 8: found }; expected a property name in double quotes.'],
  ['[1,]', 'Line 1, column 4: found ]; expected a value.'],
  ['{"a" 1}', 'Line 1, column 6: found 1; expected a colon after the property name.'],
  ["{'a':1}", "Line 1, column 2: found 'a'; expected a property name in double quotes or }."],
  ['[1 2]', 'Line 1, column 4: found 2; expected a comma or ].'],
  ['[\r\n1,\r\n// x\r\n2]', 'Line 3, column 1: found a comment; expected a value.'],
  ['[1]\n[2]', 'Line 2, column 1: found [; expected the end of the text.'],
  ['["a\tb"]', `${IN_ARRAY} a control character inside a string; ${VALUE}`],
  ['["\\x"]', `${IN_ARRAY} a backslash before a character that needs none; ${VALUE}`],
  ['["\\u12g4"]', `${IN_ARRAY} a \\u that four hexadecimal digits do not follow; ${VALUE}`],
  ['[NaN]', 'Line 1, column 2: found NaN; expected a value or ].'],
  ['[01]', 'Line 1, column 3: found 1; expected a comma or ].'],
  ['[{"a":1]', 'Line 1, column 8: found ]; expected a comma or }.'],
  [
    '{"a":1',
    `${ENDS} 1, column 7, inside the object opened on line 1; expected a comma or }. ${CUT}`,
  ],
  [
    '[\n["abc',
    `${ENDS} 2, column 6, inside the array opened on line 2; expected the rest of a string. ${CUT}`,
  ],
  ['tru', `${ENDS} 1, column 4, inside the document; expected a value. ${CUT}`],
])('says what is wrong with %j, and where', (text, sentence) => {
  expect(refusal(() => JSON.parse(text))).toBeDefined()
  expect(sentenceThrownBy(() => parseJsonTree(text))).toBe(sentence)
})

test('finds nothing where nothing is', () => {
  const root = parseJsonTree('{"a":[1]}')
  for (const path of [['b'], [0], ['a', 1], ['a', 'length'], ['toString'], ['a', 0, 'x']]) {
    expect(root.find(path)).toBeUndefined()
  }
})

test('reads as deep as it says, and answers deeper arrays with a sentence', () => {
  const nested = (depth: number) => parseJsonTree('['.repeat(depth) + ']'.repeat(depth))
  expect(nested(MAX_JSON_DEPTH).kind).toBe('array')
  for (const depth of [MAX_JSON_DEPTH + 1, 20_000]) {
    const { problem } = refusal(() => nested(depth)) as ReadError
    expect(problem).toMatchObject({ code: 'too_deep', offset: MAX_JSON_DEPTH })
  }
})
