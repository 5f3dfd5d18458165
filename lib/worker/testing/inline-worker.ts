import { loadEncoding } from '@/lib/core/tokens/encoding'
import type { SpawnWorker, WorkerLike } from '../client'
import type { JobMessage } from '../protocol'
import { createJobRunner } from '../run-jobs'

/** The worker's own code without a thread, for Node; messages are cloned as a browser would. */
export const spawnInline: SpawnWorker = (encodingId) => {
  const started = loadEncoding(encodingId).then(createJobRunner)
  let isEnded = false
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {
      isEnded = true
    },
    postMessage: (message) => {
      const { id, job } = structuredClone(message) as JobMessage
      void work(id, job)
    },
  }
  const answer = (data: Parameters<NonNullable<WorkerLike['onmessage']>>[0]['data']) => {
    if (!isEnded) worker.onmessage?.({ data: structuredClone(data) })
  }
  const work = async (id: number, job: JobMessage['job']) => {
    try {
      const runJob = await started
      const result = await runJob(job, {
        onProgress: (done) => answer({ id, state: 'progress', done }),
        pause: () => new Promise((resolve) => setTimeout(resolve, 0)),
      })
      answer({ id, state: 'done', result })
    } catch (error) {
      answer({ id, state: 'crashed', message: String(error) })
    }
  }
  return worker
}
