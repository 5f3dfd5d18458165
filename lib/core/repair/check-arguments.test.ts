import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { ReadError } from '../problem'
import { applyEdits } from '../text/span'
import { checkArguments, toolSchemasByName } from './check-arguments'
import { repairDocument } from './repair-document'
import { offerRepair, repairSource } from './repair-source'

const SCHEMA = '{"type":"object","properties":{"limit":{"type":"integer"}}}'
const FUNCTION = '{"name":"find","arguments":"{\'limit\': \'many\'}"}'
const AI_SDK_CALL = '{"type":"tool-call","toolCallId":"a","toolName":"find","input":BROKEN}'
const GEMINI =
  '"contents":[{"role":"model","parts":[{"functionCall":{"name":"find","args":BROKEN}}]}]'
const RESPONSES =
  '"input":[{"type":"function_call","call_id":"a","name":"find","arguments":BROKEN}]'

/** A call with broken arguments and the request's tools, in each format. */
const REQUESTS: readonly (readonly [string, string, string])[] = [
  [
    'chat completions',
    `"messages":[{"role":"assistant","content":null,"tool_calls":[{"id":"a","type":"function","function":${FUNCTION}}]}]`,
    '"tools":[{"type":"function","function":{"name":"find","parameters":SCHEMA}}]',
  ],
  [
    'chat completions, older',
    `"messages":[{"role":"assistant","content":null,"function_call":${FUNCTION}},{"role":"function","name":"find","content":"x"}]`,
    '"functions":[{"name":"find","parameters":SCHEMA}]',
  ],
  [
    'Responses',
    RESPONSES,
    '"tools":[{"type":"function","name":"find","parameters":SCHEMA,"strict":true}]',
  ],
  [
    'Responses, in a namespace',
    RESPONSES,
    '"tools":[{"type":"namespace","name":"files","tools":[{"type":"function","name":"find","parameters":SCHEMA}]}]',
  ],
  [
    'Anthropic',
    '"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"find","input":BROKEN}]}]',
    '"tools":[{"name":"find","input_schema":SCHEMA}]',
  ],
  [
    'Bedrock',
    '"messages":[{"role":"assistant","content":[{"toolUse":{"toolUseId":"a","name":"find","input":BROKEN}}]}]',
    '"toolConfig":{"tools":[{"toolSpec":{"name":"find","inputSchema":{"json":SCHEMA}}}]}',
  ],
  [
    'Gemini',
    GEMINI,
    '"tools":[{"functionDeclarations":[{"name":"find","parameters":{"type":"OBJECT","properties":{"limit":{"type":"INTEGER"}}}}]}]',
  ],
  [
    'Gemini, JSON Schema',
    GEMINI,
    '"tools":[{"functionDeclarations":[{"name":"find","parametersJsonSchema":SCHEMA}]}]',
  ],
  [
    'AI SDK',
    `"messages":[{"role":"assistant","content":[${AI_SDK_CALL}]}]`,
    '"tools":{"find":{"inputSchema":{"jsonSchema":SCHEMA}}}',
  ],
  [
    'AI SDK, as a list',
    `"messages":[{"role":"assistant","content":[${AI_SDK_CALL}]}]`,
    '"tools":[{"type":"function","name":"find","inputSchema":SCHEMA}]',
  ],
  [
    'AI SDK, what it could not parse',
    '"messages":[{"id":"m","role":"assistant","parts":[{"type":"tool-find","toolCallId":"a","state":"output-error","rawInput":BROKEN,"errorText":"no JSON"}]}]',
    '"tools":{"find":{"inputSchema":SCHEMA}}',
  ],
]

test.each(REQUESTS)('%s: the schema is found and checked', (_, messages, tools) => {
  const request = `{${messages},${tools}}`
    .replace('BROKEN', "\"{'limit': 'many'}\"")
    .replace('SCHEMA', SCHEMA)
  const { source, format, conversations } = readDocument(request)
  const { calls } = repairDocument({ text: source.text, format: format.id, conversations })
  const differences = [{ at: '#/limit', said: expect.stringContaining('integer') }]
  expect(calls.map(({ result, check }) => [result.text, check])).toEqual([
    ['{"limit": "many"}', { state: 'differs', differences }],
  ])
})

test('null is valid for a nullable value in Gemini', () => {
  const schema = toolSchemasByName(
    '[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"type":{"type":"STRING","nullable":true}}}}]}]',
  ).get('f') as object
  expect(checkArguments({ type: null }, schema)).toEqual({ state: 'fits' })
  expect(checkArguments({ type: 1 }, schema).state).toBe('differs')
})

test('skips tools without a schema', () => {
  const tools = [{ type: 'web_search' }, { name: 'a' }, null, 'b', { googleSearch: {} }]
  expect(toolSchemasByName(JSON.stringify(tools)).size).toBe(0)
  expect(toolSchemasByName('').size).toBe(0)
  expect(toolSchemasByName('read\nwrite').size).toBe(0)
})

describe('validates against the version named in `$schema`', () => {
  test.each([
    'http://json-schema.org/draft-07/schema#',
    'http://json-schema.org/draft-04/schema#',
    'https://json-schema.org/draft/2019-09/schema',
  ])('%s', ($schema) => {
    const pair = { $schema, items: [{ type: 'integer' }, { type: 'string' }] }
    expect(checkArguments(['x', 'y'], pair).state).toBe('differs')
    expect(checkArguments([1, 'y'], pair).state).toBe('fits')
  })
})

function repaired(text: string) {
  const fixes = repairSource(text)
  return fixes && [applyEdits(text, fixes), [...new Set(fixes.map(({ strategy }) => strategy))]]
}

const MESSAGE = '{"role": "user", "content": "a, ```b``` and \\"c\\","}'

test.each([
  [`[${MESSAGE},\n]`, `[${MESSAGE}\n]`, ['trailing_commas']],
  [`\`\`\`json\n[${MESSAGE}]\n\`\`\``, `[${MESSAGE}]\n`, ['fences']],
  [
    "[{'role': 'user', 'content': None, 'b': (True, \"it's\")}]",
    '[{"role": "user", "content": null, "b": [true, "it\'s"]}]',
    ['python_literals', 'python_collections', 'single_quotes'],
  ],
  [`${MESSAGE},\n${MESSAGE.replace('a', 'b')}`, undefined, ['listed_values']],
  ['[{"role": "user" "content": NaN}]', '[{"role": "user", "content": null}]', undefined],
])('%j is nearly JSON', (text, output, strategies) => {
  const [after, used] = repaired(text) ?? []
  expect(after).toBe(output ?? `[${text}]`)
  if (strategies !== undefined) expect([...(used as string[])].sort()).toEqual(strategies.sort())
})

test.each([
  '[{"role": "user", "content": "cut o',
  'print("a")\nprint("b")',
  '{"a": 1}{"b": 2}',
  '{"a": 1}{"a": 1}',
  '[{"role": user}]',
])('%j is left alone: nothing is completed, merged, dropped or invented', (text) => {
  expect(repairSource(text)).toBeUndefined()
})

test('long texts get as much time as the clock gives', () => {
  let time = 0
  expect(repairSource(`[${MESSAGE},]`, () => (time += 2000))).toBeUndefined()
})

test('leaves a text of more than 20 million characters', () => {
  expect(repairSource(`[${' '.repeat(20_000_000)}${MESSAGE},]`)).toBeUndefined()
})

test('a repair is offered for what is not JSON, if the repaired text can be read', () => {
  const problem = (code: 'invalid_json' | 'empty') => ({ code, values: {}, offset: 0 })
  const refuse = () => {
    throw new ReadError('no_conversation', { found: { key: 'number' } })
  }
  expect(offerRepair('[1,]', problem('invalid_json'), JSON.parse)).toHaveLength(1)
  expect(offerRepair('[1,]', problem('invalid_json'), refuse)).toBeUndefined()
  expect(offerRepair('[1,]', problem('empty'), JSON.parse)).toBeUndefined()
  expect(offerRepair('[{"a": b}]', problem('invalid_json'), JSON.parse)).toBeUndefined()
})
