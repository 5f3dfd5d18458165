import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { checkArguments, toolSchemasByName } from './check-arguments'
import { repairDocument } from './repair-document'

const SCHEMA = { type: 'object', properties: { limit: { type: 'integer' } } }
const BROKEN = "{'limit': 'many'}"

const chatCall = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: BROKEN } }],
}

/** A call with broken arguments and the request's tools, in each format. */
const REQUESTS: Readonly<Record<string, object>> = {
  'chat completions': {
    messages: [chatCall],
    tools: [{ type: 'function', function: { name: 'find', parameters: SCHEMA } }],
  },
  'chat completions, older': {
    messages: [
      { role: 'assistant', content: null, function_call: { name: 'find', arguments: BROKEN } },
      { role: 'function', name: 'find', content: 'x' },
    ],
    functions: [{ name: 'find', parameters: SCHEMA }],
  },
  Responses: {
    input: [{ type: 'function_call', call_id: 'a', name: 'find', arguments: BROKEN }],
    tools: [{ type: 'function', name: 'find', parameters: SCHEMA, strict: true }],
  },
  'Responses, in a namespace': {
    input: [{ type: 'function_call', call_id: 'a', name: 'find', arguments: BROKEN }],
    tools: [
      {
        type: 'namespace',
        name: 'files',
        tools: [{ type: 'function', name: 'find', parameters: SCHEMA }],
      },
    ],
  },
  Anthropic: {
    messages: [
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'find', input: BROKEN }] },
    ],
    tools: [{ name: 'find', input_schema: SCHEMA }],
  },
  Bedrock: {
    messages: [
      {
        role: 'assistant',
        content: [{ toolUse: { toolUseId: 'a', name: 'find', input: BROKEN } }],
      },
    ],
    toolConfig: { tools: [{ toolSpec: { name: 'find', inputSchema: { json: SCHEMA } } }] },
  },
  Gemini: {
    contents: [{ role: 'model', parts: [{ functionCall: { name: 'find', args: BROKEN } }] }],
    tools: [
      {
        functionDeclarations: [
          {
            name: 'find',
            parameters: { type: 'OBJECT', properties: { limit: { type: 'INTEGER' } } },
          },
        ],
      },
    ],
  },
  'Gemini, JSON Schema': {
    contents: [{ role: 'model', parts: [{ functionCall: { name: 'find', args: BROKEN } }] }],
    tools: [{ functionDeclarations: [{ name: 'find', parametersJsonSchema: SCHEMA }] }],
  },
  'AI SDK': {
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'find', input: BROKEN }],
      },
    ],
    tools: { find: { inputSchema: { jsonSchema: SCHEMA } } },
  },
  'AI SDK, as a list': {
    messages: [
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'find', input: BROKEN }],
      },
    ],
    tools: [{ type: 'function', name: 'find', inputSchema: SCHEMA }],
  },
  'AI SDK, what it could not parse': {
    messages: [
      {
        id: 'm',
        role: 'assistant',
        parts: [
          {
            type: 'tool-find',
            toolCallId: 'a',
            state: 'output-error',
            rawInput: BROKEN,
            errorText: 'no JSON',
          },
        ],
      },
    ],
    tools: { find: { inputSchema: SCHEMA } },
  },
}

test.each(Object.entries(REQUESTS))('%s: the schema is found and checked', (_, request) => {
  const { source, format, conversations } = readDocument(JSON.stringify(request))
  const { calls } = repairDocument({ text: source.text, format: format.id, conversations })
  expect(calls.map(({ result, check }) => [result.text, check])).toEqual([
    [
      '{"limit": "many"}',
      {
        state: 'differs',
        differences: [{ at: '#/limit', said: expect.stringContaining('integer') }],
      },
    ],
  ])
})

test('null is valid for a nullable value in Gemini', () => {
  const schema = toolSchemasByName(
    '[{"functionDeclarations":[{"name":"f","parameters":{"type":"OBJECT","properties":{"type":{"type":"STRING","nullable":true}}}}]}]',
  ).get('f')
  if (schema === undefined) throw new Error('The schema was not found.')
  expect(checkArguments({ type: null }, schema)).toEqual({ state: 'fits' })
  expect(checkArguments({ type: 1 }, schema).state).toBe('differs')
})

test('skips tools without a schema', () => {
  const tools = [{ type: 'web_search' }, { name: 'a' }, null, 'b', { googleSearch: {} }]
  expect(toolSchemasByName(JSON.stringify(tools)).size).toBe(0)
  expect(toolSchemasByName('').size).toBe(0)
})

describe('validates against the version named in `$schema`', () => {
  const pair = { items: [{ type: 'integer' }, { type: 'string' }] }
  test.each([
    ['http://json-schema.org/draft-07/schema#', 'differs'],
    ['http://json-schema.org/draft-04/schema#', 'differs'],
    ['https://json-schema.org/draft/2019-09/schema', 'differs'],
  ])('%s', ($schema, state) => {
    expect(checkArguments(['x', 'y'], { $schema, ...pair }).state).toBe(state)
    expect(checkArguments([1, 'y'], { $schema, ...pair }).state).toBe('fits')
  })
})
