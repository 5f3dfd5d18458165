import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readDocument } from '@/lib/core/formats/read-document'
import { anyMessages } from '@/lib/core/testing/chat-messages'
import { forAll, forAllAsync } from '@/lib/core/testing/test-size'
import { countConversation } from '@/lib/core/tokens/count-conversation'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { countForPort, createCountHelpers } from './count-helpers'
import { createJobRunner } from './job-runner'
import type { RunJob } from './jobs'
import { createKnownAnswers, writeAnswers } from './known-answers'
import { openInput, openText } from './testing/open-text'
import { spawnInline } from './testing/spawn-inline'
import { createWorkerClient, type SpawnWorker, type WorkerLike } from './worker-client'

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

test('counts of any document with helpers are those without', async () => {
  const [encoding, other] = await Promise.all([
    loadEncoding('o200k_base'),
    loadEncoding('o200k_base'),
  ])
  // Whether a helper gets a text before the count is done is a matter of time.
  let started = 0
  const startTwo = () => {
    for (let helper = 0; helper < 2; helper++) {
      const { port1, port2 } = new MessageChannel()
      countForPort(port1, other)
      helpers.add(port2)
      started++
    }
  }
  const helpers = createCountHelpers(encoding, startTwo, 0)
  const runner = createJobRunner(encoding, helpers)
  const run: RunJob = (name, input, listener) =>
    runner.run(name, input, { onProgress: () => {}, pause, ...listener })
  let document = 0
  await forAllAsync(
    5,
    [anyMessages, fc.stringMatching(/^[a-z é漢]{70,90}$/)],
    async (messages, text) => {
      const long = Array.from({ length: 9 }, (_, at) => {
        return { role: 'user', content: `${at} ${text.repeat(400)}` }
      })
      const transcript = JSON.stringify([...messages, ...long])
      const { until } = openText(run, openInput(++document, transcript))
      const counts = await until('counts')
      const { conversations } = readDocument(transcript)
      expect(counts).toEqual(conversations.map((one) => countConversation(one, other.countTokens)))
    },
    { endOnFailure: true },
  )
  expect(started).toBeGreaterThan(0)
})

test('a helper does not hold the texts that it has counted', async () => {
  const encoding = await loadEncoding('o200k_base')
  const { port1, port2 } = new MessageChannel()
  countForPort(port1, encoding)
  const count = (text: string): Promise<readonly number[]> =>
    new Promise((resolve) => {
      port2.onmessage = ({ data }) => resolve(data)
      port2.postMessage([text])
    })
  for (const text of ['the first text', 'the second text', 'the third text']) {
    expect(await count(text)).toEqual([encoding.countTokens(text)])
  }
  await pause()
  expect(encoding.isKnown('the first text')).toBe(false)
  port2.close()
})

test('a long document starts helpers, which end with the count; a short one and an edit do not', async () => {
  const running = new Set<object>()
  const spawn: SpawnWorker = (encoding) => {
    const worker = spawnInline(encoding)
    const { terminate } = worker
    running.add(worker)
    worker.terminate = () => {
      running.delete(worker)
      terminate()
    }
    return worker
  }
  const client = createWorkerClient(spawn, 'o200k_base', { helpers: 2 })
  let document = 0
  const mostRunning = async (contents: readonly string[]) => {
    let most = 0
    const text = JSON.stringify(contents.map((content) => ({ role: 'user', content })))
    const { until } = openText(client.run, openInput(++document, text), () => {
      most = Math.max(most, running.size)
    })
    await until('counts')
    expect(running.size).toBe(1)
    return most
  }
  const contents = Array.from({ length: 20 }, (_, at) => `${at}${'12 passed\n'.repeat(30_000)}`)
  expect(await mostRunning(contents.slice(0, 3))).toBe(1)
  expect(await mostRunning(contents)).toBe(3)
  expect(await mostRunning(['edited', ...contents])).toBe(1)
})

test.each([
  { dies: 'the worker that is helped', workers: 4 },
  { dies: 'a helper', workers: 2 },
])(
  '$dies ends without a word while it counts: every text is counted',
  async ({ dies, workers }) => {
    const releases: (() => void)[] = []
    const running = new Set<WorkerLike>()
    let spawned = 0
    let isKilled = false
    const spawn: SpawnWorker = (encoding) => {
      const inline = spawnInline(encoding)
      const at = spawned++
      const worker: WorkerLike = {
        ...inline,
        terminate: () => {
          inline.terminate()
          running.delete(worker)
          releases[at]?.()
        },
        postMessage: (message, transfer) => {
          inline.onmessage = worker.onmessage
          if ('countFor' in message && dies === 'a helper') return worker.terminate()
          if ('name' in message) worker.onmessage?.({ data: { lock: `${at}` } })
          inline.postMessage(message, transfer)
        },
      }
      running.add(worker)
      return worker
    }
    const client = createWorkerClient(spawn, 'o200k_base', {
      helpers: 1,
      whenReleased: (lock) =>
        new Promise((resolve) => {
          releases[Number(lock)] = () => resolve(undefined)
        }),
    })
    const contents = Array.from({ length: 15 }, (_, at) => `${at}${'34 failed\n'.repeat(30_000)}`)
    const text = JSON.stringify(contents.map((content) => ({ role: 'user', content })))
    const { until } = openText(client.run, openInput(1, text), () => {
      const [first, helper] = running
      if (isKilled || helper === undefined) return
      isKilled = true
      first?.terminate()
    })
    const { countTokens } = await loadEncoding('o200k_base')
    expect(await until('counts')).toEqual(
      readDocument(text).conversations.map((one) => countConversation(one, countTokens)),
    )
    expect(spawned).toBe(workers)
    expect(running.size).toBe(1)
  },
)

// JSON has no -0, which equals 0: adding 0 leaves it out.
test('an output is the same after it was written and read, whatever its numbers and arrays', () => {
  const number = fc.oneof(
    fc.double().map((value) => value + 0),
    fc.integer(),
  )
  const { output } = fc.letrec((tie) => ({
    output: fc.oneof(
      { maxDepth: 4 },
      number,
      fc.string(),
      fc.boolean(),
      fc.constant(null),
      fc.float64Array({ maxLength: 5 }).map((floats) => floats.map((value) => value + 0)),
      fc.array(tie('output'), { maxLength: 4 }),
      fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), tie('output'), { maxKeys: 4 }),
    ),
  }))
  forAll(200, [output], (value) => {
    const outputs = { model: value, counts: value }
    const known = createKnownAnswers()
    known.learn(JSON.parse(writeAnswers({ text: 'the text', encoding: 'o200k_base', outputs })))
    const parts = known.find(openInput(1, 'the text'), 'o200k_base')
    expect(parts?.map(({ output }) => output)).toEqual([value, value])
  })
})
