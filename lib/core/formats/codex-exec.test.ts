import { describe, expect, test } from 'vitest'
import { complaintsOf } from '../testing/complaints-of'
import { expectStableMasking } from '../testing/expect-stable-masking'
import { readDocument } from './read-document'

const START = { type: 'thread.started', thread_id: 't' }
const event = (type: string, item: unknown) => ({ type: `item.${type}`, item })
const command = (id: string, output: unknown, more: object = {}) => ({
  id,
  type: 'command_execution',
  command: 'ls',
  aggregated_output: output,
  exit_code: 0,
  status: 'completed',
  ...more,
})
const RUNNING = { exit_code: null, status: 'in_progress' }
const ran = (id: string, output: string) => [
  event('started', command(id, '', RUNNING)),
  event('completed', command(id, output)),
]
const say = (text: unknown) => event('completed', { id: 'm', type: 'agent_message', text })
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

function read(...lines: unknown[]) {
  const text = linesOf(START, { type: 'turn.started' }, ...lines)
  const { format, problems, conversations, evidence } = readDocument(text)
  expect([format.id, problems, evidence.shape]).toEqual(['codex', [], 'event_lines'])
  expectStableMasking(text, 'codex')
  expect(conversations).toHaveLength(1)
  return conversations[0]
}

test('calls stand where they start, results where they end', () => {
  const conversation = read(
    event('completed', { id: 'r', type: 'reasoning', text: 'Look.' }),
    event('started', command('a', '', RUNNING)),
    event('started', command('b', '', RUNNING)),
    event('completed', command('a', 'x')),
    event('completed', command('b', 'yz')),
    event('started', command('c', '', RUNNING)),
    say('Done.'),
    { type: 'turn.completed', usage: {} },
  )
  expect(conversation).toMatchObject({
    turnCount: 2,
    messages: [
      { role: 'assistant', turn: 0, more: [{}, {}] },
      { role: 'tool' },
      { role: 'tool' },
      { role: 'assistant', turn: 1 },
    ],
    calls: [{ id: 'a', argumentsPreview: 'ls' }, { id: 'b' }, { id: 'c' }],
    results: [
      { turn: 0, toolName: 'command_execution', chars: 1 },
      { turn: 0, chars: 2 },
    ],
  })
})

describe('results', () => {
  const tool = (more: object) =>
    event('completed', { id: 'a', type: 'mcp_tool_call', server: 's', tool: 't', ...more })
  const content = [{ type: 'text', text: 'rows of it' }]
  test.each([
    ['a command that failed', event('completed', command('a', 'x', { exit_code: 1 })), 1, ['flag']],
    ['an MCP result', tool({ result: { content }, error: null, status: 'completed' }), 10, []],
    [
      'an MCP error',
      tool({ result: null, error: { message: 'no' }, status: 'failed' }),
      2,
      ['flag'],
    ],
    ['changed files', event('completed', { id: 'a', type: 'file_change', changes: [] }), 0, []],
    ['a search', event('completed', { id: 'a', type: 'web_search', query: 'x' }), 0, []],
  ])('%s', (_, line, chars, errorRules) => {
    expect(read(line, ...ran('z', 'y'))?.results[0]).toMatchObject({ turn: 0, chars, errorRules })
  })

  test('what was told before the end, and told again as JSON, is masked with it', () => {
    const said = 'the first line of it\n'
    const conversation = read(
      event('started', command('a', '', RUNNING)),
      event('updated', command('a', said, RUNNING)),
      event('completed', command('a', `${said}the second`)),
      tool({ id: 'b', result: { content, structured_content: { rows: 'rows of it', n: 'no' } } }),
      ...ran('z', 'y'),
    )
    expect(conversation?.results.map(({ twins }) => twins)).toEqual([1, 1, 0])
  })
})

test.each([
  [event('completed', 7), 'line 2: item is a number; expected an item, an object with a "type".'],
  [event('completed', command('a', 7)), 'line 2: item.aggregated_output is a number; expected a'],
  [say(7), 'line 2: item.text is a number; expected a text.'],
  [7, 'line 2 is a number, not a message; it was left alone.'],
])('%j gets a sentence', (line, sentence) => {
  const { format, said } = complaintsOf(linesOf(START, line, ...ran('z', 'y')))
  expect(format).toBe('codex')
  expect(said).toHaveLength(1)
  expect(said[0]?.[0]).toContain(sentence)
  expect(said[0]?.[1]?.startsWith('7')).toBe(true)
})
