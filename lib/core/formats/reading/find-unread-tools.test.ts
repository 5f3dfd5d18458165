import { describe, expect, test } from 'vitest'
import { describeProblem } from '../../words/english'
import { readDocument } from '../read-document'

const problemsOf = (messages: unknown) =>
  readDocument(JSON.stringify(messages)).problems.map(describeProblem)

const said = (path: string) =>
  expect.stringMatching(
    new RegExp(`^${path.replace(/[[\]]/g, '\\$&')} names a tool, but no call or result was found;`),
  )

describe('tools that no format reads are reported', () => {
  test.each([
    [
      'calls in parts of an unknown type',
      [{ role: 'assistant', content: [{ type: 'toolAction', id: 'a', toolCall: { value: {} } }] }],
      '[0].content[0].type',
    ],
    [
      'results as texts of the user',
      [{ role: 'user', content: '[read_file for a.ts] Result:\nexport {}' }],
      '[0].content',
    ],
    [
      'a result of a path with brackets',
      [{ role: 'user', content: "[read_file for 'app/[id]/page.tsx'] Result:\nexport {}" }],
      '[0].content',
    ],
    ['a key', [{ role: 'assistant', content: 'x', tool: 'read' }], '[0].tool'],
    [
      'a role',
      [
        { role: 'user', content: 'x' },
        { role: 'tool_answer', content: 'y' },
      ],
      '[1].role',
    ],
  ])('%s', (_, messages, path) => {
    expect(problemsOf(messages)).toContainEqual(said(path))
  })

  test('in a line of JSON Lines', () => {
    const lines =
      '{"role":"user","content":"x"}\n{"role":"assistant","content":"x","toolUse":"a"}\n'
    expect(readDocument(lines).problems.map(describeProblem)).toEqual([said('line 2: toolUse')])
  })
})

test.each([
  ['declarations', { messages: [{ role: 'user', content: 'x' }], tools: [{ type: 'function' }] }],
  [
    'a choice',
    { messages: [{ role: 'user', content: 'x' }], parallel_tool_calls: true, tool_choice: 'auto' },
  ],
  ['empty members', [{ role: 'assistant', content: 'x', tool_calls: [], function_call: null }]],
  ['a text about tools', [{ role: 'user', content: 'Which tool did you use? [a] Result: b' }]],
])('%s are no calls', (_, document) => {
  expect(problemsOf(document)).toEqual([])
})
