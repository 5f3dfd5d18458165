import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadConversation } from '../conversation/conversation'
import { FORMATS, readDocument } from '../formats/read-document'
import { maskDocument } from '../mask/mask-document'
import { decide } from '../policy/decide'
import { DEFAULT_POLICY } from '../policy/policy'
import { anyMessages, anyMessagesWithoutIds } from '../testing/chat-messages'
import { forAll } from '../testing/test-size'
import { CORPUS_FILES, readTranscript, SAMPLE_FILES } from '../testing/transcripts'
import { describeLoss, type LossKind } from './loss'
import { type ChatBody, convertToChat } from './to-chat'

const POLICY = { ...DEFAULT_POLICY, enabled: true, windowTurns: 2, textParts: true }
const PLAIN = { ...POLICY, keepErrors: false }

interface ApiMessage {
  readonly role: string
  readonly content: unknown
  readonly tool_call_id?: string
  readonly tool_calls?: readonly { id: string; function: { arguments: string } }[]
}

function lossesOf({ lost }: ChatBody): Readonly<Partial<Record<LossKind, number>>> {
  return Object.fromEntries(lost.map(({ kind, count }) => [kind, count]))
}

function onlyOf(text: string): ReadConversation {
  const { conversations, format, problems } = readDocument(text, { format: 'openai-chat' })
  expect([format.id, problems, conversations.length]).toEqual(['openai-chat', [], 1])
  return conversations[0] as ReadConversation
}

function reasonsOf({ results, turnCount, messages, resultTexts }: ReadConversation) {
  return decide({ results, turnCount, messages }, PLAIN, {
    textOf: (index) => resultTexts[index]?.join('') ?? '',
  })
}

/** Finds what the API would refuse: results without their call before them, calls without a result after them. */
function refusals(messages: readonly ApiMessage[]) {
  let strayResults = 0
  let openCalls = 0
  let open = new Set<string>()
  let asked = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!asked.has(message.tool_call_id ?? '')) strayResults++
      open.delete(message.tool_call_id ?? '')
      continue
    }
    openCalls += open.size
    open = new Set((message.tool_calls ?? []).map(({ id }) => id))
    asked = new Set(open)
  }
  return { strayResults, openCalls: openCalls + open.size }
}

/** Holds a written body against the conversation it was made of. */
function expectCarriedOver(source: string, conversation: ReadConversation): void {
  const body = convertToChat(source, conversation)
  const lost = lossesOf(body)
  const { messages } = JSON.parse(body.text) as { messages: readonly ApiMessage[] }
  for (const { role, content, tool_calls: calls } of messages) {
    expect(['system', 'developer', 'user', 'assistant', 'tool']).toContain(role)
    const isText = typeof content === 'string' || (Array.isArray(content) && content.length > 0)
    expect(isText || (content === null && calls !== undefined)).toBe(true)
    for (const call of calls ?? []) expect(typeof call.function.arguments).toBe('string')
  }
  const { strayResults, openCalls } = refusals(messages)
  const isOnce = new Set(conversation.calls.map(({ id }) => id)).size === conversation.calls.length
  expect(strayResults).toBe(lost.orphan_results ?? 0)
  // A call that shares its id with another can stay open when the other is answered.
  if (isOnce) expect(openCalls).toBe(lost.unanswered_calls ?? 0)

  if (messages.length === 0) return
  const again = onlyOf(body.text)
  const isNew = lost.stand_in_ids !== undefined
  if (!isNew) expect(again.turnCount).toBe(conversation.turnCount)
  const callFacts = ({ calls }: ReadConversation) =>
    calls.map(({ id, name, turn }) => [id ?? 'new', name ?? 'unknown', turn])
  if (!isNew) expect(callFacts(again)).toEqual(callFacts(conversation))
  expect(again.calls).toHaveLength(conversation.calls.length)

  const resultFacts = (read: ReadConversation) => {
    const reasons = reasonsOf(read).map(({ reason }) => reason)
    const facts = read.results.map((one, at) => [one.callId, one.turn, one.toolName, reasons[at]])
    return facts.map((fact) => JSON.stringify(fact)).sort()
  }
  expect(again.results).toHaveLength(conversation.results.length)
  const others = conversation.results.filter(({ shape }) => shape === 'other')
  expect(others).toHaveLength(lost.non_text ?? 0)
  const changes = [lost.stand_in_ids, lost.non_text, lost.stand_in_names, lost.values]
  if (changes.every((count) => count === undefined))
    expect(resultFacts(again)).toEqual(resultFacts(conversation))
  const marked = ({ results }: ReadConversation) =>
    results
      .map(({ callId, errorRules }) => JSON.stringify([isNew || callId, [...errorRules].sort()]))
      .sort()
  if (lost.error_marks === undefined) expect(marked(again)).toEqual(marked(conversation))
}

const FILES = [...SAMPLE_FILES, ...CORPUS_FILES].filter(({ format }) =>
  FORMATS.some(({ id }) => id === format),
)

describe.each(FILES)('$name', (file) => {
  const text = readTranscript(file)
  const document = readDocument(text)

  test('is converted to chat completions, and differences are listed', () => {
    for (const conversation of document.conversations) expectCarriedOver(text, conversation)
  })

  test('gives the same result if it is masked before or after conversion', () => {
    const { decisions } = maskDocument({ text, ...document }, PLAIN)
    for (const [at, conversation] of document.conversations.entries()) {
      const placeholders = decisions[at]?.map(({ placeholder }) => placeholder) ?? []
      const body = convertToChat(text, conversation, placeholders)
      if (conversation.results.length === 0 || lossesOf(body).stand_in_ids !== undefined) continue
      const isMasked = ({ reason }: { reason: string }) => /^(already_)?masked$/.test(reason)
      const there = reasonsOf(onlyOf(body.text)).filter(({ reason }) => reason === 'already_masked')
      expect(there).toHaveLength(decisions[at]?.filter(isMasked).length ?? 0)
    }
  })
})

test('any conversation is converted', () => {
  forAll(100, [fc.oneof(anyMessages, anyMessagesWithoutIds)], (messages) => {
    const text = JSON.stringify([{ role: 'user', content: 'go' }, ...messages])
    const [conversation] = readDocument(text, { format: 'openai-chat' }).conversations
    expectCarriedOver(text, conversation as ReadConversation)
  })
})

describe('one thing at a time', () => {
  const convert = (value: unknown) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    const [conversation] = readDocument(text).conversations
    const body = convertToChat(text, conversation as ReadConversation)
    return { lost: lossesOf(body), messages: JSON.parse(body.text).messages as ApiMessage[], body }
  }
  const ask = (...parts: unknown[]) => ({ role: 'user', parts })
  const model = (...parts: unknown[]) => ({ role: 'model', parts })
  const call = { functionCall: { id: 'a', name: 'read', args: { path: 'a' } } }
  const response = (value: unknown) => {
    return { functionResponse: { id: 'a', name: 'read', response: value } }
  }

  test('arguments are unchanged, including numbers beyond 2^53', () => {
    const written = '{"id":12345678901234567890,"at":1.0}'
    const read =
      '{"functionCall":{"id":"a","name":"get","args":{ "id": 12345678901234567890, "at": 1.0 }}}'
    const { messages } = convert(`[{"role":"model","parts":[${read}]}]`)
    expect(messages[0]?.tool_calls?.[0]?.function.arguments).toBe(written)
  })

  test.each([
    ['x', 'x', { non_text: 1 }],
    [{ output: 'x' }, 'x', {}],
    [{ output: '' }, '', {}],
    [{ output: 'Error: x' }, 'Error: x', {}],
    [{ output: 'x', status: '' }, 'x', {}],
    [{ output: 'x', exit: 1 }, '{"output":"x","exit":1}', { values: 1 }],
    [{ error: 'x' }, '{"error":"x"}', { values: 1, error_marks: 1 }],
    [{ exit: 1 }, '{"exit":1}', { values: 1, non_text: 1 }],
  ])('the value %j is written as %j', (value, content, lost) => {
    const read = convert([model(call), ask(response(value))])
    expect(read.messages[1]).toEqual({ role: 'tool', tool_call_id: 'a', content })
    expect(read.lost).toEqual(lost)
  })

  test('results follow their calls, and other text of their message comes after them', () => {
    const { lost, messages } = convert([
      model({ text: 'I look' }, call),
      ask({ text: 'hurry' }),
      ask({ text: 'please' }, response({ output: 'x' }), { text: 'now' }),
    ])
    expect(messages.map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'I look'],
      ['tool', 'x'],
      ['user', 'hurry'],
      ['user', ['please', 'now'].map((text) => ({ type: 'text', text }))],
    ])
    expect(lost).toEqual({ moved_results: 1 })
  })

  test('images and thinking are left out and counted, and so are messages of nothing else', () => {
    const image = { inlineData: { mimeType: 'image/png', data: 'AA' } }
    const thought = { text: 'hm', thought: true }
    const cat = { text: 'a cat' }
    const some = convert([ask({ text: 'look' }, image), model(thought, cat)])
    expect(some.messages.map(({ content }) => content)).toEqual(['look', 'a cat'])
    expect(some.lost).toEqual({ images: 1, reasoning: 1 })
    const all = convert([ask(image), model(thought), model(cat)])
    expect(all.messages.map(({ content }) => content)).toEqual(['a cat'])
    expect(all.lost).toEqual({ images: 1, reasoning: 1, emptied_messages: 2 })
  })

  test('results of server tools are written as results, without what is no text', () => {
    const found = { type: 'web_search_result', title: 'A page', url: 'https://example.org' }
    const content = [
      { type: 'server_tool_use', id: 'a', name: 'web_search', input: {} },
      { type: 'web_search_tool_result', tool_use_id: 'a', content: [found] },
    ]
    const user = { role: 'user', content: 'search' }
    const { lost, messages } = convert([user, { role: 'assistant', content }])
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
    expect(lost).toMatchObject({ server_tools: 1, non_text: 1 })
  })

  test('calls get ids and names, and roles become those of the API', () => {
    const { lost, messages } = convert([
      { role: 'assistant', tool_calls: [{ function: {} }, { id: 'call_1', function: {} }] },
      { role: 'critic', content: 'no' },
      { role: 'exit', content: '' },
    ])
    expect(messages[0]?.tool_calls?.map(({ id }) => id)).toEqual(['call_2', 'call_1'])
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user'])
    const counts = { other_roles: 2, stand_in_ids: 1, stand_in_names: 2, unanswered_calls: 2 }
    expect(lost).toEqual(counts)
  })

  test('a loss has a sentence in the singular and in the plural', () => {
    expect(describeLoss({ kind: 'images', count: 1 })).toContain('1 part')
    expect(describeLoss({ kind: 'images', count: 3 })).toContain('3 parts')
  })
})
