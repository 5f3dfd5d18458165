import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { readChatMessage } from '../conversation/chat-message'
import { linkByOrder, linkMessages, NO_MESSAGE } from '../conversation/link-messages'
import { type Decision, decide } from '../policy/decide'
import { DEFAULT_POLICY, type MaskPolicy } from '../policy/policy'
import { anyConversation, type JsonValue } from '../testing/chat-messages'
import { anyActivePolicy, countQuarters } from '../testing/policies'
import { fuzz } from '../testing/test-size'
import { CORPUS_FOLDER, HAS_CORPUS } from '../testing/transcripts'
import { itemsOf } from '../text/json-object'
import { countTextsTokens } from '../tokens/count-conversation'
import { linkChatResults } from './link-chat-results'
import {
  countMessages,
  type DecidedMessage,
  decideMessages,
  maskOldToolResults,
} from './mask-old-tool-results'

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
    requestTokens: countMessages(messages, '', countQuarters),
  })
  return linked.results.map(({ message, turn }, index) => ({
    message,
    turn,
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

describe('linkChatResults', () => {
  test('gives the results that reading all of every message gives', () => {
    fc.assert(
      fc.property(fc.oneof(anyChat, anyChatWithoutIds), fc.boolean(), (messages, isByOrder) => {
        const chat = linkChatResults(messages, { isByOrder, isScanned: false })
        const { results } = chat
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

/** Messages of an agent, whose ids are not used again. */
function turnsOf(count: number, from: number, results: readonly JsonValue[]): object[] {
  return Array.from({ length: count }, (_, at) => {
    const id = `id_${from + at}`
    const name = `tool_${at % 3}`
    return [
      { role: 'assistant', tool_calls: [{ id, function: { name, arguments: '{"path":"a.ts"}' } }] },
      { role: 'tool', tool_call_id: id, content: results[at % results.length] },
    ]
  }).flat()
}

type Messages = (Record<string, unknown> | undefined)[]
/** What a caller does to its messages between two requests; a change has a place and a text to use. */
const CHANGES: readonly ((all: Messages, at: number, text: string) => void)[] = [
  () => {},
  (all, at) => all.push(...(turnsOf(1 + (at % 3), 100 + all.length, ['new']) as Messages)),
  (all, at) => all.push(...(turnsOf(1, at, ['of an id that may be used']) as Messages)),
  (all, at) => all.splice(0, 1 + (at % 4)),
  (all, at) => all.splice(-1 - (at % 3)),
  (all, at) => all.splice(at, 1),
  (all, at, text) => all.splice(at, 0, { role: 'user', content: text }),
  (all, at) => all.push(...all.splice(at, 1)),
  (all, at) => all.splice(at, 1, { ...all[at] }),
  (all, at, text) => Object.assign(all[at] ?? {}, { content: text }),
  (all, at, text) => Object.assign(partOf(all[at]?.content) ?? {}, { text }),
  (all, at, text) => Object.assign(all[at] ?? {}, { role: text.length % 2 ? 'user' : 'tool' }),
  (all, at) => Object.assign(all[at] ?? {}, { tool_call_id: `id_${at}` }),
  (all, at) => Object.assign(partOf(all[at]?.tool_calls) ?? {}, { id: `id_${at + 1}` }),
  (all, at, text) => Object.assign(calledOf(all[at]) ?? {}, { name: text }),
  (all, at, text) => Object.assign(calledOf(all[at]) ?? {}, { arguments: text }),
  (all, at) => Object.assign(all[at] ?? {}, { tool_calls: all[at + 2]?.tool_calls }),
  (all, at) => {
    const [first, second] = [all[at], all[at + 2]].map((message) => itemsOf(message?.tool_calls))
    Object.assign(all[at] ?? {}, { tool_calls: [...(first ?? []), ...(second ?? [])] })
    Object.assign(all[at + 2] ?? {}, { tool_calls: null })
  },
  (all, at, text) => {
    const calls = itemsOf(all[at]?.tool_calls).map((call) => ({
      ...(call as object),
      function: { name: 'tool_0', arguments: text },
    }))
    Object.assign(all[at] ?? {}, { tool_calls: calls })
  },
  (all, at) => Object.assign(partOf(all[at]?.tool_calls) ?? {}, { id: undefined }),
  (all, at, text) => {
    const calls = all[at]?.tool_calls
    if (Array.isArray(calls))
      calls.push({ id: `id_${50 + calls.length}`, function: { name: text } })
  },
]

function partOf(list: unknown): Record<string, unknown> | undefined {
  return Array.isArray(list) ? list[0] : undefined
}

function calledOf(message: Messages[number]): object | undefined {
  return partOf(message?.tool_calls)?.function as object | undefined
}

const anyChanges = fc.array(
  fc.tuple(fc.nat(CHANGES.length - 1), fc.nat(30), fc.constantFrom('', 'read', 'error: x', 'é→😀')),
  { minLength: 1, maxLength: 8 },
)
const anyContents = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.string({ maxLength: 300 }) },
    { weight: 1, arbitrary: fc.string().map((text) => [{ type: 'text', text }]) },
  ),
  { minLength: 1, maxLength: 5 },
)

describe('what is remembered of a list', () => {
  test('does not show in the decisions, whatever changed in the messages', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          { weight: 4, arbitrary: fc.tuple(fc.nat(12), anyContents) },
          { weight: 1, arbitrary: anyChat },
        ),
        fc.array(anyActivePolicy, { minLength: 1, maxLength: 2 }),
        anyChanges,
        (start, policies, changes) => {
          const [count, contents] = start
          const messages: Messages =
            typeof count === 'number'
              ? turnsOf(count, 0, contents as readonly JsonValue[])
              : JSON.parse(JSON.stringify(start))
          for (const [kind, at, text] of [[0, 0, ''] as const, ...changes]) {
            CHANGES[kind]?.(messages, Math.min(at, Math.max(0, messages.length - 1)), text)
            for (const policy of policies) {
              expect(decisionsOf([...messages], policy)).toEqual(decideAll(messages, policy))
            }
          }
        },
      ),
      fuzz(1_000),
    )
  })

  const policy = { ...DEFAULT_POLICY, enabled: true, windowTurns: 1 }
  /** Messages of agents: some have an answer to no call, calls without names, or no ids. */
  function startsOf(): Messages[] {
    const contents = ['a line '.repeat(20), [{ type: 'text', text: 'a part '.repeat(20) }]]
    const start = () => turnsOf(4, 0, contents) as Messages
    const nameless = { role: 'assistant', tool_calls: [{ id: 'id_1' }, { function: {} }] }
    const orphan = { role: 'tool', tool_call_id: 'id_5', content: 'of a call that may come' }
    const without = JSON.stringify(start()).replace(/"(?:tool_call_)?id":"id_\d",/g, '')
    return [
      [...start(), { role: 'user', content: 'thanks' }],
      [...start(), orphan, ...(turnsOf(1, 9, ['last']) as Messages)],
      [...start().slice(0, 4), nameless, ...start().slice(4)],
      JSON.parse(without),
    ]
  }

  const variables = '{tool_call_id} {tool_name} {original_chars} {first_line}'

  test.each(CHANGES.map((change, kind) => [kind, change] as const))(
    'is not used for what change %i changes',
    (_, change) => {
      for (const placeholderTemplate of [variables, `${variables} {tool_arguments}`])
        for (const text of ['read', 'other'])
          for (let at = 0; at < 10; at++)
            for (const messages of startsOf()) {
              const errorPatterns = ['other', 'new']
              const each = { ...policy, placeholderTemplate, errorPatterns, textParts: true }
              const byOrder = { ...each, linkByOrder: true }
              const check = () => {
                for (const one of [each, byOrder, each]) {
                  const [decided, all] = [decisionsOf(messages, one), decideAll(messages, one)]
                  // A tenth of the time of the comparison that can say what differs.
                  if (!isDeepStrictEqual(decided, all)) expect(decided).toEqual(all)
                }
              }
              check()
              change(messages, at, text)
              check()
              messages.push(...(turnsOf(1, 20, ['next']) as Messages))
              check()
            }
    },
  )

  test('is used for the same messages and for those that follow', () => {
    const link = (messages: readonly unknown[]) =>
      linkChatResults(messages, { isByOrder: false, isScanned: false }).results
    const messages: unknown[] = [{ role: 'user', content: 'go' }, null, ...turnsOf(4, 0, ['text'])]
    const first = link(messages)
    const second = link([...messages])
    const third = link([...messages])
    expect(second[0]).not.toBe(first[0])
    expect(third.every((result, at) => result === second[at])).toBe(true)
    messages.push({ role: 'assistant', tool_calls: [{ function: {} }] }, ...turnsOf(1, 7, ['text']))
    const grown = link(messages)
    expect(grown.slice(0, 4).every((result, at) => result === second[at])).toBe(true)
    expect(grown.length).toBe(5)
    messages.push(...turnsOf(9, 10, ['text']))
    expect(link(messages)[0]).not.toBe(second[0])
    expect(link(messages)[0]).toBe(link(messages)[0])
  })

  test.each([true, false])('reads each text once, with keepErrors %s', (keepErrors) => {
    const texts = Array.from({ length: 6 }, (_, at) => `→ old ${at} `.repeat(100))
    const messages = turnsOf(6, 0, texts)
    const grownMessages = [...messages, ...turnsOf(1, 50, ['new'])]
    const test = vi.spyOn(RegExp.prototype, 'test')
    const exec = vi.spyOn(RegExp.prototype, 'exec')
    const readIn = (request: readonly object[]) => {
      test.mockClear()
      exec.mockClear()
      maskOldToolResults(request, { ...policy, keepErrors })
      return test.mock.calls.length + exec.mock.calls.length
    }
    readIn(messages)
    readIn(messages)
    const same = readIn(messages)
    const grown = readIn(grownMessages)
    const trimmed = readIn(grownMessages.slice(2))
    vi.restoreAllMocks()
    expect([same, trimmed]).toEqual([0, 0])
    expect(grown).toBeGreaterThan(0)
  })
})
