import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { anyMessages } from '../core/testing/chat-messages'
import { forAll } from '../core/testing/test-size'
import { isJsonObject, type JsonObject } from '../core/text/json'
import { readRequest } from './mask-request'
import { createRequestReader, readBytes } from './read-grown-request'

const LISTS = {
  'openai-chat': 'messages',
  'openai-responses': 'input',
  'anthropic-messages': 'messages',
  gemini: 'contents',
  'bedrock-converse': 'messages',
} as const

const bodyOf = (format: keyof typeof LISTS): Record<string, unknown> =>
  JSON.parse(
    readFileSync(
      new URL(`../../public/samples/formats/${format}/request-body.json`, import.meta.url),
      'utf8',
    ),
  )

const isModels = ({ role, type }: JsonObject) =>
  ['assistant', 'model'].includes(String(role)) || type === 'function_call'

/** What a client changes in a request besides its end. */
const CHANGES: Readonly<Record<string, (list: JsonObject[]) => JsonObject[]>> = {
  nothing: (list) => list,
  'a mark on the last message': (list) =>
    list.map((one, at) => (at === list.length - 1 ? { ...one, cache_control: {} } : one)),
  'signed thinking in the last answer': (list) => {
    const last = list.findLastIndex((one) => isModels(one) && Array.isArray(one.content))
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'abc' }
    return list.map((one, at) =>
      at === last ? { ...one, content: [thinking, ...(one.content as object[])] } : one,
    )
  },
  'the first messages are gone': (list) => list.slice(4),
  'the calls of the first turn come again': (list) => [...list, ...list.slice(0, 6)],
  'a message in the middle is another': (list) =>
    list.map((one, at) => (at === list.length >> 1 ? { role: 'user', content: 'other' } : one)),
  'the last results are missing': (list) => list.slice(0, list.findLastIndex(isModels) + 1),
  'the last message is no message': (list) => [...list.slice(0, -1), {}],
}

const anyRequest = fc.record({
  share: fc.double({ min: 0.1, max: 1, noNaN: true }),
  change: fc.constantFrom('nothing', ...Object.keys(CHANGES)),
  isListFirst: fc.boolean(),
  isAscii: fc.boolean(),
  model: fc.constantFrom('claude-opus-5-5', 'claude-opus-5-5', 'claude-opus-5-5', 'gpt-5.1'),
})

/** The body is read without the items that were read before; nothing asks for them. */
function expectSame(reader: typeof readBytes, text: string): void {
  const bytes = Buffer.from(text)
  const outcomeOf = (read: typeof readBytes) => {
    try {
      const found = read(bytes)
      return found && { ...found, body: Object.keys(found.body) }
    } catch (error) {
      return error
    }
  }
  expect(outcomeOf(reader)).toEqual(outcomeOf(readBytes))
}

describe.each(Object.entries(LISTS))('a reader of growing requests of %s', (format, name) => {
  const body = bodyOf(format as keyof typeof LISTS)
  const list = body[name] as JsonObject[]
  const textOf = (items: readonly unknown[]) => JSON.stringify({ ...body, [name]: items })

  test('reads every request as one that knows none before', () => {
    forAll(50, [fc.array(anyRequest, { minLength: 2, maxLength: 6 })], (requests) => {
      const reader = createRequestReader()
      for (const { share, change, isListFirst, isAscii, model } of requests) {
        const items = CHANGES[change]?.(list.slice(0, Math.ceil(list.length * share))) ?? []
        const { [name]: _, ...others } = body
        const named = { ...others, model }
        const made = isListFirst ? { [name]: items, ...named } : { ...named, [name]: items }
        const text = JSON.stringify(made)
        expectSame(reader, isAscii ? text : text.replaceAll(' the ', ' thé 😀 '))
      }
    })
  })

  test('keeps what it read when a request grows', () => {
    const reader = createRequestReader()
    let before = 0
    let kept = 0
    const ends = [...list.keys()].filter((at) => isModels(list[at] as JsonObject))
    let seen: ReadonlySet<unknown> = new Set()
    for (const end of ends) {
      const text = textOf(list.slice(0, end))
      expectSame(reader, text)
      const texts = reader(Buffer.from(text))?.conversation.messageTexts ?? []
      kept += texts.filter((one) => seen.has(one)).length
      before += seen.size
      seen = new Set(texts)
    }
    expect(before).toBeGreaterThan(50)
    // All but the system prompt and, where what is added can belong to it, the last turn.
    const readAgain = format === 'openai-responses' ? 4 : 1
    expect(kept).toBeGreaterThanOrEqual(before - ends.length * readAgain)
  })
})

test('the places of a body are in bytes', () => {
  const spansOf = (read: ReturnType<typeof readRequest>) => {
    const { messages, calls, results } = read?.conversation ?? expect.fail()
    const list = { start: read?.starts[0] ?? 0, end: read?.end ?? 0 }
    const parts = [
      ...messages.flatMap(({ contents, reasoning, otherSpans, ...message }) => [
        ...[message, ...contents, ...reasoning, ...otherSpans],
      ]),
      ...calls.flatMap(({ argumentsSpan }) => argumentsSpan ?? []),
      ...results.flatMap(({ spans, valueSpan }) => [...spans, ...(valueSpan ? [valueSpan] : [])]),
    ]
    return [list, ...parts]
  }
  for (const format of Object.keys(LISTS)) {
    const body = JSON.stringify(bodyOf(format as keyof typeof LISTS))
    const text = `\u{feff}${body.replaceAll(' the ', ' thé 😀 ')}`
    const bytes = Buffer.from(text)
    expect(bytes.length).toBeGreaterThan(text.length + 2)
    expect(
      spansOf(readBytes(bytes)).map(({ start, end }) => bytes.toString('utf8', start, end)),
    ).toEqual(spansOf(readRequest(text)).map(({ start, end }) => text.slice(start, end)))
  }
})

test('any messages are read as by a reader that knows none before', () => {
  forAll(100, [anyMessages, fc.array(fc.nat(40), { minLength: 2 })], (messages, ends) => {
    const reader = createRequestReader(20_000)
    for (const end of ends) {
      const items = messages.slice(0, end).filter(isJsonObject)
      expectSame(reader, JSON.stringify({ messages: items, tools: [] }))
    }
  })
})
