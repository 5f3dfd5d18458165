import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Conversation, Usage } from '../conversation/conversation'
import { readDocument } from '../formats/read-document'
import { turnOf } from '../testing/conversation-of'
import { countQuarters } from '../testing/policies'
import { forAll } from '../testing/test-size'
import { type ConversationCounts, countConversation } from '../tokens/count-conversation'
import {
  answerEnd,
  createSession,
  createSessions,
  headMessages,
  requestsOf,
  type Session,
} from './sessions'

const turn = (id: string) => turnOf(id, `what ${id} gave`) as object[]
const user = (content: string) => ({ role: 'user', content })
const answer = { role: 'assistant', content: 'done' }

const SYSTEM = { role: 'system', content: 'be brief' }
const SESSION = [SYSTEM, user('begin'), ...turn('a'), ...turn('b')]
const LONG_SESSION = [...SESSION, ...turn('c'), answer, user('go on'), ...turn('d')]

function sessionsIn(lists: readonly (readonly object[])[]): Session[] {
  return createSessions(...readLists(lists))
}

function readLists(
  lists: readonly (readonly object[])[],
): [readonly Conversation[], readonly ConversationCounts[]] {
  const lines = lists.map((messages) => JSON.stringify({ model: 'm', messages })).join('\n')
  const { conversations } = readDocument(lines)
  const counts = conversations.map((conversation) => countConversation(conversation, countQuarters))
  return [conversations, counts]
}

const requestsIn = (messages: readonly object[]) => sessionsIn([messages])[0]?.requests

describe('requests of a conversation', () => {
  test('precede each assistant message and count the tool turns so far; the last one may be open', () => {
    const ended = [1, 2, 3].map((n) => ({ end: 2 * n, turnCount: n - 1, answer: 2 * n }))
    expect(requestsIn([...SESSION, answer])).toEqual(ended)
    expect(requestsIn(SESSION)).toEqual([...ended.slice(0, 2), { ...ended[2], answer: undefined }])
  })

  const charged = (tokens: number) => ({ ...answer, usage: { prompt_tokens: tokens } })
  test.each([
    ['assistant messages in a row are one answer', [answer, answer], [3]],
    ['with one usage they are one', [answer, charged(9)], [3]],
    ['whichever has it', [charged(8), answer], [3]],
    ['each with its own usage is one', [charged(8), charged(9), answer], [2, 4]],
    ['an open request has none', [answer, user('go on')], [2, 3]],
    ['an answer ends before the next words', [answer, user('go on'), answer], [2, 4]],
  ])('have an answer that ends before the next request: %s', (_, rest, ends) => {
    const [session] = sessionsIn([[user('begin'), ...rest]]) as [Session]
    expect([...session.requests.keys()].map((request) => answerEnd(session, request))).toEqual(ends)
  })

  test('have the usage of the one of their answers that states it', () => {
    const requests = requestsIn([user('begin'), answer, charged(9)])
    expect(requests).toMatchObject([{ end: 1, answer: 1, usage: { inputTokens: 9 } }])
  })

  test('were sent at the time of their last message, else of their answer, else of its usage', () => {
    const [[conversation]] = readLists([[user('begin'), answer, user('go on')]])
    const { messages } = conversation as Conversation
    const sentAt = (times: readonly (number | undefined)[], at?: number) =>
      requestsOf({
        messages: messages.map((message, index) => ({ ...message, writtenAt: times[index] })),
        answerUsage: { at } as Usage,
      }).map((request) => request.sentAt)
    expect(sentAt([1, 2, 3])).toEqual([1, 3])
    expect(sentAt([undefined, 2, undefined], 4)).toEqual([2, 4])
    expect(sentAt([])).toEqual([undefined, undefined])
  })

  test('are none in a conversation without messages', () => {
    const [[conversation], [counted]] = readLists([SESSION])
    const lists = [{ ...conversation, messages: [] }, conversation] as [Conversation, Conversation]
    const counts = [counted, counted] as ConversationCounts[]
    expect(createSessions(lists, counts).map(({ requests }) => requests.length)).toEqual([0, 3])
  })

  test('are those of one conversation, whose place in the document the session has', () => {
    const [[conversation], [counted]] = readLists([SESSION])
    const session = createSession(conversation as Conversation, counted as ConversationCounts, 3)
    expect(session).toEqual({ ...sessionsIn([SESSION])[0], conversations: [3] })
  })
})

test('the head is all messages of instructions before the first other one', () => {
  const headOf = (messages: readonly object[]) =>
    headMessages(readLists([messages])[0][0] as Conversation)
  expect(headOf(SESSION)).toBe(1)
  expect(headOf([SYSTEM, { ...SYSTEM, role: 'developer' }, ...SESSION.slice(1), SYSTEM])).toBe(2)
  expect(headOf([SYSTEM, { ...SYSTEM, role: 'developer' }])).toBe(2)
})

describe('requests of a log', () => {
  test('have the same tool schemas', () => {
    const [conversations, counts] = readLists([SESSION, [...SESSION, answer, user('go on')]])
    expect(createSessions(conversations, counts)).toHaveLength(1)
    const schemas = counts.map((one, index) => ({ ...one, perRequest: one.perRequest + index }))
    expect(createSessions(conversations, schemas)).toHaveLength(2)
  })

  test('have the usage of their answers', () => {
    const [conversations, counts] = readLists([SESSION.slice(0, 2), SESSION])
    const usages = [{ inputTokens: 5 }, { inputTokens: 9 }]
    const charged = conversations.map((one, index) => ({ ...one, answerUsage: usages[index] }))
    const [session] = createSessions(charged as Conversation[], counts)
    expect(session?.requests.map(({ usage }) => usage)).toEqual(usages)
  })

  const second = <Item>(items: readonly Item[], change: Partial<Item>) =>
    items.map((item, at) => (at === 1 ? { ...item, ...change } : item))
  const CHANGES: Readonly<Record<string, (of: Conversation) => Partial<Conversation>>> = {
    'a role': ({ messages }) => ({ messages: second(messages, { role: 'assistant' }) }),
    'a length': ({ messages }) => ({ messages: second(messages, { chars: 1 }) }),
    'an image': ({ messages }) => ({ messages: second(messages, { nonTextParts: 1 }) }),
    'the id of a call': ({ calls }) => ({ calls: second(calls, { id: 'other' }) }),
    'the name of a call': ({ calls }) => ({ calls: second(calls, { name: 'other' }) }),
    'the message of a call': ({ calls }) => ({ calls: second(calls, { message: 0 }) }),
    'the number of calls': () => ({ calls: [] }),
    'the call of a result': ({ results }) => ({ results: second(results, { callId: 'other' }) }),
    'the length of a result': ({ results }) => ({ results: second(results, { chars: 1 }) }),
    'the message of a result': ({ results }) => ({ results: second(results, { message: 0 }) }),
    'the number of results': () => ({ results: [] }),
  }
  test.each(Object.entries(CHANGES))('are not found where %s differs', (_, change) => {
    const [lists, counts] = readLists([SESSION, [...SESSION, answer, user('go on')]])
    const [before, after] = lists as [Conversation, Conversation]
    expect(createSessions([before, after], counts)).toHaveLength(1)
    expect(createSessions([before, { ...after, ...change(after) }], counts)).toHaveLength(2)
  })

  test('are those that comparing every list with all of the previous one finds', () => {
    const anyList = fc.record({
      end: fc.integer({ min: 1, max: LONG_SESSION.length }),
      changed: fc.constantFrom(undefined, undefined, undefined, 0, 1, 2, 3, 5),
    })
    const anyLists = fc.array(anyList, { minLength: 1, maxLength: 8 })
    forAll(500, [anyLists, fc.boolean()], (drawn, isGrowing) => {
      const plans = isGrowing ? [...drawn].sort((a, b) => a.end - b.end) : drawn
      const lists = plans.map(({ end, changed }) =>
        LONG_SESSION.slice(0, end).map((message, at) => (at === changed ? CHANGED : message)),
      )
      const [conversations, counts] = readLists(lists)
      const found = createSessions(conversations, counts).map((session) => session.conversations)
      expect(found).toEqual(sessionsByFullComparison(conversations, counts))
    })
  })
})

const CHANGED = user('something else')

/** The conversations of each session, by the definition of a log. */
function sessionsByFullComparison(
  conversations: readonly Conversation[],
  counts: readonly ConversationCounts[],
): number[][] {
  const of = (index: number) => conversations[index] as Conversation
  const messagesIn = (index: number) =>
    of(index).messages.map(({ role, chars, nonTextParts }, at) =>
      JSON.stringify([role, chars, nonTextParts, counts[index]?.messages[at]]),
    )
  const callsIn = (index: number) =>
    of(index).calls.map(({ id, name, message }) => JSON.stringify([id, name, message]))
  const resultsIn = (index: number) =>
    of(index).results.map(({ callId, chars, message }) => JSON.stringify([callId, chars, message]))
  const beginsWith = (list: readonly string[], start: readonly string[]) =>
    start.every((item, at) => item === list[at])
  const isRequest = (index: number) => conversations[index]?.messages.at(-1)?.isAssistant === false
  const isNext = (index: number) =>
    isRequest(index - 1) &&
    isRequest(index) &&
    messagesIn(index).length > messagesIn(index - 1).length &&
    counts[index]?.perRequest === counts[index - 1]?.perRequest &&
    [messagesIn, callsIn, resultsIn].every((listOf) => beginsWith(listOf(index), listOf(index - 1)))
  const sessions: number[][] = []
  for (const index of conversations.keys()) {
    if (index > 0 && isNext(index)) sessions.at(-1)?.push(index)
    else sessions.push([index])
  }
  return sessions
}
