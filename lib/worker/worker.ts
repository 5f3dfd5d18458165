/** The worker's body. Nothing a user pastes leaves it: the ways out are removed before it sees any text. */
import { type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import type { JobMessage, WorkerMessage } from './protocol'
import { removeNetwork } from './remove-network'
import { createJobRunner } from './run-jobs'

const scope = self as unknown as {
  readonly name: string
  onmessage: ((event: { data: JobMessage }) => void) | null
  postMessage: (message: WorkerMessage) => void
}

const SMALLEST_PROGRESS = 0.01

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

async function start() {
  const encoding = await loadEncoding(scope.name as EncodingId)
  removeNetwork(self)
  return createJobRunner(encoding)
}

const started = start()

scope.onmessage = async ({ data: { id, job } }) => {
  try {
    const runJob = await started
    let told = 0
    const onProgress = (done: number) => {
      // A long file of short lines would send a message for each.
      if (done - told < SMALLEST_PROGRESS) return
      told = done
      scope.postMessage({ id, state: 'progress', done })
    }
    const result = await runJob(job, { onProgress, pause })
    scope.postMessage({ id, state: 'done', result })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    scope.postMessage({ id, state: 'crashed', message })
  }
}
