import { describe, expect, test } from 'vitest'
import { applyEdits } from '../text/span'
import { repairArguments } from './repair-arguments'
import { REPAIR_LIMITS } from './repair-limits'
import { STRATEGIES, STRATEGY_NAMES, type StrategyName } from './repair-strategies'

type Pair = readonly [before: string, after: string]

/** Strategies with a test of their own. */
type Unpaired = 'serialised_object' | 'wrapped_input' | 'repeated_keys'

/** Each pair requires its strategy and no other. */
const PAIRS: Readonly<Record<Exclude<StrategyName, Unpaired>, readonly Pair[]>> = {
  concatenated_objects: [
    ['{"a": 1}{"b": 2}', '{"a": 1, "b": 2}'],
    ['{"a":1} {"b":2}\n{"c":3}', '{"a":1,"b":2,"c":3}'],
    ['{}{"path": "x"}', '{"path": "x"}'],
  ],
  listed_values: [
    ['{"path": "a"}{"path": "b"}', '[{"path": "a"}, {"path": "b"}]'],
    ['{"a": 1}, {"b": 2}', '[{"a": 1}, {"b": 2}]'],
  ],
  empty_arguments: [
    ['', '{}'],
    [' \n', '{}'],
  ],
  doubled_braces: [
    ['{{"a": {{"b": 1}}}}', '{"a": {"b": 1}}'],
    ['{{}}', '{}'],
  ],
  quoted_object: [['"{"a": "b"}"', '{"a": "b"}']],
  escaped_quotes: [
    ['{\\"a\\": \\"b\\"}', '{"a": "b"}'],
    ['{\\n  \\"a\\": 1,\\r\\n\\t\\"b\\": true\\n}\\n', '{\n  "a": 1,\n\n\t"b": true\n}\n'],
    ['{\\"a\\": \\"say \\\\\\"hi\\\\\\"\\"}', '{"a": "say \\"hi\\""}'],
  ],
  trailing_commas: [
    ['{"a": [1, 2,], "b": 3,}', '{"a": [1, 2], "b": 3}'],
    ['{"a": 1},', '{"a": 1}'],
  ],
  stray_commas: [
    ['{,"a": 1,, "b": 2}', '{"a": 1, "b": 2}'],
    ['[, 1]', '[ 1]'],
  ],
  stray_colons: [['{"a":: 1, "b": : 2}', '{"a": 1, "b": 2}']],
  wide_marks: [
    ['{"a"："b"，"c"：[1，true、null]}', '{"a":"b","c":[1,true,null]}'],
    ['{"a"：1，}', '{"a":1}'],
  ],
  comma_between_properties: [
    ['{"name": "test" "age": 25}', '{"name": "test", "age": 25}'],
    ['{"query":"abc" "limit":3}', '{"query":"abc","limit":3}'],
    ['{"a": "x"\n "b": "y"}', '{"a": "x",\n "b": "y"}'],
  ],
  comma_between_values: [['["a" "b"]', '["a","b"]']],
  comma_after_number: [
    [
      '{"model": "gpt-4", "temperature": 0.7"max_tokens": 100}',
      '{"model": "gpt-4", "temperature": 0.7, "max_tokens": 100}',
    ],
    ['[1 2.50 -3]', '[1,2.50,-3]'],
    ['{"id": 12345678901234567890 "n": 1}', '{"id": 12345678901234567890, "n": 1}'],
  ],
  comma_after_literal: [
    ['{"a": true "b": null "c": false}', '{"a": true, "b": null, "c": false}'],
    ['{"a": true"b": 1}', '{"a": true, "b": 1}'],
  ],
  glued_array_elements: [
    ['{"rules": [""]cursor{"enabled": true}', '{"rules": ["cursor"], "enabled": true}'],
    ['{"rules": [""]my rule{"enabled": true}', '{"rules": ["my rule"], "enabled": true}'],
    ['{"rules": []cursor, "enabled": true}', '{"rules": ["cursor"], "enabled": true}'],
  ],
  unclosed_strings: [
    ['{"a": "b}', '{"a": "b"}'],
    ['{"a": "b, "c": "d"}', '{"a": "b", "c": "d"}'],
    ['{"a: "b"}', '{"a": "b"}'],
    ['["a", "b]', '["a", "b"]'],
    ['["a +]', '["a"]'],
  ],
  unopened_strings: [
    ['{"a": b", "c": 1}', '{"a": "b", "c": 1}'],
    ['{"a": 1, b": 2}', '{"a": 1, "b": 2}'],
  ],
  inner_quotes: [
    [
      '{"command": "echo "hello, world"", "n": 5}',
      '{"command": "echo \\"hello, world\\"", "n": 5}',
    ],
    [
      '{"content": "{"name": "x", "tags": ["y"]}", "path": "a.json"}',
      '{"content": "{\\"name\\": \\"x\\", \\"tags\\": [\\"y\\"]}", "path": "a.json"}',
    ],
    ['{"code": "x = {"a": 1, "b": [2]}"}', '{"code": "x = {\\"a\\": 1, \\"b\\": [2]}"}'],
    ['{"tags": "["a", "b"]", "n": 1}', '{"tags": "[\\"a\\", \\"b\\"]", "n": 1}'],
    ['{"html": "<a href="x">y</a>"}', '{"html": "<a href=\\"x\\">y</a>"}'],
  ],
  doubled_quotes: [
    ['{""a"": ""b c""}', '{"a": "b c"}'],
    ['{"a"": 1}', '{"a": 1}'],
  ],
  unclosed_arrays: [
    ['[1, 2', '[1, 2]'],
    ['{"a": [1, 2}', '{"a": [1, 2]}'],
  ],
  unclosed_objects: [
    ['{"a": {"b": 1}', '{"a": {"b": 1}}'],
    ['[{"a": 1]', '[{"a": 1}]'],
  ],
  unopened_objects: [
    ['"a": 1, "b": 2', '{"a": 1, "b": 2}'],
    ['["a": 1]', '[{"a": 1}]'],
  ],
  stray_brackets: [
    ['{"a": 1}}', '{"a": 1}'],
    ['{"a": [1, 2}, "b": 3}', '{"a": [1, 2], "b": 3}'],
    ['{"a": 1}, "b": 2}', '{"a": 1, "b": 2}'],
  ],
  value_key: [['{"a": "value""key": "b"}', '{"a": "value", "key": "b"}']],
  comma_after_brackets: [['{"a": {} "b": [1]"c": 2}', '{"a": {}, "b": [1], "c": 2}']],
  comma_before_brackets: [
    ['[{"a": 1}{"b": 2} [3]]', '[{"a": 1}, {"b": 2}, [3]]'],
    ['["x" {"a": 1}]', '["x", {"a": 1}]'],
  ],
  duplicated_objects: [
    ['{"a": 1}{"a": 1}', '{"a": 1}'],
    ['{"a":1}\n{ "a": 1 }', '{"a":1}'],
  ],
  python_literals: [
    ['{"a": True, "b": False, "c": None}', '{"a": true, "b": false, "c": null}'],
    ['{"a": """b""", "c": u"d"}', '{"a": "b", "c": "d"}'],
  ],
  unopened_arrays: [['{"a": [1], [2]]}', '{"a": [[1], [2]]}']],
  code_values: [
    ['{"a": data["b"], "c": f(1, 2)[0]}', '{"a": "data[\\"b\\"]", "c": "f(1, 2)[0]"}'],
    [
      '{"a": lambda x, y: x**2, "b": (1 + 2) * 3}',
      '{"a": "lambda x, y: x**2", "b": "(1 + 2) * 3"}',
    ],
    ['[- 1]', '["- 1"]'],
  ],
  list_marks: [
    [' - {"a": 1}', ' {"a": 1}'],
    ['1. [1]', '[1]'],
  ],
  python_collections: [
    ['{"a": (1, 2), "b": (3), "c": (), "d": (4,)}', '{"a": [1, 2], "b": 3, "c": [], "d": [4]}'],
    ['{"a": {"b", "c"}}', '{"a": ["b", "c"]}'],
  ],
  unquoted_keys: [['{a: 1, max-tokens: 2, $ref: 3}', '{"a": 1, "max-tokens": 2, "$ref": 3}']],
  single_quoted_keys: [["{'a': 1}", '{"a": 1}']],
  unquoted_values: [
    ['{"a": hello world, "b": 1}', '{"a": "hello world", "b": 1}'],
    ['{"a": https://example.org/x?y=1}', '{"a": "https://example.org/x?y=1"}'],
    ['{"a": /src/app.ts}', '{"a": "/src/app.ts"}'],
    ['{"a": 007, "b": 1/3}', '{"a": "007", "b": "1/3"}'],
  ],
  single_quoted_values: [
    ['{"a": \'it\'s "so"\'}', '{"a": "it\'s \\"so\\""}'],
    ["['a', 'b']", '["a", "b"]'],
  ],
  odd_quotes: [['{“a”: “b”, `c`: ‘d’}', '{"a": "b", "c": "d"}']],
  missing_colons: [
    ['{"a" 1, "b" "c"}', '{"a": 1, "b": "c"}'],
    ['{"a"= 1, "b" => 2}', '{"a": 1, "b" : 2}'],
  ],
  missing_values: [
    ['{"a": , "b": 1}', '{"a":null , "b": 1}'],
    ['{"a"}', '{"a": null}'],
  ],
  comments: [['/* x */{"a": 1, // y\n"b": /* z */ 2 # w\n}', '{"a": 1, \n"b":  2 \n}']],
  ellipsis: [['{"a": [1, 2 ...], "b": {"c": 3 …}}', '{"a": [1, 2 ], "b": {"c": 3 }}']],
  fences: [
    ['```json\n{"a": 1}\n```', '{"a": 1}\n'],
    ['{"a": 1}\n```', '{"a": 1}\n'],
  ],
  call_tags: [
    ['<tool_call>{"a": 1}</tool_call>', '{"a": 1}'],
    ['<|tool_call_argument_begin|>{"a": 1}<|tool_call_end|>', '{"a": 1}'],
    ['functions.search({"a": 1});', '{"a": 1}'],
    ['arguments: {"a": 1}', '{"a": 1}'],
  ],
  surrounding_text: [
    ['Here is the call: {"a": 1} I hope it helps.', '{"a": 1} '],
    ['Result (see below)\n[1, 2]', '[1, 2]'],
  ],
  stray_words: [
    ['{"a": 1, NOTE "b": "x" END }', '{"a": 1,  "b": "x" }'],
    ['{"a": 1}"', '{"a": 1}'],
  ],
  control_characters: [['{"a": "one\ntwo\tthree\u0001"}', '{"a": "one\\ntwo\\tthree\\u0001"}']],
  odd_spaces: [['\ufeff{\u00a0"a":\u200b1}', '{ "a": 1}']],
  bad_escapes: [
    [
      '{"a": "\\d+\\.\\w", "b": "it\\\'s", "c": "\\x41"}',
      '{"a": "\\\\d+\\\\.\\\\w", "b": "it\'s", "c": "\\u0041"}',
    ],
    ['{"path": "C:\\Users\\name\\new"}', '{"path": "C:\\\\Users\\\\name\\\\new"}'],
    ['{"a": "\\bfoo\\b\\s"}', '{"a": "\\\\bfoo\\\\b\\\\s"}'],
    ['{"path": "C:\\dir\\", "n": 1}', '{"path": "C:\\\\dir\\\\", "n": 1}'],
    ['{"a": "\\u12 x"}', '{"a": "\\\\u12 x"}'],
  ],
  bad_numbers: [
    [
      '{"a": .5, "b": 5., "c": +3, "d": 1_000, "e": 0x1F, "f": -.25}',
      '{"a": 0.5, "b": 5.0, "c": 3, "d": 1000, "e": 31, "f": -0.25}',
    ],
    ['[0xFFFFFFFFFFFFFFFF, 0b11, -0o17]', '[18446744073709551615, 3, -15]'],
    ['{"a": 1,234,567, "b": 2,500.75}', '{"a": 1234567, "b": 2500.75}'],
  ],
  nan_and_infinity: [
    ['{"a": NaN, "b": Infinity, "c": -Infinity}', '{"a": null, "b": null, "c": null}'],
  ],
  truncated_input: [['2.5e', '2.5e0']],
  jsonrepair: [['"a" + "b"', '"ab"']],
  reconstructed_pairs: [['{"a": {"x": [1]}, :: "b": 2', '{"a": {"x": [1]}, "b": 2}']],
  reconstructed_tokens: [[': "a" "b" 12', '["a", "b", 12]']],
}

const ROWS = (Object.entries(PAIRS) as [StrategyName, readonly Pair[]][]).flatMap(([name, pairs]) =>
  pairs.map(([before, after]) => [name, before, after] as const),
)

const LIMITS = { ...REPAIR_LIMITS, attempts: 4, milliseconds: 5000 }
const allow = (...names: readonly StrategyName[]) => ({ ...LIMITS, strategies: new Set(names) })

const exercised = new Map<StrategyName, number>()

describe('each strategy on its own', () => {
  test.each(ROWS)('%s: %j becomes %j', (name, before, after) => {
    const result = repairArguments(before, allow(name))
    expect({ state: result.state, text: result.text }).toEqual({ state: 'repaired', text: after })
    expect(JSON.parse(result.text)).toEqual(result.value)
    expect(applyEdits(before, result.fixes)).toBe(result.text)
    expect(result.strategy).toBe(name)
  })
})

describe('all strategies together', () => {
  test.each(ROWS)('%s is named where %j becomes %j', (name, before, after) => {
    const result = repairArguments(before)
    expect(result.text).toBe(after)
    expect(new Set(result.fixes.map(({ strategy }) => strategy))).toEqual(new Set([name]))
    for (const { strategy } of result.fixes)
      exercised.set(strategy, (exercised.get(strategy) ?? 0) + 1)
  })

  test('an object is serialised', () => {
    expect(repairArguments({ a: 1 })).toMatchObject({
      state: 'repaired',
      text: '{"a":1}',
      strategy: 'serialised_object',
    })
    exercised.set('serialised_object', 1)
  })

  test('a program is wrapped on request only', () => {
    const program = 'print("a")\nprint(5)'
    expect(repairArguments(program)).toMatchObject({ state: 'failed', text: program })
    const result = repairArguments(program, { ...REPAIR_LIMITS, wrapInput: true })
    expect(result).toMatchObject({ state: 'repaired', isObject: true, strategy: 'wrapped_input' })
    expect(result.value).toEqual({ input: program })
    exercised.set('wrapped_input', 1)
  })

  test('a name that stands twice is a loss', () => {
    const { fixes, text } = repairArguments('{"a": 1 "b": {"c": 1}, "a": 2}')
    expect(text).toBe('{"a": 1, "b": {"c": 1}, "a": 2}')
    const at = text.lastIndexOf('2') - 1
    expect(fixes.at(-1)).toMatchObject({
      start: at,
      end: at,
      strategy: 'repeated_keys',
      risk: 'loss',
    })
    exercised.set('repeated_keys', 1)
  })

  test('every strategy has a test', () => {
    const rows = STRATEGY_NAMES.map((name) => `${name} ${exercised.get(name) ?? 0}`)
    console.info(`Strategies exercised, with corrections made:\n${rows.join('\n')}`)
    expect(STRATEGY_NAMES.filter((name) => !exercised.has(name))).toEqual([])
  })
})

test('a strategy that is not allowed is not used', () => {
  for (const [name, before] of ROWS) {
    const others = allow(...STRATEGY_NAMES.filter((other) => other !== name))
    const { fixes } = repairArguments(before, others)
    expect(fixes.filter(({ strategy }) => strategy === name)).toEqual([])
  }
})

test('fixes report a loss or a guess', () => {
  expect(STRATEGIES.reconstructed_pairs).toBe('loss')
  const risks = (text: string) => repairArguments(text).fixes.map(({ risk }) => risk)
  expect(risks('{"a": 1,}')).toEqual(['none'])
  expect(risks('{"a": "b')).toEqual(['loss', 'guess'])
  expect(risks('{"a": "b}')).toEqual(['guess'])
})
