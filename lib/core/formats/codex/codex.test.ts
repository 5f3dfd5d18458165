import fc from 'fast-check'
import { test } from 'vitest'
import { anyText } from '../../testing/chat-messages'
import { expectStableMasking } from '../../testing/expect-masked'
import { fuzz } from '../../testing/test-size'

const line = (type: string, payload: unknown) => ({ timestamp: 'now', type, payload })
const item = (payload: unknown) => line('response_item', payload)
const event = (payload: unknown) => line('event_msg', payload)
const user = (text: string) => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text }],
})
const call = (id: string) => ({
  type: 'function_call',
  call_id: id,
  name: 'shell',
  arguments: '{"command":["ls"]}',
})
const output = (id: string, text: unknown) => ({
  type: 'function_call_output',
  call_id: id,
  output: text,
})
const META = line('session_meta', { id: 's', base_instructions: { text: 'be brief' } })
const linesOf = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join('\n')

test('masking any session changes only the listed strings, and masking again changes nothing', () => {
  const anyId = fc.constantFrom('a', 'b', '__proto__')
  const anyLine = fc.oneof(
    anyId.map((id) => item(call(id))),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => item(output(id, text))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) => item(output(id, [{ type: 'input_text', text }]))),
    fc
      .record({ id: anyId, text: anyText })
      .map(({ id, text }) =>
        event({ type: 'exec_command_end', call_id: id, stdout: text, aggregated_output: text }),
      ),
    fc.record({ id: anyId, text: anyText }).map(({ id, text }) => output(id, text)),
    anyText.map((text) => line('compacted', { message: text })),
    anyText.map((text) => item(user(text))),
  )
  fc.assert(
    fc.property(fc.array(anyLine, { maxLength: 24 }), (lines) => {
      expectStableMasking(linesOf(META, item(user('go')), ...lines), 'codex')
    }),
    fuzz(100),
  )
})
