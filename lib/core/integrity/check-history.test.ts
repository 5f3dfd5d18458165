import { describe, expect, test } from 'vitest'
import { bindsThinking } from '../conversation/reasoning-marks'
import { readDocument } from '../formats/read-document'
import { decide } from '../policy/decide'
import { DEFAULT_POLICY } from '../policy/policy'
import { repairDocument } from '../repair/repair-document'
import {
  checkArguments,
  checkHistory,
  checkMasking,
  HISTORY_RULES,
  type HistoryRule,
  hasResultBeforeThinking,
} from './check-history'
import { PROVIDERS, REJECTIONS, undocumentedFor } from './rejections'

const user = { role: 'user', content: 'go' }
const call = (id: unknown, text = '{}') => {
  return { id, type: 'function', function: { name: 'read', arguments: text } }
}
const asking = (...calls: object[]) => ({ role: 'assistant', content: null, tool_calls: calls })
const answer = (id: unknown) => ({ role: 'tool', tool_call_id: id, content: 'text' })
const turn = (id: string) => [asking(call(id)), answer(id)]
const done = { role: 'assistant', content: 'done' }

const reasoned = (id: string) => [{ ...asking(call(id)), reasoning_content: 'so' }, answer(id)]

const thinking = (block: object, id = 'a') => {
  return { role: 'assistant', content: [block, { type: 'tool_use', id, name: 'read', input: {} }] }
}
const signed = { type: 'thinking', thinking: 'so', signature: 'x' }
const toolResult = (id = 'a') => {
  return { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'text' }] }
}

const model = (...parts: object[]) => ({ role: 'model', parts })
const words = { role: 'user', parts: [{ text: 'go' }] }
const gemini = (id: string, signature?: object) => [
  model({ functionCall: { id, name: 'read', args: {} }, ...signature }),
  { role: 'user', parts: [{ functionResponse: { id, name: 'read', response: { output: 'x' } } }] },
]
const signature = { thoughtSignature: 'x' }

/** Index of the message, and of the result if it is about one. */
type Place = readonly [message: number, result?: number]

type Case = readonly [has: unknown, Place, ...hasNot: unknown[]]

/** For each rule the smallest history that has it, its place, and histories near it that have no finding. */
const CASES: Readonly<Record<Exclude<HistoryRule, 'edited_before_thinking'>, Case>> = {
  unanswered_call: [
    [asking(call('a')), user],
    [0],
    [...turn('a'), user],
    [asking(call('a'), call('b')), answer('b'), answer('a')],
  ],
  mid_turn: [
    [asking(call('a'), call('b')), answer('b')],
    [0],
    ...[[user], turn('a'), [...turn('a'), done], [user, asking(call('a'))]],
  ],
  orphan: [[user, answer('a')], [1, 0], turn('a')],
  not_behind: [
    [asking(call('a')), user, answer('a')],
    [2, 0],
    [user, ...turn('a'), user],
  ],
  two_results: [
    [...turn('a'), answer('a')],
    [2, 1],
    [asking(call('a'), call('b')), answer('a'), answer('b')],
  ],
  repeated_id: [[...turn('a'), ...turn('a')], [2], [...turn('a'), ...turn('b')]],
  empty_call_id: [
    [asking(call(''))],
    [0],
    // The older form of a call has no id.
    [
      { role: 'assistant', function_call: { name: 'read', arguments: '{}' } },
      { role: 'function', name: 'read', content: 'text' },
    ],
  ],
  empty_result_id: [[user, answer('')], [1, 0], turn('a')],
  unknown_role: [
    [{ role: 'critic', content: 'no' }, ...turn('a')],
    [0],
    [{ role: 'developer', content: 'be brief' }, ...turn('a')],
  ],
  broken_arguments: [
    [asking(call('a', '{"path":')), answer('a')],
    [0],
    [asking(call('a', '{"path":"x"}')), answer('a')],
  ],
  missing_reasoning: [
    [...reasoned('a'), ...turn('b')],
    [2],
    // Answers without calls need no reasoning, nor does a model that thinks rarely.
    [...reasoned('a'), done],
    [...reasoned('a'), ...turn('b'), ...turn('c')],
  ],
  unsigned_thinking: [
    [user, thinking({ type: 'thinking', thinking: 'so' }), toolResult()],
    [1],
    [user, thinking(signed), toolResult()],
    [user, thinking({ type: 'redacted_thinking', data: 'x' }), toolResult()],
  ],
  missing_signature: [
    { contents: [words, ...gemini('a', signature), ...gemini('b')] },
    [3],
    { contents: [words, ...gemini('a', signature), ...gemini('b', { thought_signature: 'y' })] },
    // Before the last words of the user, Gemini does not check.
    { contents: [words, ...gemini('b'), words, ...gemini('a', signature)] },
    { contents: [words, ...gemini('a')] },
  ],
}

function conversationOf(value: unknown) {
  const text = JSON.stringify(value)
  const { conversations, format } = readDocument(text)
  const [conversation] = conversations
  if (conversation === undefined) throw new Error('no conversation')
  const { calls } = repairDocument({ text, format: format.id, conversations })
  return { conversation, broken: new Set(calls.map(({ span }) => span.start)) }
}

function findingsIn(value: unknown) {
  const { conversation, broken } = conversationOf(value)
  return [...checkHistory(conversation), ...checkArguments(conversation, broken)]
}

test.each(Object.entries(CASES))('%s is found in the smallest history that has it', (rule, one) => {
  const [has, [message, result], ...hasNot] = one
  expect(findingsIn(has)).toEqual([{ rule, message, result }])
  for (const near of hasNot) expect(findingsIn(near), JSON.stringify(near)).toEqual([])
})

describe('edited_before_thinking', () => {
  const history = (block: object) => [
    user,
    ...[thinking(signed), toolResult()],
    ...[thinking(block, 'b'), toolResult('b')],
  ]
  const found = (value: unknown, windowTurns: number) => {
    const { conversation } = conversationOf(value)
    const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns }
    const textOf = (index: number) => conversation.resultTexts[index]?.join('') ?? ''
    return checkMasking(conversation, decide(conversation, policy, { textOf }), policy)
  }

  test('is found at signed thinking behind a masked result', () => {
    const finding = { rule: 'edited_before_thinking', message: 3, result: undefined }
    expect(found(history(signed), 1)).toEqual([finding])
    expect(found(history({ type: 'redacted_thinking', data: 'x' }), 1)).toEqual([finding])
    // Nothing is masked, or nothing behind it is signed.
    expect(found(history(signed), 2)).toEqual([])
    expect(found(history({ type: 'text', text: 'so' }), 1)).toEqual([])
  })

  test('is rejected by models that check what is before their thinking', () => {
    const models = ['anthropic/claude-opus-5-5', 'claude-fable-5.2-20261001', 'Claude Sonnet 5.5']
    for (const model of models) expect(bindsThinking(model)).toBe(true)
    expect(bindsThinking('anthropic/claude-opus-4-5')).toBe(false)
  })

  test('is possible where a result precedes signed thinking', () => {
    const isPossible = (block: object) =>
      hasResultBeforeThinking(conversationOf(history(block)).conversation)
    expect(isPossible(signed)).toBe(true)
    // The first answer thought before there was a result.
    expect(isPossible({ type: 'text', text: 'so' })).toBe(false)
  })
})

test('a result before its call is not behind it, and the call has a result', () => {
  const found = findingsIn([answer('a'), asking(call('a')), user])
  expect(found).toEqual([{ rule: 'not_behind', message: 0, result: 0 }])
})

test('findings are listed by rule, then by message', () => {
  const asked = [asking(call('a')), user, asking(call('b')), user]
  const found = findingsIn([answer('x'), answer(''), ...asked, answer('y')])
  expect(found.map(({ rule, message }) => `${rule} ${message}`).join(', ')).toBe(
    'unanswered_call 2, unanswered_call 4, orphan 0, orphan 6, empty_result_id 1',
  )
})

const gateway = (google: unknown) => [
  user,
  asking({ ...call('a'), extra_content: { google: { thought_signature: 'x' } } }),
  answer('a'),
  asking({ ...call('b'), ...(google === undefined ? {} : { extra_content: google }) }),
  answer('b'),
]

test('Gemini behind chat completions has its signature in the call', () => {
  const missing = [{ rule: 'missing_signature', message: 3, result: undefined }]
  expect(findingsIn(gateway({ google: { thought_signature: 'y' } }))).toEqual([])
  expect(findingsIn(gateway(undefined))).toEqual(missing)
  expect(findingsIn(gateway({ google: 'y' }))).toEqual(missing)
})

test('Bedrock has thinking in reasoningContent', () => {
  const use = { toolUse: { toolUseId: 'a', name: 'read', input: {} } }
  const bedrock = (reasoningContent: unknown) => [
    { role: 'user', content: [{ text: 'go' }] },
    { role: 'assistant', content: [{ reasoningContent }, use] },
    { role: 'user', content: [{ toolResult: { toolUseId: 'a', content: [{ text: 'x' }] } }] },
  ]
  const rules = (value: unknown) => findingsIn(bedrock(value)).map(({ rule }) => rule)
  expect(rules({ reasoningText: { text: 'so', signature: 'x' } })).toEqual([])
  expect(rules({ redactedContent: 'x' })).toEqual([])
  expect(rules({ reasoningText: { text: 'so' } })).toEqual(['unsigned_thinking'])
})

test('no provider both rejects and accepts a finding, and every finding is rejected by one', () => {
  for (const rule of HISTORY_RULES) {
    const { rejects, accepts } = REJECTIONS[rule]
    expect(rejects.length, rule).toBeGreaterThan(0)
    const all = [...rejects, ...accepts, ...undocumentedFor(rule)]
    expect(all.toSorted(), rule).toEqual([...PROVIDERS].sort())
  }
})
