import { expect, test } from 'vitest'
import { problemsOf } from '../../testing/problems-of'

const START = { type: 'thread.started', thread_id: 't' }
const completed = (item: unknown) => ({ type: 'item.completed', item })
const command = (output: unknown) =>
  completed({ id: 'a', type: 'command_execution', command: 'ls', aggregated_output: output })

test.each([
  [completed(7), 'line 2: item is a number; expected an item, an object with a "type".'],
  [command(7), 'line 2: item.aggregated_output is a number; expected a'],
  [
    completed({ id: 'm', type: 'agent_message', text: 7 }),
    'line 2: item.text is a number; expected a text.',
  ],
  [7, 'line 2 is a number, not a message; it was skipped.'],
])('%j is a problem', (line, sentence) => {
  const lines = [START, line, command('x')]
  const { format, problems } = problemsOf(lines.map((value) => JSON.stringify(value)).join('\n'))
  expect(format).toBe('codex')
  expect(problems).toHaveLength(1)
  expect(problems[0]?.[0]).toContain(sentence)
  expect(problems[0]?.[1]?.startsWith('7')).toBe(true)
})
