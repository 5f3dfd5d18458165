import fc from 'fast-check'
import { test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const response = (id: string, calls: readonly string[]) => ({
  id,
  model: 'gpt-5',
  choices: [
    {
      message: {
        role: 'assistant',
        content: 'I look.',
        tool_calls: calls.map((call) => ({
          id: call,
          function: { name: 'execute_bash', arguments: '{"command":"ls"}' },
        })),
      },
    },
  ],
})

const metadata = (call: string, answer = response(`answer ${call}`, [call])) => ({
  function_name: 'execute_bash',
  tool_call_id: call,
  model_response: answer,
})

const action = (id: number, fields: object = {}) => ({
  id,
  source: 'agent',
  message: 'Running',
  action: 'run',
  args: { command: 'ls', thought: 'I look.' },
  ...fields,
})

const observation = (id: number, cause: number, fields: object = {}) => ({
  id,
  source: 'agent',
  message: 'Done',
  cause,
  observation: 'run',
  content: 'a.txt\na long line of output',
  extras: {},
  ...fields,
})

const turn = (id: number, call: string, fields: object = {}) => [
  action(id, { tool_call_metadata: metadata(call) }),
  observation(id + 1, id, { tool_call_metadata: metadata(call), ...fields }),
]

const part = (text: string) => ({ type: 'text', text, cache_prompt: false })

const sdkAction = (call: string, fields: object = {}) => ({
  id: `action ${call}`,
  source: 'agent',
  kind: 'ActionEvent',
  thought: [part('I look.')],
  tool_name: 'terminal',
  tool_call_id: call,
  tool_call: { id: call, name: 'terminal', arguments: '{"command":"ls"}' },
  llm_response_id: `answer ${call}`,
  ...fields,
})

const sdkObservation = (call: string, seen: unknown, fields: object = {}) => ({
  id: `observation ${call}`,
  source: 'environment',
  kind: 'ObservationEvent',
  tool_name: 'terminal',
  tool_call_id: call,
  observation: seen,
  ...fields,
})

test('any events are masked at results and their duplicates only, and masking them again changes nothing', () => {
  const anyExtras = fc.dictionary(fc.constantFrom('diff', 'new_content', 'command'), anyText)
  const anyTurn = fc.record({ content: anyText, extras: anyExtras, isPlain: fc.boolean() })
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 6 }), (turns) => {
      const events = turns.flatMap(({ isPlain, ...fields }, index) =>
        isPlain
          ? [action(index * 2), observation(index * 2 + 1, index * 2, fields)]
          : turn(index * 2, `call_${index}`, fields),
      )
      expectStableMasking(JSON.stringify(events), 'openhands')
      const sdk = turns.flatMap(({ content, extras }, index) => [
        sdkAction(`call_${index}`),
        sdkObservation(`call_${index}`, { ...extras, content: [part(content), part('end')] }),
      ])
      expectStableMasking(JSON.stringify({ items: sdk }), 'openhands')
    }),
    fuzz(100),
  )
})
