import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReadError } from '../../problem'
import { anyDocument, parseText } from '../../testing/documents'
import { sentenceThrownBy } from '../../testing/spoken'
import { forAll } from '../../testing/test-size'
import { readDocument } from '../read-document'

test('documents of any shape contain their conversations, with messages at their offsets', () => {
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
    for (const { messages } of conversations) {
      for (const { start, end, role } of messages) {
        expect(JSON.parse(text.slice(start, end))).toMatchObject({ role })
      }
    }
  })
})

test('documents that are cut anywhere are read as lines or refused with an offset', () => {
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

test.each(['', '{"messages":'])('20,000 nested arrays are refused behind %j', (before) => {
  const text = `${before}${'['.repeat(20_000)}`
  expect(sentenceThrownBy(() => readDocument(text))).toMatch('more than 512 levels')
})
