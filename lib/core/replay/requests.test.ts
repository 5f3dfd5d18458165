import { describe, expect, test } from 'vitest'
import { readDocument } from '../formats/read-document'
import { countQuarters } from '../testing/policies'
import { countConversation } from '../tokens/count-conversation'
import { type Session, sessionsOf } from './requests'

const call = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'read', arguments: '{}' } }],
})
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: `what ${id} gave` })
const user = (content: string) => ({ role: 'user', content })
const answer = { role: 'assistant', content: 'done' }

const SYSTEM = { role: 'system', content: 'be brief' }
const SESSION = [SYSTEM, user('begin'), call('a'), result('a'), call('b'), result('b')]

function sessionsIn(lists: readonly (readonly object[])[]): Session[] {
  const lines = lists.map((messages) => JSON.stringify({ model: 'm', messages })).join('\n')
  const { conversations } = readDocument(lines)
  return sessionsOf(
    conversations,
    conversations.map((conversation) => countConversation(conversation, countQuarters)),
  )
}

const requestsIn = (messages: readonly object[]) => sessionsIn([messages])[0]?.requests

describe('requests of a conversation', () => {
  test('stand before each assistant message, with the tool turns so far', () => {
    expect(requestsIn([...SESSION, answer])).toEqual([
      { end: 2, turnCount: 0, answer: 2 },
      { end: 4, turnCount: 1, answer: 4 },
      { end: 6, turnCount: 2, answer: 6 },
    ])
  })

  test('end with an open one when the last message is not the assistant’s', () => {
    expect(requestsIn(SESSION)?.at(-1)).toEqual({ end: 6, turnCount: 2, answer: undefined })
  })

  test('leave out what a conversation begins with when that is an answer', () => {
    expect(requestsIn([answer, user('go on'), answer])).toEqual([
      { end: 2, turnCount: 0, answer: 2 },
    ])
  })

  test('count two assistant messages in a row as two requests', () => {
    expect(requestsIn([user('begin'), answer, answer])).toHaveLength(2)
  })
})

describe('requests of a log', () => {
  test('are taken as they are', () => {
    const [session, ...more] = sessionsIn([SESSION.slice(0, 2), SESSION.slice(0, 4), SESSION])
    expect(more).toEqual([])
    expect(session?.origin).toBe('log')
    expect(session?.conversations).toEqual([0, 1, 2])
    expect(session?.requests).toEqual([
      { end: 2, turnCount: 0, answer: 2 },
      { end: 4, turnCount: 1, answer: 4 },
      { end: 6, turnCount: 2, answer: undefined },
    ])
  })

  test('keep the requests that were logged when others were not', () => {
    const [session] = sessionsIn([SESSION.slice(0, 2), SESSION])
    expect(session?.requests.map(({ end }) => end)).toEqual([2, 6])
  })

  test('are told from separate runs by their beginnings', () => {
    const other = [SYSTEM, user('another task'), call('a'), result('a')]
    const sessions = sessionsIn([SESSION.slice(0, 2), SESSION, other])
    expect(sessions.map(({ origin, conversations }) => [origin, conversations])).toEqual([
      ['log', [0, 1]],
      ['conversation', [2]],
    ])
  })

  test('are not found where a conversation ends with its answer', () => {
    const sessions = sessionsIn([
      [...SESSION.slice(0, 2), answer],
      [...SESSION, answer],
    ])
    expect(sessions.map(({ origin }) => origin)).toEqual(['conversation', 'conversation'])
  })
})
