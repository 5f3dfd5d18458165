import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readChatMessage } from '../conversation/chat-message'
import { linkByOrder } from '../conversation/link-by-order'
import { linkMessages, NO_MESSAGE } from '../conversation/link-messages'
import { type Decision, decide } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { anyConversation, type JsonValue } from '../testing/chat-messages'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { fuzz } from '../testing/test-size'
import { CORPUS_FOLDER, HAS_CORPUS } from '../testing/transcripts'
import { countTextsTokens } from '../tokens/count-conversation'
import { ChatResults } from './link-chat-results'
import { countMessages, decideMessages, maskOldToolResults } from './mask-old-tool-results'

/** Reads and links all of every message, as the readers of documents do. */
function linkAll(messages: readonly unknown[], isByOrder = false) {
  const raws = messages.map((message) => readChatMessage(message) ?? NO_MESSAGE)
  return linkMessages(isByOrder ? linkByOrder(raws) : raws)
}

function decideAll(messages: readonly unknown[], policy: MaskPolicy): Decision[] {
  const linked = linkAll(messages, policy.linkByOrder)
  const textsOf = (index: number) => linked.results[index]?.texts ?? []
  return decide(linked, policy, {
    textOf: (index) => textsOf(index).join(''),
    tokensOf: (index) => countTextsTokens(textsOf(index), countQuarters),
    placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
    requestTokens: countMessages(messages, '', countQuarters),
  })
}

function decisionsOf(messages: readonly unknown[], policy: MaskPolicy): Decision[] {
  return decideMessages(messages, policy, countQuarters).map(({ decision }) => decision)
}

/** Calls in all forms, and calls that open no turn. */
const anyOtherMessage: fc.Arbitrary<JsonValue> = fc
  .tuple(
    fc.constantFrom('assistant', 'assistant', 'user', 'tool'),
    fc.constantFrom<JsonValue>(
      { id: 'a', custom: { name: 'read', input: 'x' } },
      { id: 'a', custom: { name: 'read', input: 'x' }, function: 'bash' },
      { id: 'b', name: 'search', args: { path: 'a.ts' } },
      { id: 'b', name: 'search', arguments: ' {\n"path": 1}' },
      { id: 'b', custom: 'read', function: null },
      { id: 'c', function: { arguments: '{}' } },
    ),
  )
  .map(([role, call]) => ({ role, tool_calls: [call], content: null }))

const anyChat = fc
  .tuple(anyConversation, fc.array(fc.tuple(fc.nat(20), anyOtherMessage), { maxLength: 4 }))
  .map(([messages, others]) =>
    others.reduce<readonly JsonValue[]>(
      (all, [at, message]) => all.toSpliced(at, 0, message),
      messages,
    ),
  )

/** Without ids, so that calls and results can be linked by order only. */
const anyChatWithoutIds = anyChat.map((messages) =>
  (JSON.parse(JSON.stringify(messages)) as Record<string, unknown>[]).map((message) => {
    const calls = message?.tool_calls
    if (!Array.isArray(calls)) return message
    return { ...message, tool_calls: calls.map((call) => ({ ...(call as object), id: undefined })) }
  }),
)

describe('ChatResults', () => {
  test('gives the results that reading all of every message gives', () => {
    fc.assert(
      fc.property(fc.oneof(anyChat, anyChatWithoutIds), fc.boolean(), (messages, isByOrder) => {
        const chat = new ChatResults(messages, isByOrder)
        const results = chat.all()
        const all = linkAll(messages, isByOrder)
        expect(chat.turnCount).toBe(all.turnCount)
        const membersOf = (result: (typeof all.results)[number] | (typeof results)[number]) => [
          result.message,
          result.link,
          result.callId,
          result.turn,
          result.toolName,
          result.toolArguments,
          result.shape,
          result.texts,
          result.length,
          result.chars,
          result.errorRules,
        ]
        expect(results.map(membersOf)).toEqual(all.results.map(membersOf))
      }),
      fuzz(300),
    )
  })

  test('gives results without ids the arguments of their calls', () => {
    const named = (path: string) => ({ name: 'read', arguments: JSON.stringify({ path }) })
    const messages = [
      { role: 'assistant', function_call: named('a.ts') },
      { role: 'function', name: 'read', content: 'one' },
      { role: 'assistant', tool_calls: ['no call', { function: named('b.ts') }] },
      { role: 'tool', content: 'two' },
    ]
    const results = new ChatResults(messages, true).all()
    expect(results.map(({ toolArguments }) => toolArguments)).toEqual([
      '{"path":"a.ts"}',
      '{"path":"b.ts"}',
    ])
    expect(linkAll(messages, true).results.map(({ toolArguments }) => toolArguments)).toEqual(
      results.map(({ toolArguments }) => toolArguments),
    )
  })

  test('gives the same decisions, also when asked again under another policy', () => {
    fc.assert(
      fc.property(anyChat, anyActivePolicy, anyActivePolicy, (messages, policy, other) => {
        for (const each of [policy, other, policy]) {
          expect(decisionsOf(messages, each)).toEqual(decideAll(messages, each))
        }
      }),
      fuzz(300),
    )
  })
})

describe.skipIf(!HAS_CORPUS)('published chat completions', () => {
  const files = HAS_CORPUS ? readdirSync(join(CORPUS_FOLDER, 'openai-chat')) : []

  test.each(files.filter((name) => name.endsWith('.json')))('%s: the same decisions', (name) => {
    const text = readFileSync(join(CORPUS_FOLDER, 'openai-chat', name), 'utf8')
    const body = JSON.parse(text) as { readonly messages: readonly unknown[] } | unknown[]
    const messages = Array.isArray(body) ? body : body.messages
    if (messages === undefined) return
    for (const keepErrors of [true, false]) {
      const policy = { ...DEFAULT_POLICY, enabled: true, keepErrors }
      expect(decisionsOf(messages, policy)).toEqual(decideAll(messages, policy))
    }
  })
})

describe('what is kept with a message', () => {
  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  const turn = (id: string, name: string, content: string) => [
    { role: 'assistant', content: null, tool_calls: [{ id, function: { name, arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content },
  ]
  const [call, result] = turn('a', 'read', 'old '.repeat(100))
  const last = turn('b', 'read', 'new')

  function contentAfter(messages: readonly object[]): unknown {
    expect(decisionsOf(messages, policy)).toEqual(decideAll(messages, policy))
    return (maskOldToolResults(messages, policy)[1] as { content?: unknown }).content
  }

  test('is not used for another content, id or name', () => {
    const message = { ...result, content: 'old '.repeat(100) }
    const messages = [call, message, ...last] as object[]
    expect(contentAfter(messages)).toContain('tool_call_id=a, outil=read, chars=400')
    message.content = 'error: '.repeat(100)
    expect(contentAfter(messages)).toBe(message.content)
    message.content = 'long '.repeat(100)
    expect(contentAfter(messages)).toContain('tool_call_id=a, outil=read, chars=500')
    const renamed = turn('a', 'bash', '')[0] as object
    expect(contentAfter([renamed, message, ...last])).toContain('outil=bash, chars=500')
    Object.assign(message, { tool_call_id: 'c' })
    expect(contentAfter([turn('c', 'read', '')[0] as object, message, ...last])).toContain(
      'tool_call_id=c, outil=read, chars=500',
    )
  })
})
