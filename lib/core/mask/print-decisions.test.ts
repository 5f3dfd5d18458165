import { expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { DEFAULT_POLICY } from '../policy/policy'
import { maskDocument } from './mask-document'
import { printDecisions } from './print-decisions'

/** Three turns of one call, then results without a call and without an id. The 😀 has two UTF-16 code units. */
const TEXT = JSON.stringify([
  ...['a', 'b', 'c'].flatMap((id) => [
    { role: 'assistant', tool_calls: [{ id, function: { name: 'read', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: '😀'.repeat(100) },
  ]),
  { role: 'tool', tool_call_id: 'nobody', content: 'orphan' },
  { role: 'tool', content: 'no id' },
])

test('prints each result with its place, its call and its size before and after', () => {
  const { conversations } = readDocument(TEXT)
  const policy = {
    ...DEFAULT_POLICY,
    enabled: true,
    windowTurns: 2,
    placeholderTemplate: '[😀 {tool_name}]',
  }
  const { decisions } = maskDocument({ text: TEXT, conversations }, policy)
  const masked = {
    conversation: 0,
    message: 1,
    tool_call_id: 'a',
    tool: 'read',
    turn: 1,
    action: 'mask',
    reason: 'masked',
    chars_before: 100,
    chars_after: 8,
  }
  const kept = { action: 'keep', reason: 'in_window', chars_after: 100 }
  const unlinked = { ...masked, ...kept, tool: null, turn: null }
  const printed = [
    masked,
    { ...masked, ...kept, message: 3, tool_call_id: 'b', turn: 2 },
    { ...masked, ...kept, message: 5, tool_call_id: 'c', turn: 3 },
    {
      ...unlinked,
      message: 6,
      tool_call_id: 'nobody',
      reason: 'orphan',
      chars_before: 6,
      chars_after: 6,
    },
    {
      ...unlinked,
      message: 7,
      tool_call_id: null,
      reason: 'no_call_id',
      chars_before: 5,
      chars_after: 5,
    },
  ]
  expect(printDecisions(conversations, decisions)).toEqual(printed)
  const twice = printDecisions([...conversations, ...conversations], [...decisions, ...decisions])
  expect(twice).toEqual([...printed, ...printed.map((one) => ({ ...one, conversation: 1 }))])
})
