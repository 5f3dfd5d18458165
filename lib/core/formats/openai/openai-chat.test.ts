import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ReadError } from '../../problem'
import { anyDocument, parseText } from '../../testing/documents'
import { fuzz } from '../../testing/test-size'
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
    fc.assert(
      fc.property(anyDocument, ({ text, layout, listsOf }) => {
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
      }),
      fuzz(100),
    )
  })

  test('have their messages at the given offsets', () => {
    fc.assert(
      fc.property(anyDocument, ({ text }) => {
        for (const { messages } of readDocument(text).conversations) {
          for (const { start, end, role } of messages) {
            expect(JSON.parse(text.slice(start, end))).toMatchObject({ role })
          }
        }
      }),
      fuzz(100),
    )
  })

  test('cut anywhere are read as lines or refused with an offset', () => {
    fc.assert(
      fc.property(anyDocument, fc.nat(), ({ text }, at) => {
        const cut = text.slice(0, at % text.length)
        try {
          expect(readDocument(cut).conversations.length).toBeGreaterThan(0)
        } catch (error) {
          expect(error).toBeInstanceOf(ReadError)
          const { offset } = (error as ReadError).problem
          expect(offset).toBeLessThanOrEqual(cut.length)
        }
      }),
      fuzz(100),
    )
  })
})

test('20,000 nested arrays are refused', () => {
  expect(errorOf('['.repeat(20_000)).problem.code).toBe('too_deep')
  expect(errorOf(`{"messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}`).problem.code).toBe(
    'too_deep',
  )
})
