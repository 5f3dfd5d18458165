/** Inputs whose data a repair once changed without saying so. */
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { repairArguments } from './repair-arguments'
import type { RepairRisk } from './repair-strategies'

function riskOf(text: string): RepairRisk {
  const risks = new Set(repairArguments(text).fixes.map(({ risk }) => risk))
  return risks.has('loss') ? 'loss' : risks.has('guess') ? 'guess' : 'none'
}

describe('keeps the data, and marks what it guesses or drops', () => {
  test.each<readonly [string, RepairRisk, string]>([
    ['[{"i":1{"i":2}]', 'guess', '[{"i":1},{"i":2}]'],
    [
      '{"edits":[{"old":"x = 1","new":"x = 2"{"old":"y","new":"z"}]}',
      'guess',
      '{"edits":[{"old":"x = 1","new":"x = 2"},{"old":"y","new":"z"}]}',
    ],
    ['{"a": string(x), "b": 1}', 'guess', '{"a": "string(x)", "b": 1}'],
    ["[applyMiddleware('m')]", 'guess', '["applyMiddleware(\'m\')"]'],
    [
      '{"key": {"k2": "v2" # note }, "key3": "v3"}',
      'loss',
      '{"key": {"k2": "v2"  }, "key3": "v3"}',
    ],
    ['{"a": 1, // first "b": 2, "c": 3}', 'loss', '{"a": 1,  "b": 2, "c": 3}'],
    [' - {"a": 1}', 'none', ' {"a": 1}'],
    ['1. {"a": 1}', 'none', '{"a": 1}'],
    ['[- 1]', 'guess', '["- 1"]'],
    ['{"a": 5, "b": [(1 + 2) * 3, 4]}', 'guess', '{"a": 5, "b": ["(1 + 2) * 3", 4]}'],
    ['{"f": lambda x: x**2}', 'guess', '{"f": "lambda x: x**2"}'],
    ['{"v": [-1, 0], [2, 3]]}', 'guess', '{"v": [[-1, 0], [2, 3]]}'],
    ['{"x": data["sales"], "y": 1}', 'guess', '{"x": "data[\\"sales\\"]", "y": 1}'],
    ['{"items": [{"id":3}, "k": true}', 'guess', '{"items": [{"id":3}], "k": true}'],
    ['{"items": [{"id":3} "k": true}', 'guess', '{"items": [{"id":3}], "k": true}'],
    ['{"rules": [""]cursor{"', 'loss', '{"rules": ["cursor"]}'],
    ['{"a": 7 // 2, "b": 1}', 'loss', '{"a": 7 , "b": 1}'],
    ['{"a": [1,, 2]}', 'guess', '{"a": [1, 2]}'],
    [
      '{"a": 1}{"a": 12345678901234567891}{"a": 12345678901234567890}',
      'guess',
      '[{"a": 1}, {"a": 12345678901234567891}, {"a": 12345678901234567890}]',
    ],
    ['{"a": 1,5, "b": 2}', 'guess', '{"a": "1,5", "b": 2}'],
    ['{"a": /x\\d+/g, "b": 1}', 'guess', '{"a": "/x\\\\d+/g", "b": 1}'],
    ['{"a": "b"} Note: see {"c": 1}', 'loss', '{"a": "b", "c": 1}'],
    ['{"a": "\\x41\\q"}', 'none', '{"a": "\\u0041\\\\q"}'],
    ['{"a": {1, 2}}', 'none', '{"a": [1, 2]}'],
    ['<parameter name="path">{"a": 1}', 'loss', '{"a": 1}'],
    ['<function=find>{"a": 1}', 'guess', '{"a": 1}'],
    ['find({"a": 1})', 'guess', '{"a": 1}'],
    ['{"a\nb": 1}', 'guess', '{"a\\nb": 1}'],
    ['{"a": []", b": 1}', 'guess', '{"a": [], ", b": 1}'],
    ['{"a": null" b": 1}', 'guess', '{"a": null, " b": 1}'],
    ['{"a": b"c"}', 'guess', '{"a": "c"}'],
    ["{'a': b'c'}", 'none', '{"a": "c"}'],
    ["{'a': f'c'}", 'guess', '{"a": "c"}'],
    ['{"a": see // there\n}', 'guess', '{"a": "see" \n}'],
    ['{"a": (see), "b": 1}', 'guess', '{"a": "(see)", "b": 1}'],
    ['{"a": tru, "b": fals}', 'guess', '{"a": "tru", "b": "fals"}'],
    ["{'a': 'It's', 'b': 2}", 'guess', '{"a": "It\'s", "b": 2}'],
    ['{"a": 1e, "b": 2}', 'guess', '{"a": 1e0, "b": 2}'],
    ['{"a": "x\n-"y"\n+"z"\n"}', 'guess', '{"a": "x\\n-\\"y\\"\\n+\\"z\\"\\n"}'],
    [`{"a": "b '{c $1, "d"}' e"}`, 'guess', `{"a": "b '{c $1, \\"d\\"}' e"}`],
    ['[1. 1]', 'guess', '["1. 1"]'],
    ['[x for x in y]', 'guess', '["x for x in y"]'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the text has such a template.
    ['{"a": `b ${c}`}', 'guess', '{"a": "b ${c}"}'],
    ['(1) {"a": 1}', 'none', '{"a": 1}'],
    ['{"a": [""] b {"c": 1}}', 'guess', '{"a": [""], "b": {"c": 1}}'],
    ['{"a": [0, [1]] * 3, "b": 1}', 'guess', '{"a": "[0, [1]] * 3", "b": 1}'],
  ])('%s', (input, risk, output) => {
    expect([repairArguments(input).text, riskOf(input)]).toEqual([output, risk])
  })
})

/** Each takes a name, a JSON value and words, and gives a broken text with the value it means. */
const VARIANTS: Readonly<
  Record<string, (name: string, value: string, words: string) => readonly [string, string]>
> = {
  'no brace between records': (name, value, words) => [
    `{"edits": [{"${name}": ${value}{"${name}": "${words}"}]}`,
    `{"edits": [{"${name}": ${value}}, {"${name}": "${words}"}]}`,
  ],
  'no brace, on lines': (name, value, words) => [
    `[\n  {"${name}": "${words}"\n  {"${name}": ${value}}\n]`,
    `[{"${name}": "${words}"}, {"${name}": ${value}}]`,
  ],
  'a call': (name, value, words) => [
    `{"${name}": find("${words}", [1]), "z": ${value}}`,
    `{"${name}": ${JSON.stringify(`find("${words}", [1])`)}, "z": ${value}}`,
  ],
  'an index': (name, value, words) => [
    `{"${name}": data["${words}"], "z": [${value}]}`,
    `{"${name}": ${JSON.stringify(`data["${words}"]`)}, "z": [${value}]}`,
  ],
  'an expression': (name, value) => [
    `{"${name}": [(1 + x) * 3, ${value}], "z": 60 * 60}`,
    `{"${name}": ["(1 + x) * 3", ${value}], "z": "60 * 60"}`,
  ],
  'a comment before a bracket': (name, value, words) => [
    `{"o": {"${name}": ${value} # ${words} }, "z": 3}`,
    `{"o": {"${name}": ${value}}, "z": 3}`,
  ],
  'a comment before members': (name, value, words) => [
    `{"y": ${value}, // ${words} "${name}": 2, "z": 3}`,
    `{"y": ${value}, "${name}": 2, "z": 3}`,
  ],
  'a list mark': (name, value) => [`2. {"${name}": ${value}}`, `{"${name}": ${value}}`],
  'no bracket around lists': (name, value) => [
    `{"${name}": [${value}, 0], [2, 3]]}`,
    `{"${name}": [[${value}, 0], [2, 3]]}`,
  ],
  'no bracket after a list': (name, value, words) => [
    `{"items": [{"id": 3}, {"id": "${words}"}, "${name}": ${value}}`,
    `{"items": [{"id": 3}, {"id": "${words}"}], "${name}": ${value}}`,
  ],
  'a word after an empty list': (name, value) => [
    `{"rules": [""]cursor{"${name}": ${value}}`,
    `{"rules": ["cursor"], "${name}": ${value}}`,
  ],
  'a quote after a name only': (name, value) => [
    `{"y": 1, ${name}': ${value}, 'z': 2}`,
    `{"y": 1, "${name}": ${value}, "z": 2}`,
  ],
  'a quote before a name only': (name, value) => [
    `{"${name}: [${value}], "z": 2}`,
    `{"${name}": [${value}], "z": 2}`,
  ],
  'a fence in an open text': (name, value, words) => [
    `\`\`\`json\n{"${name}": ${value}, "z": "${words}\n\`\`\``,
    `{"${name}": ${value}, "z": "${words}"}`,
  ],
  'a fence in an open list': (name, value, words) => [
    `\`\`\`json\n{"${name}": ["${words}", ${value}\n\`\`\`\nThat is all.`,
    `{"${name}": ["${words}", ${value}]}`,
  ],
}

test.each(Object.entries(VARIANTS))('60 texts with %s mean the expected value', (_, write) => {
  const wrong: string[] = []
  for (const name of ['id', 'old_str', 'path'])
    for (const value of [
      '1',
      '-2.5',
      '"a b"',
      'null',
      '["p", "q"]',
      '{"w": 0}',
      '"it\'s"',
      '"é, ü"',
      '""',
      '12e3',
    ])
      for (const words of ['note', 'see 4']) {
        const [input, expected] = write(name, value, words)
        const { value: got } = repairArguments(input)
        if (!isDeepStrictEqual(got, JSON.parse(expected))) wrong.push(input)
      }
  expect(wrong).toEqual([])
})

test.each([
  "OrderedDict([('a', 1)])",
  'calculate()',
  'import json\ndata = {"a": 1}\nprint(json.dumps(data))',
  'print(5)\nx = 6\nfor i in range(2):\n  print(i)',
  'ls -la {a,b} | grep "x"',
  '*** Begin Patch\n*** Update File: a.ts\n-const a = { b: 1 }\n+const a = { b: 2 }\n*** End Patch',
  'SELECT * FROM t WHERE a = 1 AND b = "x"',
  'const x = [1,2,3]; x.map(y => y * 2)',
  'def f(x):\n    return {"a": x}',
  'for f in *.ts; do echo "{$f}"; done',
])('%s is left as it is', (program) => {
  expect(repairArguments(program)).toMatchObject({
    state: 'failed',
    text: program,
    isObject: false,
  })
})

test.each(['[1, 2', '"a', 'foo 2 bar', '[1]'])('%s is marked as no object', (text) => {
  expect(repairArguments(text)).toMatchObject({ isObject: false })
})
