/** Requests of chat completions that break one rule each, and one that breaks none. */
import type { RequestRule } from '../loop/check-request'

const call = (id: unknown, name: unknown = 'read', written: unknown = '{}') => ({
  id,
  type: 'function',
  function: { name, arguments: written },
})
const asking = (...calls: unknown[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const answer = (id: unknown, content: unknown = 'ok') => ({
  role: 'tool',
  tool_call_id: id,
  content,
})
const user = { role: 'user', content: 'go' }

export const GOOD_REQUEST = sent(user, asking(call('a'), call('b')), answer('b'), answer('a'), user)

/** Each with the index of the message that breaks the rule. */
export const BROKEN_REQUESTS: Readonly<
  Record<RequestRule, readonly (readonly [unknown, number | undefined])[]>
> = {
  no_model: [[{ messages: [user] }, undefined]],
  no_messages: [
    [{ model: 'm', messages: [] }, undefined],
    [{ model: 'm' }, undefined],
  ],
  no_message: [[sent('go'), 0]],
  unknown_role: [[sent({ role: 'critic', content: 'x' }), 0]],
  content_type: [
    [sent({ role: 'user', content: { text: 'x' } }), 0],
    [sent({ role: 'user', content: null }), 0],
    [sent(user, asking(call('a')), answer('a', [])), 2],
    [sent(user, asking(call('a')), answer('a', [{ type: 'image_url' }])), 2],
    [sent(user, asking(call('a')), answer('a', 7)), 2],
    [sent(user, asking(call('a')), answer('a', ['ok'])), 2],
    [sent(user, asking(call('a')), answer('a', [{ type: 'text' }])), 2],
    [sent({ role: 'user', content: [{ text: 'go' }] }), 0],
  ],
  nothing_said: [[sent(user, { role: 'assistant', content: null }), 1]],
  call_shape: [
    [sent(user, asking()), 1],
    [sent(user, { role: 'assistant', content: 'x', tool_calls: 'a' }), 1],
    [sent(user, asking('a')), 1],
    [sent(user, asking({ ...call('a'), type: 'tool' }), answer('a')), 1],
    [sent(user, asking(call('a', 'read', {})), answer('a')), 1],
    [sent(user, asking(call('')), answer('')), 1],
  ],
  call_name: [[sent(user, asking(call('a', '')), answer('a')), 1]],
  repeated_id: [
    [sent(user, asking(call('a'), call('a')), answer('a')), 1],
    [sent(user, asking(call('a')), answer('a'), asking(call('a')), answer('a')), 3],
  ],
  unanswered_call: [
    [sent(user, asking(call('a'), call('b')), answer('a')), 1],
    [sent(user, asking(call('a')), user), 1],
  ],
  stray_result: [
    [sent(user, answer('a')), 1],
    [sent(user, asking(call('a')), answer('a'), answer('a')), 3],
    [sent(user, asking(call('a')), answer('a'), user, answer('a')), 4],
    [sent(user, asking(call('a')), answer('a'), answer(undefined)), 3],
  ],
  empty_tools: [[{ ...sent(user), tools: [] }, undefined]],
  choice_without_tools: [[{ ...sent(user), tool_choice: 'none' }, undefined]],
  name_characters: [[sent(user, asking(call('a', 'read file')), answer('a')), 1]],
  broken_arguments: [
    [sent(user, asking(call('a', 'read', '{"a":')), answer('a')), 1],
    [sent(user, asking(call('a', 'read', '[]')), answer('a')), 1],
  ],
}

function sent(...messages: unknown[]) {
  return { model: 'm', messages }
}
