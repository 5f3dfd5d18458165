import { appendFileSync, mkdtempSync, openAsBlob, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { FORMATS } from '@/lib/core/formats/read-document'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { DEFAULT_ADVICE } from '@/lib/core/replay/recommend'
import { forAll } from '@/lib/core/testing/test-size'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { describeProblem } from '@/lib/core/words/english'
import { createMessageReceiver } from './answer-messages'
import { createJobRunner } from './job-runner'
import type { Part, RunJob } from './jobs'
import { joinPart, partsOf } from './output-parts'
import { openInput, openText } from './testing/open-text'
import { createWorkerClient, type WorkerLike } from './worker-client'

const CONTEXT = { onProgress: () => {}, pause: () => Promise.resolve() }
const TEXT = '[{"role":"user","content":"hello"}]'

const ENCODING = loadEncoding('o200k_base')

/** A runner that also lists the texts it counts. */
async function setUp() {
  const encoding = await ENCODING
  const counted: string[] = []
  const countTokens = (text: string) => {
    if (!encoding.isKnown(text)) counted.push(text)
    return encoding.countTokens(text)
  }
  const runner = createJobRunner({ ...encoding, countTokens })
  const run: RunJob = (name, input, listener) =>
    runner.run(name, input, { ...CONTEXT, ...listener })
  return { run, want: runner.want, counted }
}

const user = (content: string) => ({ role: 'user', content })

test('the conversation shown is counted and sent before the others, also one that is chosen meanwhile', async () => {
  const { run, want, counted } = await setUp()
  const lines = ['first', 'second', 'third', 'fourth'].map((text) =>
    JSON.stringify({ messages: [user(text)] }),
  )
  const parts: Part[] = []
  const counts = await new Promise<readonly unknown[]>((resolve) => {
    const onPart = (part: Part) => {
      parts.push(part)
      if (part.name === 'shown' && part.at === 1) want(1, { shown: 3, questions: [] })
      if (part.name === 'counts') resolve(part.output)
    }
    void run('open', openInput(1, lines.join('\n'), 1), { onPart })
  })
  const contents = counted.filter((text) => /^(first|second|third|fourth)$/.test(text))
  expect(contents).toEqual(['second', 'first', 'fourth', 'third'])
  const shown = parts.filter(({ name }) => name === 'shown')
  expect(shown).toMatchObject([1, 3].map((at) => ({ at, output: counts[at] })))
})

test('after an edit only the text that changed is counted', async () => {
  const { run, counted } = await setUp()
  const read = (document: number, contents: readonly string[]) =>
    openText(run, openInput(document, JSON.stringify(contents.map(user)))).until('counts')
  await read(1, ['one', 'two', 'three'])
  counted.length = 0
  await read(2, ['one', 'two and more', 'three'])
  expect(counted).toEqual(['two and more'])
})

describe('a reader that throws', () => {
  test('gives a problem in the words of this project, for the open text and for a listed file', async () => {
    const { run } = await setUp()
    const [format] = FORMATS
    if (format === undefined) throw new Error('There are no formats.')
    const recognise = vi.spyOn(format, 'recognise').mockImplementation(() => {
      throw new TypeError('Cannot convert object to primitive value')
    })
    const outcomes = [
      await run('open', openInput(1, TEXT)),
      await run('measureFile', {
        file: 1,
        name: 'a.json',
        advice: DEFAULT_ADVICE,
        costs: undefined,
        bytes: new TextEncoder().encode(TEXT),
        model: undefined,
        policy: DEFAULT_POLICY,
      }),
    ]
    recognise.mockRestore()
    for (const outcome of outcomes) {
      if (outcome.state !== 'unreadable') throw new Error(`The outcome is ${outcome.state}.`)
      expect(outcome.problem.code).toBe('reader_failed')
      const sentence = describeProblem(outcome.problem)
      expect(sentence).toMatch(/^This program failed while it read the text\./)
    }
    expect(await openText(run, openInput(2, TEXT)).until('model')).toBeDefined()
  })
})

const BODY = JSON.stringify({ messages: [{ role: 'user', content: 'wörds' }] })
const LINES = `${BODY}\n`.repeat(3)

const path = join(mkdtempSync(join(tmpdir(), 'open-file-')), 'lines.jsonl')
writeFileSync(path, LINES)
const file = await openAsBlob(path)
const encoding = loadEncoding('o200k_base')
/** Node cannot clone a file, as `spawnInline` does. */
const sent: unknown[] = []
const client = createWorkerClient(() => {
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {},
    postMessage: (message) => {
      sent.push(message)
      void receive(message)
    },
  }
  const receive = createMessageReceiver(encoding, (data) => worker.onmessage?.({ data }))
  return worker
}, 'o200k_base')

test('the worker gets a file without its text, and the text once the file has changed', async () => {
  const read = (document: number) =>
    openText(client.run, { ...openInput(document, LINES), file }).until('model')
  const opened = await read(1)
  expect(opened).toMatchObject({ layout: 'jsonl' })
  expect(sent).toMatchObject([{ input: { text: '' } }])
  appendFileSync(path, LINES)
  expect(await read(2)).toEqual(opened)
  expect(sent.slice(1)).toMatchObject([
    { input: { text: '' } },
    { input: { text: LINES, file: undefined } },
  ])
})

test('a newer document ends the reading of a file', async () => {
  const long = new Blob([LINES.repeat(20_000)])
  const first = openText(client.run, { ...openInput(3, ''), file: long })
  const second = openText(client.run, openInput(4, BODY))
  expect(await first.outcome).toMatchObject({ state: 'superseded' })
  expect(await second.until('model')).toBeDefined()
})

test('any output sent in parts of any size is the output', () => {
  forAll(300, [fc.jsonValue(), fc.integer({ min: 1, max: 30 })], (given, size) => {
    const value: unknown = JSON.parse(JSON.stringify(given))
    const parts = structuredClone([...partsOf(value, size)])
    expect(parts.reduce<unknown>(joinPart, undefined)).toEqual(value)
  })
})

test('no part of a long list is much larger than the others', () => {
  const messages = Array.from({ length: 1_000 }, (_, at) => ({ at, places: [at, at + 1] }))
  const output = { format: 'x', conversations: [{ messages, results: messages }, { messages }] }
  const sizes = [...partsOf(output, 500)].map((part) => JSON.stringify(part).length)
  expect(sizes.length).toBeGreaterThan(15)
  expect(Math.max(...sizes)).toBeLessThan(6_000)
})
