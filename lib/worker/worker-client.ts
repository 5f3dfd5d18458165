/** The page's side of the worker: starts it, sends it jobs, matches the answers, restarts it after a crash. */
import type { EncodingId } from '@/lib/core/tokens/encoding'
import type { JobMessage, JobName, Jobs, Outcome, RunJob, WorkerMessage } from './jobs'

/** The part of `Worker` that is used; tests provide their own. */
export interface WorkerLike {
  onmessage: ((event: { data: WorkerMessage }) => void) | null
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null
  postMessage: (message: JobMessage) => void
  terminate: () => void
}

export type SpawnWorker = (encoding: EncodingId) => WorkerLike

/** Starts the browser's worker, in a built page from a `blob:` URL (`scripts/first-script.mjs`). Its name is the encoding it counts in. */
export const spawnWorker: SpawnWorker = (encoding) =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: encoding,
  }) as unknown as WorkerLike

export interface WorkerClient {
  readonly run: RunJob
  /** Ends the worker; pending jobs are `superseded`. The next job starts a worker for `encoding`. */
  readonly restart: (encoding: EncodingId) => void
}

interface PendingJob {
  readonly resolve: (outcome: Outcome<JobName>) => void
  readonly onProgress: ((done: number) => void) | undefined
}

/** Starts one worker with the first job, and another after a crash, which ends all pending jobs as `crashed`. */
export function createWorkerClient(spawn: SpawnWorker, firstEncoding: EncodingId): WorkerClient {
  const pending = new Map<number, PendingJob>()
  let encoding = firstEncoding
  let worker: WorkerLike | undefined
  let nextId = 1

  const end = (outcome: Outcome<JobName>): void => {
    worker?.terminate()
    worker = undefined
    const jobs = [...pending.values()]
    pending.clear()
    for (const { resolve } of jobs) resolve(outcome)
  }

  const start = (): WorkerLike => {
    const started = spawn(encoding)
    started.onmessage = ({ data }) => {
      const job = pending.get(data.id)
      if ('done' in data) job?.onProgress?.(data.done)
      else {
        pending.delete(data.id)
        job?.resolve(data.outcome)
      }
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      const message = event.message ?? 'The worker could not be started.'
      if (started === worker) end({ state: 'crashed', message })
    }
    return started
  }

  return {
    run: <Name extends JobName>(
      name: Name,
      input: Jobs[Name]['input'],
      onProgress?: (done: number) => void,
    ) =>
      new Promise<Outcome<Name>>((resolve) => {
        worker ??= start()
        const id = nextId++
        // The worker answers a job by its id, so its outcome is that of its name.
        pending.set(id, { resolve: resolve as PendingJob['resolve'], onProgress })
        worker.postMessage({ id, name, input } as JobMessage)
      }),
    restart: (next) => {
      encoding = next
      end({ state: 'superseded' })
    },
  }
}
