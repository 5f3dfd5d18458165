/** Inputs whose data a repair once changed without saying so. */
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
  ])('%s', (input, risk, output) => {
    expect([repairArguments(input).text, riskOf(input)]).toEqual([output, risk])
  })
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
