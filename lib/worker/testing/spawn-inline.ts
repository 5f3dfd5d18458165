import { type Encoding, type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createJobRunner } from '../job-runner'
import type { JobMessage, JobName, WorkerMessage } from '../jobs'
import type { SpawnWorker, WorkerLike } from '../worker-client'

/** Loading one takes a second on a busy machine. */
const encodings = new Map<EncodingId, Promise<Encoding>>()

function encodingOf(id: EncodingId): Promise<Encoding> {
  const encoding = encodings.get(id) ?? loadEncoding(id)
  encodings.set(id, encoding)
  return encoding
}

/** Runs the worker's code without a thread, for Node; messages are cloned as in a browser. */
export const spawnInline: SpawnWorker = (encodingId) => {
  const started = encodingOf(encodingId).then(createJobRunner)
  let isEnded = false
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {
      isEnded = true
    },
    postMessage: (message) => void handle(structuredClone(message)),
  }
  const answer = (data: WorkerMessage) => {
    if (!isEnded) worker.onmessage?.({ data: structuredClone(data) })
  }
  const handle = async <Name extends JobName>({ id, name, input }: JobMessage<Name>) => {
    try {
      const runJob = await started
      answer({ id, done: 0 })
      const outcome = await runJob(name, input, {
        onProgress: (done) => answer({ id, done }),
        pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
      })
      answer({ id, outcome })
    } catch (error) {
      answer({ id, outcome: { state: 'crashed', message: String(error) } })
    }
  }
  return worker
}
