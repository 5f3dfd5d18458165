/** The page's side of the worker: starts it, sends it jobs, matches the answers, replaces it when it ends. */

import type { EncodingId } from '@/lib/core/tokens/encoding'
import { phrase, type Words } from '@/lib/core/words/words'
import type {
  JobListener,
  JobMessage,
  JobName,
  Jobs,
  OtherMessage,
  Outcome,
  Part,
  Wanted,
  WorkerMessage,
} from './jobs'
import { createKnownAnswers } from './known-answers'
import { joinPart } from './output-parts'
import { nextTask } from './run-in-steps'

/** The part of `Worker` that is used; tests provide their own. */
export interface WorkerLike {
  onmessage: ((event: { data: WorkerMessage }) => void) | null
  onerror: ((event: { message?: string; preventDefault?: () => void }) => void) | null
  postMessage: (message: JobMessage | OtherMessage, transfer?: MessagePort[]) => void
  terminate: () => void
}

export type SpawnWorker = (encoding: EncodingId, also?: 'parquet') => WorkerLike

/** Starts the browser's worker, in a built page from a `blob:` URL (`scripts/first-script.mjs`). Its name is the encoding it counts in, and what else it loads. */
export const spawnWorker: SpawnWorker = (encoding, also) =>
  new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: also === undefined ? encoding : `${encoding} ${also}`,
  }) as unknown as WorkerLike

export type WorkerClient = ReturnType<typeof createWorkerClient>

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
  readonly listener: JobListener
  state: 'waiting' | 'sent' | 'started'
  /** What the pieces of its next part made so far. */
  output: unknown
  /** The parts of the document it has opened, by `keyOfPart`. */
  readonly given: Set<string>
  /** Workers that ended while they did this job. */
  ends: number
}

const keyOfPart = ({ name, at }: Pick<Part, 'name' | 'at'>) => `${name} ${at}`

/** True if the worker has something to do for the job. An open document may have all that is wanted. */
const isAwaited = ({ message: { name, input }, given }: PendingJob): boolean => {
  if (name !== 'open' || !given.has(COUNTS)) return true
  return input.wanted.questions.some(({ id }) => !given.has(keyOfPart({ name: 'answer', at: id })))
}

const COUNTS = keyOfPart({ name: 'counts', at: 0 })

/** A job is not given to a third worker. */
const MOST_ENDS = 2

/** A worker with jobs that sends nothing for this long hangs. Ticks are counted, since a machine may sleep. */
const SILENT_TICKS = 24
const MILLISECONDS_PER_TICK = 5_000

const MOST_WORKERS = 4

/** A worker is started this long after a text was opened without one, for the jobs to come. */
const MILLISECONDS_BEFORE_STARTING = 2_000

const SILENT = phrase('no_sign_of_life')
const ENDED = phrase('ended_without_error')
const NOT_STARTED = phrase('could_not_be_started')

/**
 * Starts one worker with the first job whose answer is not known. When it ends by itself, another one gets its jobs, of
 * which the first opens the document again. A job with which two workers ended is `crashed`.
 */
export function createWorkerClient(
  spawn: SpawnWorker,
  firstEncoding: EncodingId,
  {
    onReplaced = () => {},
    whenReleased = (lock) => navigator.locks.request(lock, () => {}),
    helpers = Math.min(MOST_WORKERS, globalThis.navigator?.hardwareConcurrency ?? 1) - 1,
  }: WorkerWatch = {},
) {
  const pending = new Map<number, PendingJob>()
  let encoding = firstEncoding
  let worker: WorkerLike | undefined
  let helping: WorkerLike[] = []
  let silentTicks = 0
  let ticking: ReturnType<typeof setInterval> | undefined
  const knownAnswers = createKnownAnswers()
  let nextId = 1

  /** Sends the jobs that the worker has not got. */
  const send = (): void => {
    if (worker === undefined) return
    for (const job of pending.values()) {
      if (job.state !== 'waiting') continue
      job.state = 'sent'
      worker.postMessage(withoutCopy(job.message))
    }
  }

  const settle = (id: number, outcome: Outcome<JobName>): void => {
    const job = pending.get(id)
    pending.delete(id)
    endUnusedHelpers()
    job?.resolve(outcome)
  }

  const give = (job: PendingJob, part: Part): void => {
    const key = keyOfPart(part)
    // The next worker says again what the one before has said.
    if (job.given.has(key) && part.name !== 'shown') return
    job.given.add(key)
    job.ends = 0
    endUnusedHelpers()
    job.listener.onPart?.(part)
  }

  const endUnusedHelpers = (): void => {
    const isCounting = ({ message, given }: PendingJob) =>
      message.name === 'open' && !given.has(COUNTS)
    if (![...pending.values()].some(isCounting)) endHelpers()
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
    const awaited = [...pending.values()].filter(isAwaited)
    const isAnyStarted = awaited.some(({ state }) => state === 'started')
    for (const job of awaited) if (job.state === 'started' || !isAnyStarted) job.ends++
    for (const job of pending.values()) {
      job.state = 'waiting'
      job.output = undefined
    }
    const crashed = awaited.filter(({ ends }) => ends >= MOST_ENDS)
    for (const { message } of crashed)
      settle(message.id, { state: 'crashed', message: phrase('twice', { reason }) })
    if (awaited.length > crashed.length && worker === undefined) start()
    if (crashed.length === 0) onReplaced(reason)
  }

  const answer = (data: Extract<WorkerMessage, { id: number }>): void => {
    const job = pending.get(data.id)
    if (job === undefined) return
    job.state = 'started'
    if ('piece' in data) job.output = joinPart(job.output, data.piece)
    else if ('part' in data) {
      const { output } = job
      job.output = undefined
      give(job, { ...data.part, output } as Part)
    } else if ('done' in data) {
      if (data.done > 0) job.listener.onProgress?.(data.done)
    } else if (data.outcome.state === 'needs_text') {
      const { message } = job
      // The job with its text in place of the file.
      if (message.name === 'open')
        job.message = { ...message, input: { ...message.input, file: undefined } }
      job.state = 'waiting'
      send()
    } else settle(data.id, data.outcome)
  }

  /** Gives what is known of a document. False if a worker is needed; one that has started does every job. */
  const giveKnown = (job: PendingJob): boolean => {
    const { name, input } = job.message
    const parts =
      worker === undefined && name === 'open' ? knownAnswers.find(input, encoding) : undefined
    if (parts === undefined) return false
    // Each in a task of its own: together, what the page draws of them takes a tenth of a second.
    const giveNext = async () => {
      for (const part of parts) {
        if (pending.get(job.message.id) === job) give(job, part)
        await nextTask()
      }
    }
    void Promise.resolve().then(giveNext)
    return true
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
      silentTicks = [...pending.values()].some(isAwaited) ? silentTicks + 1 : 0
      if (silentTicks > SILENT_TICKS) replace(started, SILENT)
    }, MILLISECONDS_PER_TICK)
    send()
  }

  return {
    run: <Name extends JobName>(
      name: Name,
      input: Jobs[Name]['input'],
      listener: JobListener = {},
    ) =>
      new Promise<Outcome<Name>>((resolve) => {
        const job: PendingJob = {
          message: { id: nextId++, name, input } as JobMessage,
          // The worker answers a job by its id, so its outcome is that of its name.
          resolve: resolve as unknown as PendingJob['resolve'],
          listener,
          state: 'waiting',
          output: undefined,
          given: new Set(),
          ends: 0,
        }
        pending.set(job.message.id, job)
        if (giveKnown(job)) setTimeout(() => worker ?? start(), MILLISECONDS_BEFORE_STARTING)
        else if (worker === undefined) start()
        else send()
      }),
    /** Changes what is wanted of a document that is open. */
    want: (document: number, wanted: Wanted): void => {
      for (const job of pending.values()) {
        const { message } = job
        if (message.name !== 'open' || message.input.document !== document) continue
        job.message = { ...message, input: { ...message.input, wanted } }
        // The page can ask again for what it no longer has.
        for (const key of job.given) if (key.startsWith('answer')) job.given.delete(key)
        if (giveKnown(job)) continue
        if (worker === undefined) start()
        else worker.postMessage({ document, wanted })
      }
    },
    /** Ends the worker; pending jobs are `superseded`. The next job starts one for this encoding. */
    restart: (next: EncodingId): void => {
      encoding = next
      end()
      const jobs = [...pending.values()]
      pending.clear()
      for (const { resolve } of jobs) resolve({ state: 'superseded' })
    },
    /** Opens this text without a worker, until one is started. */
    learn: knownAnswers.learn,
  }
}

/** A file's text is not sent, since the worker reads the file. */
function withoutCopy(message: JobMessage): JobMessage {
  if (message.name !== 'open' || message.input.file === undefined) return message
  return { ...message, input: { ...message.input, text: '' } }
}
