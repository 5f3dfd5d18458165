import { afterEach, expect, test, vi } from 'vitest'
import { DEFAULT_POLICY } from '@/lib/core/policy/policy'
import { turnOf } from '@/lib/core/testing/conversation-of'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { inEnglish } from '@/lib/core/words/english'
import { phrase } from '@/lib/core/words/words'
import { createJobRunner } from './job-runner'
import type { JobName } from './jobs'
import { keyOfJob } from './known-answers'
import { spawnInline } from './testing/spawn-inline'
import { createWorkerClient, type SpawnWorker, type WorkerLike } from './worker-client'

const TEXT = JSON.stringify([{ role: 'user', content: 'go' }, ...turnOf('a', 'text of a file')])
const READ = { document: 1, text: TEXT }
const outputs = {
  [keyOfJob({ name: 'read', input: READ })]: 'the model',
  [keyOfJob({ name: 'count', input: { document: 1 } })]: 'the counts',
}
const SESSION = { document: 1, session: 0, policy: DEFAULT_POLICY }

/** Runs the worker's code; a worker that is given a job in `deadly` begins it and is never heard of again. */
function setUp(deadly: readonly JobName[] = [], kill?: (worker: WorkerLike) => void) {
  const reasons: string[] = []
  const asked: string[] = []
  const releases = new Map<string, () => void>()
  const deadlyLeft = [...deadly]
  const workers: {
    readonly endSilently: () => void
    readonly worker: WorkerLike
    readonly deadly: JobName[]
  }[] = []
  const spawn: SpawnWorker = (encoding) => {
    const inline = spawnInline(encoding)
    const lock = `worker ${workers.length}`
    let isAlive = true
    const endSilently = () => {
      isAlive = false
      inline.terminate()
      releases.get(lock)?.()
    }
    const worker: WorkerLike = {
      ...inline,
      terminate: endSilently,
      postMessage: (message) => {
        if (!isAlive || !('name' in message)) return
        inline.onmessage = worker.onmessage
        asked.push(message.name)
        worker.onmessage?.({ data: { lock } })
        const at = deadlyLeft.indexOf(message.name)
        if (at === -1) return inline.postMessage(message)
        deadlyLeft.splice(at, 1)
        worker.onmessage?.({ data: { id: message.id, done: 0 } })
        if (kill === undefined) endSilently()
        else kill(worker)
      },
    }
    workers.push({ endSilently, worker, deadly: deadlyLeft })
    return worker
  }
  const client = createWorkerClient(spawn, 'o200k_base', {
    onReplaced: (reason) => reasons.push(inEnglish(reason)),
    whenReleased: (lock) => new Promise((resolve) => releases.set(lock, () => resolve(undefined))),
  })
  return { client, reasons, asked, workers }
}

afterEach(() => {
  vi.useRealTimers()
})

test('a job of a worker that ends without an error is done by another one', async () => {
  const { client, reasons, asked, workers } = setUp(['read'])
  expect(await client.run('read', READ)).toMatchObject({ state: 'done' })
  expect(asked).toEqual(['read', 'read'])
  expect(reasons).toEqual(['it ended without an error, as when memory runs out'])
  expect(workers).toHaveLength(2)
})

test('the next worker opens and counts the document before it does the jobs about it', async () => {
  const { client, asked } = setUp(['prepareReplay'])
  await client.run('read', READ)
  await client.run('count', { document: 1 })
  expect(await client.run('prepareReplay', SESSION)).toMatchObject({ state: 'done' })
  expect(asked).toEqual(['read', 'count', 'prepareReplay', 'read', 'count', 'prepareReplay'])
})

test('a worker that ends between jobs is replaced when the next job comes', async () => {
  const { client, reasons, asked, workers } = setUp()
  await client.run('read', READ)
  workers[0]?.endSilently()
  await new Promise((resolve) => setTimeout(resolve))
  expect(reasons).toHaveLength(1)
  expect(workers).toHaveLength(1)
  expect(await client.run('count', { document: 1 })).toMatchObject({ state: 'done' })
  expect(asked).toEqual(['read', 'read', 'count'])
})

test('another document is opened without the previous one', async () => {
  const { client, asked, workers } = setUp()
  await client.run('read', READ)
  await client.run('count', { document: 1 })
  workers[0]?.endSilently()
  expect(await client.run('read', { document: 2, text: TEXT })).toMatchObject({ state: 'done' })
  expect(asked).toEqual(['read', 'count', 'read'])
})

test('a job with which two workers ended is not given to a third; the others are', async () => {
  const { client, reasons, workers } = setUp(['count', 'count'])
  await client.run('read', READ)
  const [counted, placeholders] = await Promise.all([
    client.run('count', { document: 1 }),
    client.run('countPlaceholders', { document: 1, template: 'x' }),
  ])
  expect(counted).toEqual({
    state: 'crashed',
    message: phrase('twice', { reason: phrase('ended_without_error') }),
  })
  expect(placeholders).toMatchObject({ state: 'done', output: [[1]] })
  expect(reasons).toHaveLength(1)
  expect(workers).toHaveLength(3)
})

test('a document with which two workers ended is not opened again for other jobs', async () => {
  const { client, workers } = setUp(['prepareReplay'])
  await client.run('read', READ)
  workers[0]?.deadly.push('read', 'read')
  expect(await client.run('prepareReplay', SESSION)).toEqual({ state: 'superseded' })
  expect(workers).toHaveLength(4)
})

test('a worker that cannot be started is started twice', async () => {
  const { client, workers } = setUp(['read', 'read'], ({ onerror }) => onerror?.({}))
  expect(await client.run('read', READ)).toEqual({
    state: 'crashed',
    message: phrase('twice', { reason: phrase('could_not_be_started') }),
  })
  expect(workers).toHaveLength(2)
})

test('a worker that hangs is replaced, one that is busy is not', async () => {
  vi.useFakeTimers()
  const { client, reasons, workers } = setUp(['read'], () => {})
  const outcome = client.run('read', READ)
  for (let minute = 0; minute < 5; minute++) {
    await vi.advanceTimersByTimeAsync(60_000)
    workers[0]?.worker.onmessage?.({ data: { id: 1, done: 0.1 } })
  }
  expect(reasons).toEqual([])
  await vi.advanceTimersByTimeAsync(130_000)
  expect(reasons).toEqual(['it gave no sign of life for two minutes'])
  vi.useRealTimers()
  expect(await outcome).toMatchObject({ state: 'done' })
  expect(workers).toHaveLength(2)
})

test('the model of a long document, which is sent in parts, arrives whole', async () => {
  const messages = Array.from({ length: 3_000 }, (_, at) => ({ role: 'user', content: `${at}` }))
  const text = JSON.stringify({ messages })
  const run = createJobRunner(await loadEncoding('o200k_base'))
  const context = { onProgress: () => {}, pause: () => Promise.resolve() }
  const { client } = setUp()
  expect(await client.run('read', { document: 1, text })).toEqual(
    await run('read', { document: 1, text }, context),
  )
})

test('a restart answers what is pending and forgets the document', async () => {
  const { client, asked } = setUp()
  await client.run('read', READ)
  const pending = client.run('count', { document: 1 })
  client.restart('cl100k_base')
  expect(await pending).toEqual({ state: 'superseded' })
  expect(await client.run('count', { document: 1 })).toEqual({ state: 'superseded' })
  expect(asked).toEqual(['read', 'count', 'count'])
})

test('known answers need no worker, and the one that starts later opens and counts the document', async () => {
  const { client, asked } = setUp()
  client.learn({ text: TEXT, encoding: 'o200k_base', outputs })
  const read = { document: 7, text: TEXT }
  expect(await client.run('read', read)).toEqual({ state: 'done', output: 'the model' })
  const count = { document: 7 }
  expect(await client.run('count', count)).toEqual({ state: 'done', output: 'the counts' })
  expect(asked).toEqual([])
  const session = { ...SESSION, document: 7 }
  expect(await client.run('prepareReplay', session)).toMatchObject({ state: 'done' })
  expect(asked).toEqual(['read', 'count', 'prepareReplay'])
  // From here on it does every job: it has to have the document.
  const again = await client.run('read', { document: 8, text: TEXT })
  expect(again).toMatchObject({ output: { format: 'openai-chat' } })
})

test('answers about another text, document or encoding are not used', async () => {
  for (const [encoding, text] of [
    ['o200k_base', `${TEXT} `],
    ['cl100k_base', TEXT],
  ] as const) {
    const { client } = setUp()
    client.learn({ text, encoding, outputs })
    const read = await client.run('read', READ)
    expect(read).toMatchObject({ output: { format: 'openai-chat' } })
  }
  const { client, asked } = setUp()
  client.learn({ text: TEXT, encoding: 'o200k_base', outputs })
  await client.run('read', READ)
  expect(await client.run('count', { document: 2 })).toEqual({ state: 'superseded' })
  expect(asked).toEqual(['read', 'count'])
})

test('a worker starts soon after a text was read without one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  const { client, asked } = setUp()
  client.learn({ text: TEXT, encoding: 'o200k_base', outputs })
  await client.run('read', READ)
  expect(asked).toEqual([])
  vi.advanceTimersByTime(2_000)
  expect(asked).toEqual(['read'])
})
