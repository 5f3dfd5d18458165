/** Tests every sample and published transcript; a new one is a file in its folder and needs no change here. */
import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Message } from '../conversation/conversation'
import { turnOf } from '../testing/conversation-of'
import { dumpConversation } from '../testing/dump'
import { expectStableMasking } from '../testing/expect-masked'
import { PUBLISHED_PROBLEMS } from '../testing/published-counts'
import {
  CORPUS_FILES,
  CORPUS_FOLDER,
  HAS_CORPUS,
  readTranscript,
  SAMPLE_FILES,
  STREAM_FILES,
} from '../testing/transcripts'
import { readValueAt } from '../text/embedded-json'
import { FORMATS, readDocument } from './read-document'

test('each format has a sample', () => {
  const samples = SAMPLE_FILES.filter(({ name }) => name.startsWith('formats/'))
  expect(new Set(samples.map(({ format }) => format))).toEqual(new Set(FORMATS.map(({ id }) => id)))
})

test.skipIf(!HAS_CORPUS)(
  'each published file is a transcript, but for the README and the damaged arguments',
  () => {
    const transcripts = CORPUS_FILES.map(({ name, packed }) => packed?.archive ?? name)
    const others = readdirSync(CORPUS_FOLDER, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(CORPUS_FOLDER, join(entry.parentPath, entry.name)))
      .filter((name) => !transcripts.includes(name))
    expect(others.sort()).toEqual(['README.md', 'malformed-json/cases.jsonl'])
  },
)

if (!HAS_CORPUS) {
  test.skip(`published transcripts: there is no ${CORPUS_FOLDER}; CORPUS names another`, () => {})
}

/** One turn, in two formats. */
const GEMINI = {
  contents: [
    { role: 'model', parts: [{ functionCall: { name: 'read', args: {} } }] },
    { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: 'text' } } }] },
  ],
}
const CHAT = { messages: turnOf('a', 'text') }

const FILES = [...SAMPLE_FILES, ...STREAM_FILES, ...CORPUS_FILES].filter(({ format }) =>
  FORMATS.some(({ id }) => id === format),
)

describe.each(FILES)('$name', (file) => {
  const text = readTranscript(file)
  const document = readDocument(text)

  test('is recognised by its shape, and read without problems', () => {
    expect(document.format.id).toBe(file.format)
    expect(document.evidence.marks.length).toBeGreaterThan(0)
    expect(document.problems.map(({ code }) => code)).toEqual(PUBLISHED_PROBLEMS[file.name] ?? [])
    expect(document.conversations.length).toBeGreaterThan(0)
  })

  test('keeps the invariants of the model', () => {
    for (const conversation of document.conversations) {
      const { messages, calls, results, turnCount } = conversation
      const turns = messages.flatMap(({ turn }) => turn ?? [])
      expect(turns).toEqual(Array.from({ length: turnCount }, (_, turn) => turn))
      expect(conversation.messageTexts).toHaveLength(messages.length)
      expect(conversation.resultTexts).toHaveLength(results.length)
      for (const { message, turn } of calls)
        expect(turn ?? messages[message]?.turn).toBe(messages[message]?.turn)
      for (const [index, result] of results.entries()) {
        const { turn, toolName, spans, shape, message, duplicates } = result
        if (turn !== undefined) expect(turn).toBeLessThan(turnCount)
        if (toolName !== undefined) expect(calls.some(({ name }) => name === toolName)).toBe(true)
        const own = spans.slice(0, spans.length - duplicates)
        expect(own.length > 0).toBe(shape !== 'other')
        expect(own.length > 0 || duplicates === 0).toBe(true)
        expect(own[0]?.filler).toBeUndefined()
        const owner = messages[message] as Message
        const pieces = [owner, ...owner.otherSpans]
        const texts = conversation.resultTexts[index] ?? []
        for (const [at, span] of own.entries()) {
          expect(readValueAt(text, span)).toBe(texts[at])
          expect(pieces.some(({ start, end }) => start <= span.start && span.end <= end)).toBe(true)
        }
        for (const span of spans.slice(own.length))
          expect(typeof readValueAt(text, span)).toBe('string')
      }
      for (const { contents, reasoning } of messages) {
        for (const place of [...contents, ...reasoning])
          expect(() => readValueAt(text, place)).not.toThrow()
      }
      for (const { argumentsSpan } of calls) {
        if (argumentsSpan !== undefined) expect(readValueAt(text, argumentsSpan)).toBeDefined()
      }
    }
  })

  test('differs only at the masked strings, and does not change when it is masked again', () => {
    expectStableMasking(text, file.format)
  })

  if (!file.isSample) return

  test('with a request of another format after it, the format that is not read is named with its place', () => {
    if (file.name.endsWith('.har')) return
    const other = JSON.stringify(file.format === 'gemini' ? CHAT : GEMINI)
    const { problems } = readDocument(`${text.trimEnd()}\n${other}\n`)
    const named = problems.find(({ code }) => /^other_|^skipped_message$|^wrong_type$/.test(code))
    expect(named?.offset).toBeDefined()
  })

  test('matches its dump', async () => {
    const dump = document.conversations.map(dumpConversation).join('\n')
    await expect(dump).toMatchFileSnapshot(`./snapshots/${file.name}.txt`)
  })
})
