import { afterEach, expect, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { turnOf } from '@/lib/core/testing/conversation-of'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { inEnglish } from '@/lib/core/words/english'
import { phrase } from '@/lib/core/words/words'
import type { JobMessage, OtherMessage, Question } from './jobs'
import { openInput, openText } from './testing/open-text'
import { spawnInline } from './testing/spawn-inline'
import { createWorkerClient, type SpawnWorker, type WorkerLike } from './worker-client'

const TEXT = JSON.stringify([{ role: 'user', content: 'go' }, ...turnOf('a', 'text of a file')])
const OPEN = openInput(1, TEXT)
const placeholders = (id: number): Question => {
  return { id, name: 'countPlaceholders', input: { document: 1, template: `[${id}]` } }
}
const replayed = { document: 1, session: 0, policy: DEFAULT_POLICY }
const prepare: Question = { id: 1, name: 'prepareReplay', input: replayed }
const crashedTwice = (reason: 'ended_without_error' | 'could_not_be_started') => {
  return { state: 'crashed', message: phrase('twice', { reason: phrase(reason) }) }
}
const wanted = (...questions: readonly Question[]) => ({ shown: 0, questions })

/** The job or the questions of a message. */
function namesIn(message: JobMessage | OtherMessage): string[] {
  if (!('name' in message)) {
    return 'wanted' in message ? message.wanted.questions.map(({ name }) => name) : []
  }
  const { name, input } = message
  return name === 'open' ? [name, ...input.wanted.questions.map((one) => one.name)] : [name]
}

/** Runs the worker's code; a worker that is given a job or question in `deadly` begins it and is never heard of again. */
function setUp(deadly: readonly string[] = [], kill?: (worker: WorkerLike) => void) {
  const reasons: string[] = []
  const asked: string[] = []
  const releases = new Map<string, () => void>()
  const deadlyLeft = [...deadly]
  const workers: { readonly endSilently: () => void; readonly worker: WorkerLike }[] = []
  const spawn: SpawnWorker = (encoding) => {
    const inline = spawnInline(encoding)
    const lock = `worker ${workers.length}`
    let isAlive = true
    let last = 0
    const endSilently = () => {
      isAlive = false
      inline.terminate()
      releases.get(lock)?.()
    }
    const worker: WorkerLike = {
      ...inline,
      terminate: endSilently,
      postMessage: (message) => {
        const names = namesIn(message)
        if (!isAlive || names.length === 0) return
        inline.onmessage = worker.onmessage
        if ('id' in message) last = message.id
        asked.push(...names)
        worker.onmessage?.({ data: { lock } })
        const at = deadlyLeft.findIndex((name) => names.includes(name))
        if (at === -1) return inline.postMessage(message)
        deadlyLeft.splice(at, 1)
        worker.onmessage?.({ data: { id: last, done: 0 } })
        if (kill === undefined) endSilently()
        else kill(worker)
      },
    }
    workers.push({ endSilently, worker })
    return worker
  }
  const client = createWorkerClient(spawn, 'o200k_base', {
    onReplaced: (reason) => reasons.push(inEnglish(reason)),
    whenReleased: (lock) => new Promise((resolve) => releases.set(lock, () => resolve(undefined))),
  })
  return { client, reasons, asked, workers, open: (input = OPEN) => openText(client.run, input) }
}

/** The same once a document is open and counted. */
async function setUpOpen(deadly?: readonly string[]) {
  const all = setUp(deadly)
  const opened = all.open()
  await opened.until('counts')
  return { ...all, ...opened }
}

/** The same with a client that knows what was found in a text. */
function setUpKnown(text = TEXT, encoding: EncodingId = 'o200k_base') {
  const all = setUp()
  all.client.learn({ text, encoding, outputs: { model: 'the model', counts: 'the counts' } })
  return all
}

afterEach(() => void vi.useRealTimers())

test('a job of a worker that ends without an error is done by another one', async () => {
  const { open, reasons, asked, workers } = setUp(['open'])
  await open().until('counts')
  expect(asked).toEqual(['open', 'open'])
  expect(reasons).toEqual(['it ended without an error, as when memory runs out'])
  expect(workers).toHaveLength(2)
})

test('the next worker opens the document again and goes on; what is known is not said again', async () => {
  const { client, asked, until, parts } = await setUpOpen(['prepareReplay'])
  client.want(1, wanted(prepare))
  expect(await until('answer')).toBeDefined()
  expect(asked).toEqual(['open', 'prepareReplay', 'open', 'prepareReplay'])
  expect(parts.map(({ name }) => name)).toEqual(['model', 'counts', 'answer'])
})

test('a worker that ends when it has nothing to do is replaced when something is wanted', async () => {
  const { client, until, reasons, asked, workers } = await setUpOpen()
  workers[0]?.endSilently()
  await new Promise((resolve) => setTimeout(resolve))
  expect([reasons.length, workers.length]).toEqual([1, 1])
  client.want(1, wanted(placeholders(1)))
  expect(await until('answer')).toEqual([[3]])
  expect(asked).toEqual(['open', 'open', 'countPlaceholders'])
})

test('a document is open until another one is read', async () => {
  const { client, open, workers, ...first } = await setUpOpen()
  const broken = open(openInput(2, '{'))
  expect(await broken.outcome).toMatchObject({ state: 'unreadable' })
  client.want(1, wanted(placeholders(1)))
  await first.until('answer')
  workers[0]?.endSilently()
  const second = open(openInput(3, TEXT))
  expect(await first.outcome).toEqual({ state: 'superseded' })
  await second.until('counts')
})

test('a job with which two workers ended is not given to a third; the others are', async () => {
  const deadly = ['prepareReplay', 'prepareReplay']
  const { client, outcome, reasons, workers } = await setUpOpen(deadly)
  client.want(1, wanted(prepare))
  const tried = { text: '{', settings: { milliseconds: 100 } } as never
  const other = client.run('tryRepair', tried)
  expect(await outcome).toEqual(crashedTwice('ended_without_error'))
  expect(await other).toMatchObject({ state: 'done' })
  expect([reasons.length, workers.length]).toEqual([1, 3])
})

test('a worker that cannot be started is started twice', async () => {
  const { open, workers } = setUp(['open', 'open'], ({ onerror }) => onerror?.({}))
  expect(await open().outcome).toEqual(crashedTwice('could_not_be_started'))
  expect(workers).toHaveLength(2)
})

test('a worker that hangs is replaced; one that is busy or has nothing to do is not', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const { open, reasons, workers } = setUp(['open'], () => {})
  const { until } = open()
  for (let minute = 0; minute < 5; minute++) {
    vi.advanceTimersByTime(60_000)
    workers[0]?.worker.onmessage?.({ data: { id: 1, done: 0.1 } })
  }
  expect(reasons).toEqual([])
  vi.advanceTimersByTime(130_000)
  expect(reasons).toEqual(['it gave no sign of life for two minutes'])
  await until('counts')
  vi.advanceTimersByTime(600_000)
  expect(workers).toHaveLength(2)
})

test('a restart ends what is pending and forgets the document', async () => {
  const { client, open, asked } = setUp()
  const { outcome, until } = open()
  await until('model')
  client.restart('cl100k_base')
  expect(await outcome).toEqual({ state: 'superseded' })
  client.want(1, wanted(placeholders(1)))
  expect(asked).toEqual(['open'])
})

test('what is known needs no worker, and the one that starts later opens the document', async () => {
  const { client, open, asked } = setUpKnown()
  const { until, parts } = open()
  expect(await until('model')).toBe('the model')
  // Each part comes in a task of its own.
  expect(parts).toHaveLength(1)
  expect(await until('counts')).toBe('the counts')
  expect(asked).toEqual([])
  client.want(1, wanted(prepare))
  await until('answer')
  expect(asked).toEqual(['open', 'prepareReplay'])
  expect(parts.map(({ name }) => name)).toEqual(['model', 'counts', 'answer'])
  // From here on it does every job: it has to have the document.
  expect(await open(openInput(8, TEXT)).until('model')).toMatchObject({ format: 'openai-chat' })
})

test.each([
  ['o200k_base', `${TEXT} `],
  ['cl100k_base', TEXT],
] as const)('what is known of another text or encoding is not used: %s', async (encoding, text) => {
  const { open } = setUpKnown(text, encoding)
  expect(await open().until('model')).toMatchObject({ format: 'openai-chat' })
})

test('a worker starts soon after a text was opened without one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { open, asked } = setUpKnown()
  await open().until('model')
  expect(asked).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(asked).toEqual(['open'])
})
