/** Opens the sample of a first visit as the page does, and records the answers to the jobs that it gives its worker. */
import { setTimeout } from 'node:timers/promises'
import { loadEncoding } from '@/lib/core/tokens/encoding'
import { familyOf } from '@/lib/state/costs/chosen-model'
import type { FetchText } from '@/lib/state/files/samples'
import { startPlayground } from '@/lib/state/link/start-playground'
import { createPlayground } from '@/lib/state/playground'
import { sweepOf } from '@/lib/state/policy/policy-view'
import { createJobRunner } from '@/lib/worker/job-runner'
import type { JobMessage } from '@/lib/worker/jobs'
import { type KnownAnswers, keyOfJob } from '@/lib/worker/known-answers'
import type { SpawnWorker, WorkerLike } from '@/lib/worker/worker-client'

const MILLISECONDS_WITHOUT_JOB = 300
const MOST_MILLISECONDS = 120_000

/** `fetchText` reads a file of the site. Throws if the figures of the sample are not there after two minutes. */
export async function recordAnswers(fetchText: FetchText): Promise<KnownAnswers> {
  const outputs: Record<string, unknown> = {}
  let running = 0
  let last = performance.now()

  const record = (message: JobMessage, output: unknown) => {
    if (message.name !== 'analyse') outputs[keyOfJob(message)] = output
    else
      for (const [at, question] of message.input.questions.entries())
        outputs[keyOfJob(question)] = (output as readonly unknown[])[at]
  }

  const spawn: SpawnWorker = (id) => {
    const runner = loadEncoding(id).then((encoding) => createJobRunner(encoding))
    const worker: WorkerLike = {
      onmessage: null,
      onerror: null,
      terminate: () => {},
      postMessage: async (message) => {
        if (!('name' in message)) return
        running++
        const run = await runner
        const context = { onProgress: () => {}, onPart: () => {}, pause: () => setTimeout() }
        const outcome = await run(message.name, message.input, context)
        if (outcome.state === 'done') record(message, outcome.output)
        worker.onmessage?.({ data: { id: message.id, outcome } })
        running--
        last = performance.now()
      },
    }
    return worker
  }

  const playground = createPlayground(spawn)
  const { getState } = playground.store
  await startPlayground(playground, '', fetchText, async () => ({
    isResumed: false,
    isKnownAddress: false,
  }))
  // The sweep is the last job of the figures, and needs the price list, which loads by itself.
  const isDone = () => sweepOf(getState()) !== undefined && running === 0
  const began = performance.now()
  while (!isDone() || performance.now() - last < MILLISECONDS_WITHOUT_JOB) {
    await setTimeout(20)
    if (performance.now() - began > MOST_MILLISECONDS)
      throw new Error('The first sample still has no figures after two minutes.')
  }
  return { text: getState().source.text, encoding: familyOf(getState()).encoding, outputs }
}
