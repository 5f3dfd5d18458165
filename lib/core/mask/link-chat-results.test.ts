import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readChatMessage } from '../conversation/chat-message'
import { linkByOrder, linkMessages, NO_MESSAGE } from '../conversation/link-messages'
import { type Decision, decide, linkedResults } from '../policy/decide'
import type { MaskPolicy } from '../policy/policy'
import { anyConversation, type JsonValue } from '../testing/chat-messages'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { countTextsTokens } from '../tokens/count-conversation'
import { linkChatResults } from './link-chat-results'
import { countMessages, type DecidedMessage, decideMessages } from './mask-old-tool-results'

/** Reads and links all of every message, as the readers of documents do. */
function linkAll(messages: readonly unknown[], isByOrder = false) {
  const raws = messages.map((message) => readChatMessage(message) ?? NO_MESSAGE)
  return linkMessages(isByOrder ? linkByOrder(raws) : raws)
}

function decideAll(messages: readonly unknown[], policy: MaskPolicy): DecidedMessage[] {
  const linked = linkAll(messages, policy.linkByOrder)
  const textsOf = (index: number) => linked.results[index]?.texts ?? []
  const decisions = decide(linked, policy, {
    textOf: (index) => textsOf(index).join(''),
    tokensOf: (index) => countTextsTokens(textsOf(index), countQuarters),
    placeholderTokensOf: (_, placeholder) => countQuarters(placeholder),
    requestTokens: () => countMessages(messages, '', countQuarters),
  })
  return linked.results.map(({ message, turn, nearest }, index) => ({
    message,
    turn: policy.nearestCall && nearest !== undefined ? nearest.turn : turn,
    decision: decisions[index] as Decision,
  }))
}

function decisionsOf(messages: readonly unknown[], policy: MaskPolicy): DecidedMessage[] {
  return decideMessages(messages, policy, countQuarters)
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

const MEMBERS = [
  ...(['message', 'link', 'callId', 'turn', 'toolName', 'toolArguments'] as const),
  ...(['shape', 'texts', 'length', 'chars', 'errorRules', 'firstLine'] as const),
]

test('gives the results that reading all of every message gives', () => {
  forAll(300, [fc.oneof(anyChat, anyChatWithoutIds), anyActivePolicy], (messages, policy) => {
    const chat = linkChatResults(messages, policy)
    const linked = linkAll(messages, policy.linkByOrder)
    const all = { ...linked, results: linkedResults(linked.results, policy) }
    expect(chat.turnCount).toBe(all.turnCount)
    const membersOf = (result: (typeof all.results | typeof chat.results)[number]) =>
      MEMBERS.map((member) => result[member])
    expect(chat.results.map(membersOf)).toEqual(all.results.map(membersOf))
  })
})

test('gives the same decisions', () => {
  forAll(300, [anyChat, anyActivePolicy], (messages, policy) => {
    expect(decisionsOf(messages, policy)).toEqual(decideAll(messages, policy))
  })
})
