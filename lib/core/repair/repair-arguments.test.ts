import { describe, expect, test } from 'vitest'
import { repairArguments } from './repair-arguments'
import { REPAIR_LIMITS } from './repair-limits'

describe('the published examples', () => {
  test.each([
    ['{"name": "test" "age": 25}', '{"name": "test", "age": 25}'],
    ['{"rules": [""]cursor{"enabled": true}', '{"rules": ["cursor"], "enabled": true}'],
    [
      '{"model": "gpt-4", "temperature": 0.7"max_tokens": 100}',
      '{"model": "gpt-4", "temperature": 0.7, "max_tokens": 100}',
    ],
    ['{"query":"abc" "limit":3}', '{"query":"abc","limit":3}'],
  ])('%s', (before, after) => {
    expect(repairArguments(before)).toMatchObject({ state: 'repaired', text: after })
  })
})

test('names each of several defects with its offsets', () => {
  const text = "{'path': 'a.txt' recursive: True, // all\n depth: 1_0,"
  const { text: repaired, fixes, strategy } = repairArguments(text)
  expect(JSON.parse(repaired)).toEqual({ path: 'a.txt', recursive: true, depth: 10 })
  expect(strategy).toBe('bad_numbers')
  expect(
    fixes.map(({ strategy: name, start, end }) => [name, text.slice(start, end)]),
  ).toContainEqual(['comments', '// all'])
})

describe('arguments as models write them', () => {
  test.each([
    ['the second of two objects cut off', '{"a": [1]}{"a": [1', '{"a": [1]}'],
    ['a plus sign at the end of what is left', '{"command": "ls +', '{"command": "ls +"}'],
    ['brackets and a plus sign in what is left', '{"a":"[0] \\\\d+', '{"a":"[0] \\\\d+"}'],
    [
      'JSON in a text, its line ends and quotes as they are',
      '{"content": "{\n "a": [1, "x"]\n}"}',
      '{"content": "{\\n \\"a\\": [1, \\"x\\"]\\n}"}',
    ],
    [
      'JSON in a command',
      '{"cmd": "curl -d \'{"a": "b", "c": ["d"]}\' url"}',
      '{"cmd": "curl -d \'{\\"a\\": \\"b\\", \\"c\\": [\\"d\\"]}\' url"}',
    ],
    [
      'a name glued to a full list',
      '{"rules": ["a"]cursor{"on": true}',
      '{"rules": ["a"], "cursor": {"on": true}}',
    ],
    ['a name with no value before another', '{"a" "b": 1}', '{"a": null, "b": 1}'],
    ['a number in a list after a literal', '[null 0.5 "x"]', '[null,0.5,"x"]'],
    ['semicolons for commas', '{"a": [1; 2;]; "b": 3;}', '{"a": [1, 2], "b": 3}'],
    ['a semicolon at the end', '[1; 2;', '[1, 2]'],
    ['an open string before a key', '{"a": "text\n"c": 1}', '{"a": "text",\n"c": 1}'],
    [
      'a line end for a comma, and quotes in a text',
      '{"a": "x"\n b: "y "z" w"}',
      '{"a": "x",\n "b": "y \\"z\\" w"}',
    ],
    [
      'keyword arguments with quotes in a text',
      'search(query="y "z" w", limit=3)',
      '{"query":"y \\"z\\" w", "limit":3}',
    ],
    ['empty objects on lines', '{}\n{}', '[{},\n{}]'],
    ['a set', `{"x": {'a', 'b'}}`, '{"x": ["a", "b"]}'],
    [
      'an object that is left open before the next',
      '[{"a": 1, "c": 2{"b": 2}]',
      '[{"a": 1, "c": 2}, {"b": 2}]',
    ],
    ['an empty object closed too early', '{}, "a": 1}', '{ "a": 1}'],
    ['a lambda without its colon', '{"f": lambda x, y}', '{"f": "lambda x, y"}'],
    ['code cut off after a comma', '{"a": f(x),', '{"a": "f(x)"}'],
    ['code with a bracket too many', '{"a": foo(1)) }', '{"a": "foo(1))"}'],
    ['a number before words', '{"a": 1,000 x}', '{"a": 1,"000 x": null}'],
    ['an exponent alone', '{"a": -e5}', '{"a": "-e5"}'],
    ['doubled quotes at the end', '{"a": ""x""', '{"a": "x"}'],
    [
      'escaped JSON that ends with a backslash',
      String.raw`{\"a\": \"x\\\\\"}`,
      String.raw`{"a": "x\\"}`,
    ],
    [
      'escaped JSON with three backslashes',
      String.raw`{\"a\": \"x\\\y\"}`,
      String.raw`{"a": "x\\y"}`,
    ],
    [
      'escaped JSON with a quote that ends nothing',
      String.raw`{\"a\": \"x\\\\"y\"}`,
      String.raw`{"a": "x\\\"y"}`,
    ],
    [
      'a list after a list of numbers and a quote',
      '{"a": [1, 2,], [3], "b": 1}',
      '{"a": [1, 2, 3], "b": 1}',
    ],
  ])('%s', (_, before, after) => {
    expect(repairArguments(before).text).toBe(after)
  })

  test('a quote after a backslash that is content is a guess', () => {
    expect(repairArguments('{"path": "C:\\dir\\"}')).toMatchObject({
      text: '{"path": "C:\\\\dir\\\\"}',
      fixes: expect.arrayContaining([expect.objectContaining({ risk: 'guess' })]),
    })
  })
})

test('a comment longer than the look-ahead is text', () => {
  const comment = `/*${'y'.repeat(5000)}*/`
  expect(repairArguments(`{"a": "x" ${comment}, "b": "y "z" w"}`).value).toEqual({
    a: `x" ${comment}`,
    b: 'y "z" w',
  })
})

test('a list beside a set, and a value that JSON does not have, are not repaired', () => {
  expect(repairArguments('{"a": {1, 2}, [2]}').state).toBe('failed')
  expect(repairArguments(undefined).state).toBe('failed')
})

test('text that is only wrapped is not part of a fix', () => {
  expect(repairArguments('abc').fixes).toEqual([
    { start: 0, end: 0, text: '"', strategy: 'jsonrepair', risk: 'guess' },
    { start: 3, end: 3, text: '"', strategy: 'jsonrepair', risk: 'guess' },
  ])
})

test('preserves integers above 64 bits and the notation of numbers', () => {
  expect(repairArguments('{"id": 9223372036854775807 "price": 1.50, "big": 1E+30,}').text).toBe(
    '{"id": 9223372036854775807, "price": 1.50, "big": 1E+30}',
  )
})

test('a key named __proto__ is a key', () => {
  const { text, value } = repairArguments('{"__proto__": {"a": 1} "b": 2}')
  expect(text).toBe('{"__proto__": {"a": 1}, "b": 2}')
  expect(Object.keys(value as object)).toEqual(['__proto__', 'b'])
})

describe('limits', () => {
  test('returns the input once the attempts are used up', () => {
    expect(
      repairArguments('{"a": 1,}', { ...REPAIR_LIMITS, attempts: 0, milliseconds: 5000 }),
    ).toMatchObject({
      state: 'failed',
      text: '{"a": 1,}',
      failure: 'too_many_attempts',
    })
  })

  test('returns the input once the time is up', () => {
    let time = 0
    const now = () => {
      time += 3000
      return time
    }
    const text = '] ] "a" : "b" ]'
    expect(
      repairArguments(text, { ...REPAIR_LIMITS, attempts: 9, milliseconds: 5000, now }),
    ).toMatchObject({
      state: 'failed',
      text,
      failure: 'out_of_time',
    })
  })

  test.each([
    ['a list', `[${'1 '.repeat(2000)}]`],
    ['a string', `{"a": "${'x"y '.repeat(50_000)}`],
  ])('the time is checked within a pass: %s', (_, text) => {
    let asked = 0
    const now = () => ++asked * 1000
    const late = repairArguments(text, { ...REPAIR_LIMITS, milliseconds: 3000, now })
    expect(late).toMatchObject({ state: 'failed', text, failure: 'out_of_time', attempts: 1 })
  })

  test('without the switch there are no limits', () => {
    let time = 0
    const now = () => {
      time += 9000
      return time
    }
    const options = { ...REPAIR_LIMITS, enabled: false, attempts: 0, milliseconds: 0, now }
    expect(repairArguments('{"a": 1,}', options)).toMatchObject({ text: '{"a": 1}' })
  })

  test('returns valid arguments unchanged, with attempts left or not', () => {
    expect(
      repairArguments('{"a": 1}', { ...REPAIR_LIMITS, attempts: 0, milliseconds: 0 }),
    ).toMatchObject({
      state: 'valid',
    })
  })
})

test('returns input that cannot be repaired unchanged, with the reason', () => {
  expect(repairArguments('}{')).toMatchObject({
    state: 'failed',
    text: '}{',
    failure: 'nothing_recognised',
  })
  const deep = '['.repeat(600)
  expect(repairArguments(deep)).toMatchObject({ state: 'failed', text: deep, failure: 'too_deep' })
})
