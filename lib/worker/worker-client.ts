/** The page's side of the worker: starts it, sends it jobs, matches the answers, replaces it when it ends. */

import type { EncodingId } from '@/lib/core/tokens/encoding'
import { phrase, type Words } from '@/lib/core/words/words'
import type {
  JobMessage,
  JobName,
  Jobs,
  OnProgress,
  Outcome,
  PortMessage,
  RunJob,
  WorkerMessage,
} from './jobs'
import { createKnownAnswers, type KnownAnswers } from './known-answers'
import { joinPart } from './output-parts'

/** The part of `Worker` that is used; tests provide their own. */
export interface WorkerLike {
  onmessage: ((event: { data: WorkerMessage }) => void) | null
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null
  postMessage: (message: JobMessage | PortMessage, transfer?: MessagePort[]) => void
  terminate: () => void
}

export type SpawnWorker = (encoding: EncodingId, also?: 'parquet') => WorkerLike

/** Starts the browser's worker, in a built page from a `blob:` URL (`scripts/first-script.mjs`). Its name is the encoding it counts in, and what else it loads. */
export const spawnWorker: SpawnWorker = (encoding, also) =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: also === undefined ? encoding : `${encoding} ${also}`,
  }) as unknown as WorkerLike

export interface WorkerClient {
  readonly run: RunJob
  /** Ends the worker; pending jobs are `superseded`. The next job starts a worker for `encoding`. */
  readonly restart: (encoding: EncodingId) => void
  /** Answers these jobs without a worker, until one is started. */
  readonly learn: (answers: KnownAnswers) => void
}

export interface WorkerWatch {
  /** Receives the reason when a worker ended and its jobs were given to another one. */
  readonly onReplaced?: (reason: Words) => void
  /** Resolves once the browser has released a worker's lock, which it does when the worker ends. */
  readonly whenReleased?: (lock: string) => Promise<unknown>
  /** Workers that help to count a long document; they end with the count. */
  readonly helpers?: number
}

interface PendingJob {
  message: JobMessage
  readonly resolve: (outcome: Outcome<JobName>) => void
  readonly onProgress: OnProgress<JobName> | undefined
  /** True for a job that another worker has done and that this one needs to do the others. */
  readonly isRestoring: boolean
  state: 'waiting' | 'sent' | 'started'
  /** What the parts of its output made so far. */
  output: unknown
  /** Workers that ended while they did this job. */
  ends: number
}

/** A job is not given to a third worker. */
const MOST_ENDS = 2

/** A worker with jobs that sends nothing for this long hangs. Ticks are counted, since a machine may sleep. */
const SILENT_TICKS = 24
const MILLISECONDS_PER_TICK = 5_000

const MOST_WORKERS = 4

/** A worker is started this long after a text was read without one, for the jobs to come. */
const MILLISECONDS_BEFORE_STARTING = 2_000

const SILENT = phrase('no_sign_of_life')
const ENDED = phrase('ended_without_error')
const NOT_STARTED = phrase('could_not_be_started')

/**
 * Starts one worker with the first job whose answer is not known. When it ends by itself, another one gets its jobs,
 * after the jobs that they build on. A job with which two workers ended is `crashed`.
 */
export function createWorkerClient(
  spawn: SpawnWorker,
  firstEncoding: EncodingId,
  {
    onReplaced = () => {},
    whenReleased = (lock) => navigator.locks.request(lock, () => {}),
    helpers = Math.min(MOST_WORKERS, globalThis.navigator?.hardwareConcurrency ?? 1) - 1,
  }: WorkerWatch = {},
): WorkerClient {
  const pending = new Map<number, PendingJob>()
  /** The jobs that opened and counted the document, for the next worker. */
  const lasting = new Map<JobName, JobMessage>()
  let encoding = firstEncoding
  let worker: WorkerLike | undefined
  let helping: WorkerLike[] = []
  let silentTicks = 0
  let ticking: ReturnType<typeof setInterval> | undefined
  const knownAnswers = createKnownAnswers()
  let nextId = 1

  const add = (
    message: JobMessage,
    { isRestoring, ...answer }: Pick<PendingJob, 'resolve' | 'onProgress' | 'isRestoring'>,
  ): void => {
    pending.set(message.id, {
      message,
      ...answer,
      isRestoring,
      state: 'waiting',
      output: undefined,
      ends: 0,
    })
  }

  /** Sends the jobs that the worker has not got. It can do the others once those that restore its memory are done. */
  const send = (): void => {
    if (worker === undefined) return
    const jobs = [...pending.values()]
    const restoring = jobs.filter(({ isRestoring }) => isRestoring)
    for (const job of restoring.length > 0 ? restoring : jobs) {
      if (job.state !== 'waiting') continue
      job.state = 'sent'
      worker.postMessage(withoutCopy(job.message))
    }
  }

  const settle = (id: number, outcome: Outcome<JobName>): void => {
    const job = pending.get(id)
    if (job === undefined) return
    pending.delete(id)
    if (outcome.state === 'done') remember(job.message)
    if (![...pending.values()].some(({ message }) => message.name === 'count')) endHelpers()
    job.resolve(outcome)
    if (job.isRestoring) send()
  }

  const remember = (message: JobMessage): void => {
    if (message.name === 'read') {
      const before = lasting.get('read')
      const isSame = before?.name === 'read' && before.input.document === message.input.document
      if (!isSame) lasting.clear()
    }
    if (message.name === 'read' || message.name === 'count') lasting.set(message.name, message)
  }

  const startHelpers = (helped: WorkerLike): void => {
    endHelpers()
    helping = Array.from({ length: helpers }, () => {
      const helper = spawn(encoding)
      const { port1, port2 } = new MessageChannel()
      // The count goes on without a helper that fails.
      helper.onerror = (event) => event.preventDefault?.()
      helper.postMessage({ countFor: port1 }, [port1])
      helped.postMessage({ helper: port2 }, [port2])
      return helper
    })
  }

  const endHelpers = (): void => {
    for (const helper of helping) helper.terminate()
    helping = []
  }

  const end = (): void => {
    endHelpers()
    worker?.terminate()
    worker = undefined
    clearInterval(ticking)
  }

  /** Gives the jobs of a worker that ended or hangs to another one. */
  const replace = (ended: WorkerLike, reason: Words): void => {
    if (ended !== worker) return
    end()
    const jobs = [...pending]
    const isAnyStarted = jobs.some(([, { state }]) => state === 'started')
    let areAllRepeated = true
    for (const [id, job] of jobs) {
      if (job.state === 'started' || !isAnyStarted) job.ends++
      job.state = 'waiting'
      job.output = undefined
      if (job.ends < MOST_ENDS) continue
      areAllRepeated = false
      if (job.isRestoring) lasting.clear()
      settle(id, { state: 'crashed', message: phrase('twice', { reason }) })
    }
    if (pending.size > 0) start()
    if (areAllRepeated) onReplaced(reason)
  }

  /** Puts the lasting jobs before the others, unless those open another document. */
  const restore = (): void => {
    const jobs = [...pending.values()]
    if (jobs.some(({ message, isRestoring }) => message.name === 'read' || isRestoring)) return
    const others = [...pending]
    pending.clear()
    for (const message of lasting.values()) {
      const again = { ...message, id: nextId++ }
      add(again, { resolve: () => {}, onProgress: undefined, isRestoring: true })
    }
    for (const [id, job] of others) pending.set(id, job)
  }

  const answer = (data: Extract<WorkerMessage, { id: number }>): void => {
    const job = pending.get(data.id)
    if (job === undefined) return
    job.state = 'started'
    if ('part' in data) job.output = joinPart(job.output, data.part)
    else if ('done' in data) {
      if (data.done > 0) job.onProgress?.(data.done, job.output as Partial<Jobs[JobName]['output']>)
    } else if (data.outcome.state === 'needs_text') {
      job.message = withText(job.message)
      job.state = 'waiting'
      send()
    } else if (data.outcome.state !== 'done') settle(data.id, data.outcome)
    else {
      const output = (data.outcome.output ?? job.output) as Jobs[JobName]['output']
      settle(data.id, { state: 'done', output })
    }
  }

  /** The output of a job if it is known. A worker that has started does every job, as it needs the document. */
  const findKnown = (message: JobMessage): unknown => {
    const output = worker === undefined ? knownAnswers.find(message, encoding) : undefined
    if (output === undefined) return undefined
    remember(message)
    if (message.name === 'read') setTimeout(() => worker ?? start(), MILLISECONDS_BEFORE_STARTING)
    return output
  }

  const start = (): void => {
    const started = spawn(encoding)
    worker = started
    silentTicks = 0
    started.onmessage = ({ data }) => {
      if (started !== worker) return
      silentTicks = 0
      if ('wants' in data) startHelpers(started)
      else if ('lock' in data) void whenReleased(data.lock).then(() => replace(started, ENDED))
      else answer(data)
    }
    started.onerror = (event) => {
      event.preventDefault?.()
      replace(started, event.message ?? NOT_STARTED)
    }
    ticking = setInterval(() => {
      silentTicks = pending.size === 0 ? 0 : silentTicks + 1
      if (silentTicks > SILENT_TICKS) replace(started, SILENT)
    }, MILLISECONDS_PER_TICK)
    restore()
    send()
  }

  return {
    run: <Name extends JobName>(
      name: Name,
      input: Jobs[Name]['input'],
      onProgress?: OnProgress<Name>,
    ) =>
      new Promise<Outcome<Name>>((resolve) => {
        // The worker answers a job by its id, so its outcome is that of its name.
        const answer = { resolve, onProgress } as unknown as Pick<
          PendingJob,
          'resolve' | 'onProgress'
        >
        const message = { id: nextId++, name, input } as JobMessage
        const output = findKnown(message)
        if (output !== undefined) return answer.resolve({ state: 'done', output } as Outcome<Name>)
        add(message, { ...answer, isRestoring: false })
        if (worker === undefined) start()
        else send()
      }),
    restart: (next) => {
      encoding = next
      lasting.clear()
      end()
      const jobs = [...pending.values()]
      pending.clear()
      for (const { resolve } of jobs) resolve({ state: 'superseded' })
    },
    learn: knownAnswers.learn,
  }
}

/** A file's text is not sent, since the worker reads the file. */
function withoutCopy(message: JobMessage): JobMessage {
  if (message.name !== 'read' || message.input.file === undefined) return message
  return { ...message, input: { ...message.input, text: '' } }
}

/** The job with its text in place of the file. */
function withText(message: JobMessage): JobMessage {
  if (message.name !== 'read') return message
  return { ...message, input: { ...message.input, file: undefined } }
}
