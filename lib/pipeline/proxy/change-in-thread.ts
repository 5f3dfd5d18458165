/** The threads of the proxy: what takes longer than a few milliseconds is done there, so that no other request waits. */
import { mkdirSync, statSync } from 'node:fs'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { BeforeAfter } from '../../core/mask/measure-request'
import type { MaskPolicy } from '../../core/policy/policy'
import type { MaskMemory } from '../mask-memory'
import {
  type ChangeSettings,
  changeRequest,
  type RequestChange,
  sentAsItCame,
} from './change-request'
import type { RequestCounter } from './count-request'
import { SHORT_BODY } from './read-body'
import type { RequestRecord } from './record-request'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What a thread does, by name. */
export interface ThreadJobs {
  readonly change: (input: {
    readonly body: Uint8Array
    readonly policy: MaskPolicy
    readonly settings: ChangeSettings
    readonly headers: Headers
  }) => Pick<RequestChange, 'body' | 'report'> & { readonly isDecided: boolean }
  /** Counts what the job with this number has changed. */
  readonly count: (id: number) => BeforeAfter | undefined
  readonly record: (input: RequestRecord & { readonly folder: string }) => void
}

/** What a thread asks of the memory of sessions, which all threads share. */
export type MemoryCall = {
  [Method in keyof MaskMemory]: readonly [Method, ...Parameters<MaskMemory[Method]>]
}[keyof MaskMemory]

/** A question, or the end of a job. */
export interface FromThread {
  readonly id: number
  readonly asks?: MemoryCall
  readonly output?: unknown
  readonly error?: string
}

/** What a thread starts with: it waits at `flag` until its question is answered at `port`. */
export interface ThreadData {
  readonly flag: Int32Array
  readonly port: MessagePort
}

/** Runs the TypeScript of a clone, as for every command. In the package, this code is in a folder beside the thread's. */
const RUN = new URL('../../../scripts/run.mjs', import.meta.url)
const isSource = import.meta.url.endsWith('.ts')
const FILE = isSource ? RUN : new URL('../thread.js', import.meta.url)
const FILE_ARGUMENTS = isSource ? ['lib/pipeline/proxy/serve-thread.ts'] : []

/** Starts a thread with its first job, and again after it has ended, which its jobs then fail by. */
function createThread() {
  let worker: Worker | undefined
  const jobs = new Map<
    number,
    {
      readonly resolve: (output: never) => void
      readonly reject: (error: Error) => void
      readonly memory: MaskMemory | undefined
    }
  >()
  let last = 0
  const start = (): Worker => {
    const { port1: answers, port2: port } = new MessageChannel()
    const flag = new Int32Array(new SharedArrayBuffer(4))
    const workerData: ThreadData = { port, flag }
    const started = new Worker(FILE, { workerData, transferList: [port], argv: FILE_ARGUMENTS })
    started.on('message', ({ id, asks, output, error }: FromThread) => {
      const job = jobs.get(id)
      if (asks !== undefined) {
        const [method, ...args] = asks
        const ask = job?.memory?.[method] as ((...args: unknown[]) => unknown) | undefined
        answers.postMessage(ask?.(...args))
        Atomics.store(flag, 0, 1)
        Atomics.notify(flag, 0)
        return
      }
      jobs.delete(id)
      if (error === undefined) job?.resolve(output as never)
      else job?.reject(new Error(error))
    })
    const end = (error: Error) => {
      if (worker !== started) return
      worker = undefined
      for (const { reject } of jobs.values()) reject(error)
      jobs.clear()
    }
    started.on('error', end)
    started.on('exit', (code) => end(new Error(`its thread ended with code ${code}`)))
    // Neither keeps a process that has nothing else to do; a listener would undo it.
    started.unref()
    answers.unref()
    return started
  }
  return <Name extends keyof ThreadJobs>(
    name: Name,
    input: Parameters<ThreadJobs[Name]>[0],
    memory?: MaskMemory,
  ) => {
    worker ??= start()
    const id = ++last
    const output = new Promise<ReturnType<ThreadJobs[Name]>>((resolve, reject) => {
      jobs.set(id, { resolve, reject, memory })
    })
    worker.postMessage({ id, name, input })
    return { id, output }
  }
}

/** With repairs, a shorter body than `SHORT_BODY` takes a few milliseconds. */
const SHORT_TO_REPAIR = 8_000
const LONG_BODY = 4_000_000

/** Each has its own queue, so that nobody waits behind a very long body. All proxies of a process share them. */
const threads = { middle: createThread(), long: createThread(), records: createThread() }

export type ChangedRequest = Pick<RequestChange, 'body' | 'report'> & {
  /** Counts the request, once it has left; undefined if there is nothing to count, or beyond a cap. */
  readonly count: () => Promise<BeforeAfter | undefined>
}

interface ChangerOptions extends ChangeSettings {
  readonly counter: RequestCounter
  readonly memory: MaskMemory
  readonly onProblem: (sentence: string) => void
}

/** Returns a function that changes bodies. One that a thread fails with is sent as it came. */
export function createChanger({ counter, memory, onProblem, ...settings }: ChangerOptions) {
  return async (
    body: Uint8Array,
    policy: MaskPolicy,
    headers: Headers,
  ): Promise<ChangedRequest> => {
    const { repair = false, repairLoss, shadow, maskCompactions } = settings
    if (body.length <= (repair ? SHORT_TO_REPAIR : SHORT_BODY)) {
      const header = headerReader(headers)
      const change = await changeRequest(body, policy, { ...settings, counter, memory, header })
      const { decided } = change
      return { ...change, count: async () => decided && counter.count(decided) }
    }
    const thread = body.length > LONG_BODY ? threads.long : threads.middle
    const input = {
      body,
      policy,
      settings: { repair, repairLoss, shadow, maskCompactions },
      headers,
    }
    const { id, output } = thread('change', input, memory)
    try {
      const { isDecided, ...change } = await output
      const count = async () =>
        isDecided ? thread('count', id).output.catch(() => undefined) : undefined
      return { ...change, count }
    } catch (error) {
      onProblem(`A request is sent as it came: ${(error as Error).message}`)
      return { ...sentAsItCame('unread'), count: async () => undefined }
    }
  }
}

/**
 * Makes a folder for request logs and returns a function that writes one, in the thread that writes them all. A folder that
 * is there stays as it is: others may use it.
 */
export function openRecords(folder: string, warn: (sentence: string) => void) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const mode = statSync(folder).mode & 0o777
  if ((mode & 0o077) !== 0 && process.platform !== 'win32')
    warn(
      `${folder} is open to other users (mode ${mode.toString(8)}), the files in it are not; chmod 700 closes it.`,
    )
  return (record: RequestRecord) => threads.records('record', { ...record, folder })
}

/** Reads headers by their names in lower case. */
export function headerReader(headers: Headers) {
  return (name: string) => headers[name]?.toString()
}
