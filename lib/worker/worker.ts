/** The worker's entry point. It removes every way to the network before it sees any text. */
import { type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createJobRunner } from './job-runner'
import type { JobMessage, JobName, WorkerMessage } from './jobs'
import { removeNetwork } from './remove-network'

const scope = self as unknown as {
  readonly name: string
  onmessage: ((event: { data: JobMessage }) => void) | null
  postMessage: (message: WorkerMessage) => void
}

const SMALLEST_PROGRESS = 0.01
const MILLISECONDS_BETWEEN_SIGNS = 1_000

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))

/** Code cannot be loaded without the network, so the encoding is loaded first and stays fixed. */
async function start() {
  const encoding = await loadEncoding(scope.name as EncodingId)
  removeNetwork(self)
  return createJobRunner(encoding)
}

/** Holds a lock as long as this worker lives. The browser releases it when the worker ends, with or without an error. */
function holdLock(): void {
  // Browsers have locks on secure origins only; elsewhere the page notices that the worker is silent.
  if (navigator.locks === undefined) return
  const lock = `worker ${crypto.randomUUID()}`
  void navigator.locks.request(lock, () => {
    scope.postMessage({ lock })
    return new Promise(() => {})
  })
}

holdLock()
const started = start()

async function handle<Name extends JobName>({ id, name, input }: JobMessage<Name>): Promise<void> {
  try {
    const runJob = await started
    scope.postMessage({ id, done: 0 })
    let reported = 0
    let reportedAt = performance.now()
    const onProgress = (done: number) => {
      // A long file of short lines would send a message for each.
      const now = performance.now()
      const isSilent = now - reportedAt > MILLISECONDS_BETWEEN_SIGNS
      if (done - reported < SMALLEST_PROGRESS && !isSilent) return
      reported = done
      reportedAt = now
      scope.postMessage({ id, done })
    }
    scope.postMessage({ id, outcome: await runJob(name, input, { onProgress, pause }) })
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    scope.postMessage({ id, outcome: { state: 'crashed', message } })
  }
}

scope.onmessage = ({ data }) => void handle(data)
