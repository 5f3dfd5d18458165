import { expect, test } from 'vitest'
import { readDocument } from '../read-document'

const openingOf = (...messages: object[]) =>
  readDocument(JSON.stringify({ messages })).conversations[0]?.opening
const user = (content: unknown) => ({ role: 'user', content })
const CONTEXT = '<environment_context>\n<cwd>/tmp</cwd>\n</environment_context>'

test('a conversation is named by its first question, not by what a client puts before it', () => {
  expect(openingOf({ role: 'system', content: 'rules' }, user('one\n two'))).toBe('one two')
  expect(openingOf(user(CONTEXT), user('Read it.'), user('more'))).toBe('Read it.')
  const parts = [CONTEXT, 'Read it.'].map((text) => ({ type: 'text', text }))
  expect(openingOf(user(parts))).toBe('Read it.')
})

test('where there is nothing else, it is named by that, and a later question does not name it', () => {
  const answer = { role: 'assistant', content: 'Yes.' }
  expect(openingOf(user(CONTEXT), answer, user('Go on.'))).toMatch(/^<environment_context> <cwd>/)
  expect(openingOf(user('<task>Read it.</task>'))).toBe('<task>Read it.</task>')
  expect(openingOf({ role: 'system', content: 'rules' })).toBe('rules')
})
