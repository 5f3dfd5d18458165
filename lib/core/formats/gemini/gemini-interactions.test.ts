import fc from 'fast-check'
import { test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const ASK = { type: 'user_input', content: [{ type: 'text', text: 'go' }] }
const SAY = { type: 'model_output', content: [{ type: 'text', text: 'Done.' }] }
const THINK = { type: 'thought', signature: 'c2ln', summary: [{ type: 'text', text: 'Look.' }] }
const call = (id: unknown, name: unknown = 'read') => ({
  type: 'function_call',
  id,
  name,
  arguments: { path: 'a' },
})
const result = (id: unknown, value: unknown) => ({
  type: 'function_result',
  call_id: id,
  name: 'read',
  result: value,
})
const bodyOf = (...input: unknown[]) => ({
  model: 'gemini-3-flash',
  system_instruction: 'Be brief.',
  tools: [{ type: 'function', name: 'read' }],
  input,
})

test('masking any conversation changes only the listed strings, and masking again changes nothing', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const anyValue = fc.oneof(
    anyText,
    fc.array(anyText.map((text) => ({ type: 'text', text }))),
    fc.dictionary(anyText, anyText),
  )
  const anyStep = fc.oneof(
    anyId.map((id) => call(id)),
    fc.record({ id: anyId, value: anyValue }).map(({ id, value }) => result(id, value)),
    fc.constantFrom<object>(ASK, SAY, THINK),
  )
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 20 }), (steps) => {
      expectStableMasking(JSON.stringify(bodyOf(ASK, ...steps)), 'gemini')
    }),
    fuzz(100),
  )
})
