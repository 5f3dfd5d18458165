import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReadError } from '../../problem'
import { anyDocument, parseText } from '../../testing/documents'
import { forAll } from '../../testing/test-size'
import { readDocument } from '../read-document'

function errorOf(text: string): ReadError {
  try {
    readDocument(text)
  } catch (error) {
    if (error instanceof ReadError) return error
    throw error
  }
  throw new Error('it was read')
}

describe('documents of any shape', () => {
  test('contain their conversations', () => {
    forAll(100, [anyDocument], ({ text, layout, listsOf }) => {
      const { conversations, source } = readDocument(text)
      expect(source.layout).toBe(layout)
      const lists = listsOf(parseText(text, layout))
      const isMessage = (value: unknown) =>
        typeof (value as { role?: unknown } | null)?.role === 'string'
      expect(conversations.map(({ messages }) => messages.map(({ role }) => role))).toEqual(
        lists.map((list) =>
          list.filter(isMessage).map((message) => (message as { role: string }).role),
        ),
      )
    })
  })

  test('have their messages at the given offsets', () => {
    forAll(100, [anyDocument], ({ text }) => {
      for (const { messages } of readDocument(text).conversations) {
        for (const { start, end, role } of messages) {
          expect(JSON.parse(text.slice(start, end))).toMatchObject({ role })
        }
      }
    })
  })

  test('cut anywhere are read as lines or refused with an offset', () => {
    forAll(100, [anyDocument, fc.nat()], ({ text }, at) => {
      const cut = text.slice(0, at % text.length)
      try {
        expect(readDocument(cut).conversations.length).toBeGreaterThan(0)
      } catch (error) {
        expect(error).toBeInstanceOf(ReadError)
        const { offset } = (error as ReadError).problem
        expect(offset).toBeLessThanOrEqual(cut.length)
      }
    })
  })
})

test('20,000 nested arrays are refused', () => {
  expect(errorOf('['.repeat(20_000)).problem.code).toBe('too_deep')
  expect(errorOf(`{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).problem.code).toBe(
    'too_deep',
  )
})
