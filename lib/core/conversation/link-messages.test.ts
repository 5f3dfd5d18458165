import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { convertToChat } from '../convert/to-chat'
import { readDocument } from '../formats/read-document'
import { checkHistory } from '../integrity/check-history'
import { maskDocument } from '../mask/mask-document'
import { decideMessages, maskOldToolResults } from '../mask/mask-old-tool-results'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { decideRequest } from '../replay/decide-request'
import { createSession } from '../replay/sessions'
import { anyConversation, anyConversationWithoutIds } from '../testing/chat-messages'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { sourcesOf } from '../testing/test-sessions'
import { forAll } from '../testing/test-size'
import { usageWith } from '../testing/usage-with'
import { countConversation } from '../tokens/count-conversation'
import { type ReadConversation, readTime, sumUsage } from './conversation'
import { reasoningMarksOf } from './reasoning-marks'

const ON: MaskPolicy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1, linkByOrder: true }
const OFF: MaskPolicy = { ...ON, linkByOrder: false }
const NEAREST: MaskPolicy = { ...OFF, nearestCall: true }

/** The smallest requests of both kinds with two turns. */
const OLLAMA = `{"model":"qwen3","stream":false,"messages":[
 {"role":"user","content":"Compare them."},
 {"role":"assistant","content":"","tool_calls":[
  {"function":{"name":"weather","arguments":{"city":"Rome"}}},
  {"function":{"name":"time","arguments":{"city":"Rome"}}}]},
 {"role":"tool","tool_name":"time","content":"noon in Rome"},
 {"role":"tool","tool_name":"weather","content":"rain in Rome"},
 {"role":"assistant","content":"","tool_calls":[{"function":{"name":"time","arguments":{}}}]},
 {"role":"tool","tool_name":"time","content":"night"}
]}`
const LEGACY = `[
 {"role":"user","content":"What is new?"},
 {"role":"assistant","content":null,"function_call":{"name":"news","arguments":"{\\"n\\": 1}"}},
 {"role":"function","name":"news","content":"a long story"},
 {"role":"assistant","content":null,"function_call":{"name":"news","arguments":"{}"}},
 {"role":"function","name":"news","content":"another"}
]`

function read(text: string) {
  const document = readDocument(text)
  return { ...document, conversation: document.conversations[0] as ReadConversation }
}

function reasonsOf(text: string, policy: MaskPolicy) {
  const { conversations } = readDocument(text)
  return maskDocument({ text, conversations }, policy).decisions[0]?.map(({ reason }) => reason)
}

const chat = (...messages: object[]) =>
  JSON.stringify([{ role: 'user', content: 'go' }, ...messages])
const calls = (...names: (string | undefined)[]) => ({
  role: 'assistant',
  tool_calls: names.map((name) => ({ function: { name, arguments: {} } })),
})
const result = (more = {}) => ({ role: 'tool', content: 'x', ...more })

describe('results without ids', () => {
  test.each([
    [
      'Ollama',
      OLLAMA,
      { 'noon in Rome': '[time {"city":"Rome"}]', 'rain in Rome': '[weather {"city":"Rome"}]' },
    ],
    ['function_call', LEGACY, { 'a long story': '[news {"n": 1}]' }],
  ])('of %s are masked with the setting alone, byte for byte', (_, text, placeholders) => {
    const { conversations, conversation, problems } = read(text)
    expect(problems).toEqual([])
    expect(conversation.turnCount).toBe(2)
    expect(new Set(reasonsOf(text, OFF))).toEqual(new Set(['no_call_id']))
    expect(maskDocument({ text, conversations }, OFF).text).toBe(text)

    const policy = { ...ON, placeholderTemplate: '[{tool_name} {tool_arguments}{tool_call_id}]' }
    const masked = Object.entries(placeholders).reduce(
      (whole, [content, placeholder]) =>
        whole.replace(JSON.stringify(content), JSON.stringify(placeholder)),
      text,
    )
    expect(maskDocument({ text, conversations }, policy).text).toBe(masked)
    expect(reasonsOf(masked, policy)).toContain('already_masked')

    const messagesOf = (body: string) => JSON.parse(body).messages ?? JSON.parse(body)
    expect(maskOldToolResults(messagesOf(text), policy)).toEqual(messagesOf(masked))
    expect(maskOldToolResults(messagesOf(text), OFF)).toEqual(messagesOf(text))
  })

  test('are chat completions with ids of their own when converted', () => {
    const { conversation } = read(LEGACY)
    const { text } = convertToChat(LEGACY, conversation)
    const ids = [...text.matchAll(/"(?:id|tool_call_id)": ?"(.*?)"/g)].map(([, id]) => id)
    expect(ids).toEqual(['call_1', 'call_1', 'call_2', 'call_2'])
    expect(checkHistory(conversation).map(({ rule }) => rule)).not.toContain('empty_result_id')
  })

  const [a, c, toB] = [calls('a'), calls('c'), result({ tool_name: 'b' })]
  const withId = { role: 'assistant', tool_calls: [{ id: 'i' }] }
  test.each([
    ['a name of no open call', [a, toB, c], 'no_call_id'],
    ['a second result of one call', [a, result(), result(), c], 'masked no_call_id'],
    ['a call of an earlier message', [calls('a', 'b'), result(), c, toB, a], 'masked no_call_id'],
    ['an id that no call has', [a, result({ tool_call_id: 'z' }), c], 'orphan'],
    ['one call with an id', [a, result(), withId], 'no_call_id'],
    ['no calls', [result(), { role: 'function', content: 'x' }], 'no_call_id'],
  ])('are not linked past %s', (_, messages, reasons) => {
    const text = chat(...messages)
    expect(reasonsOf(text, ON)?.join(' ')).toBe(reasons)
    const decided = decideMessages(JSON.parse(text), ON)
    expect(decided.map(({ decision }) => decision.reason).join(' ')).toBe(reasons)
  })

  test('with an id that each turn uses again belong to the nearest call before them', () => {
    const call = { id: 'read:0', function: { name: 'read', arguments: '{}' } }
    const round = [{ role: 'assistant', tool_calls: [call] }, result({ tool_call_id: 'read:0' })]
    const early = result({ tool_call_id: 'read:0' })
    const text = chat(early, ...round, ...round, ...round)
    expect(reasonsOf(text, OFF)).toEqual(['in_window', 'in_window', 'in_window', 'in_window'])
    expect(reasonsOf(text, NEAREST)).toEqual(['orphan', 'masked', 'masked', 'in_window'])
  })

  test('of a tool are kept as its last ones by their call', () => {
    const text = chat(calls('a', 'b'), result(), result(), calls('a'), result(), calls('c'))
    const reasons = ['masked', 'kept_last_k', 'kept_last_k']
    expect(reasonsOf(text, { ...ON, keepLastKPerTool: 1 })).toEqual(reasons)
  })

  test('are decided alike in messages, in a document, and in the requests of its replay', () => {
    const anyList = fc.oneof(anyConversationWithoutIds, anyConversation)
    forAll(500, [anyList, anyActivePolicy], (list, some) => {
      // Messages of role function are results only if they are linked by order.
      const policy = { ...some, linkByOrder: true }
      const text = JSON.stringify(list)
      const messages = JSON.parse(text)
      const { conversations, conversation } = read(text)
      const masked = maskDocument({ text, conversations }, policy, countQuarters)
      const expected = maskOldToolResults(messages, policy, countQuarters)
      expect(JSON.parse(masked.text)).toEqual(JSON.parse(JSON.stringify(expected)))
      // Values that are no messages are left out of a document.
      if (conversation.messages.length < messages.length) return
      // A request before the first id is linked by order.
      const ids = conversation.calls.map(({ id }) => id)
      if (ids.includes(undefined) && ids.some((id) => id !== undefined)) return
      const session = createSession(conversation, countConversation(conversation, countQuarters))
      for (const [index, { end }] of session.requests.entries()) {
        const found = decideRequest(session, index, policy, sourcesOf(conversation))
        const sent = decideMessages(messages.slice(0, end), policy, countQuarters)
        expect(found).toEqual(sent.map(({ decision }) => decision))
      }
    })
  })
})

test('a sum of answers names their model if they have one', () => {
  const usage = (model: string) => usageWith({ model, inputTokens: 70 })
  expect(sumUsage([usage('a'), usage('a')])).toMatchObject({ model: 'a', inputTokens: 140 })
  expect(sumUsage([usage('a'), usage('b')])?.model).toBeUndefined()
})

test.each([
  ['2026-01-02T03:04:05.678Z', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
  ['2026-01-02T03:04:05+02:00', Date.UTC(2026, 0, 2, 1, 4, 5)],
  ['2026-01-02 03:04:05', Date.UTC(2026, 0, 2, 3, 4, 5)],
  ['2026-01-02T03:04:05.678901', Date.UTC(2026, 0, 2, 3, 4, 5, 678)],
  [1767323045, 1767323045000],
  [1767323045.5, 1767323045500],
  [1767323045678, 1767323045678],
  [7, undefined],
  ['yesterday', undefined],
  ['2026-13-41T99:00:00Z', undefined],
  [null, undefined],
])('%j is %s', (value, time) => {
  expect(readTime(value)).toBe(time)
})

const signed = { type: 'thinking', thinking: 'so', signature: 'x' }

test.each([
  ['a text', 'text', []],
  [
    'blocks of other kinds',
    { content: ['text', 7, { type: 'thinking', thinking: ['so'] }, { reasoningContent: 'so' }] },
    [],
  ],
  ['an empty key', { reasoning_content: '' }, []],
  [
    'a part in snake case',
    { parts: [{ function_call: {}, thought_signature: 'x' }] },
    ['thought_signature'],
  ],
  [
    'a signature that is not on the first call',
    { parts: [{ functionCall: {} }, { functionCall: {}, thoughtSignature: 'x' }] },
    [],
  ],
  ['a kind twice', { content: [signed, signed] }, ['signed_thinking']],
])('the reasoning marks of %s', (_, value, marks) => {
  expect(reasoningMarksOf(value)).toEqual(marks)
})

test('a line of Claude Code has its reasoning marks in its message', () => {
  const toolUse = { type: 'tool_use', id: 'a', name: 'read', input: {} }
  const toolResult = { type: 'tool_result', tool_use_id: 'a', content: 'text' }
  const line = {
    type: 'assistant',
    sessionId: 's',
    message: { id: 'm', role: 'assistant', content: [signed, toolUse] },
  }
  const rest = { type: 'user', sessionId: 's', message: { role: 'user', content: [toolResult] } }
  const text = [line, rest].map((one) => JSON.stringify(one)).join('\n')
  const [conversation] = readDocument(text).conversations
  expect(conversation?.messages[0]?.reasoningMarks).toEqual(['signed_thinking'])
})
