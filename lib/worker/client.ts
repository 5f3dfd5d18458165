import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { Job, JobMessage, JobResult, WorkerMessage } from './protocol'

/** The part of a `Worker` that is used; Node and tests bring their own. */
export interface WorkerLike {
  onmessage: ((event: { data: WorkerMessage }) => void) | null
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null
  postMessage: (message: JobMessage) => void
  terminate: () => void
}

export type SpawnWorker = (encoding: EncodingId) => WorkerLike

/** The worker died or its code failed; the next job starts another. */
export class WorkerCrash extends Error {
  override readonly name = 'WorkerCrash'
}

export interface WorkerClient {
  /** Does a job; rejects with a `WorkerCrash` when the worker fails on it. */
  readonly run: (job: Job, onProgress?: (done: number) => void) => Promise<JobResult>
  /** Ends the worker and all it was doing (their results are `superseded`); the next job starts one that counts in `encoding`. */
  readonly restart: (encoding: EncodingId) => void
}

interface Pending {
  readonly resolve: (result: JobResult) => void
  readonly reject: (error: WorkerCrash) => void
  readonly onProgress: ((done: number) => void) | undefined
}

/** One worker at a time, started with the first job and again after a crash. */
export function createWorkerClient(spawn: SpawnWorker, firstEncoding: EncodingId): WorkerClient {
  const pending = new Map<number, Pending>()
  let encoding = firstEncoding
  let worker: WorkerLike | undefined
  let nextId = 1

  const end = (finish: (job: Pending) => void): void => {
    worker?.terminate()
    worker = undefined
    const jobs = [...pending.values()]
    pending.clear()
    for (const job of jobs) finish(job)
  }

  const start = (): WorkerLike => {
    const started = spawn(encoding)
    started.onmessage = ({ data }) => {
      const job = pending.get(data.id)
      if (job === undefined) return
      if (data.state === 'progress') {
        job.onProgress?.(data.done)
        return
      }
      pending.delete(data.id)
      if (data.state === 'done') job.resolve(data.result)
      else job.reject(new WorkerCrash(data.message))
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      const crash = new WorkerCrash(event.message ?? 'The worker could not be started.')
      if (started === worker) end((job) => job.reject(crash))
    }
    return started
  }

  return {
    run: (job, onProgress) =>
      new Promise((resolve, reject) => {
        worker ??= start()
        const id = nextId++
        pending.set(id, { resolve, reject, onProgress })
        worker.postMessage({ id, job })
      }),
    restart: (next) => {
      encoding = next
      end((job) => job.resolve({ kind: 'superseded' }))
    },
  }
}
