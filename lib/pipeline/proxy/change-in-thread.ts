/** The threads of the proxy: what takes longer than a few milliseconds is done there, so that no other request waits. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { BeforeAfter } from '../../core/mask/measure-request'
import type { MaskPolicy } from '../../core/policy/policy'
import { createJobQueue } from '../../core/steps'
import type { Arrival, KnownSession, MaskMemory } from '../mask-memory'
import { isOff } from '../mask-request'
import { createRequestReader } from '../read-grown-request'
import type { ChangeSettings, RequestChange } from './change-request'
import { changeRequest, sentAsItCame } from './change-request'
import type { RequestCounter } from './count-request'
import { SHORT_BODY } from './read-body'
import type { Recorded, RequestRecord } from './record-request'

type Headers = Readonly<Record<string, string | string[] | undefined>>
type Changed = Pick<RequestChange, 'body' | 'report'>

/** What a thread is asked to do. */
export interface Jobs {
  readonly change: {
    readonly body: Uint8Array
    readonly policy: MaskPolicy
    readonly settings: ChangeSettings
    readonly headers: Headers
  }
  readonly record: RequestRecord & { readonly folder: string }
}

type Job = Pick<Jobs, 'change'> | Pick<Jobs, 'record'>

/** A job, or what a thread asked for one. */
export type ToThread = { readonly id: number } & (
  | Job
  | { readonly known: KnownSession | undefined }
)

/** What a job resolves with. */
export interface Done {
  readonly tokens?: BeforeAfter | undefined
  readonly recorded?: Recorded | undefined
}

/**
 * What a thread says of the job `id`: it asks the memory that all threads share; the body is changed, with what that memory
 * has to take note of; the job has ended.
 */
export type FromThread = { readonly id: number } & (
  | { readonly state: 'arrives'; readonly arrival: Arrival }
  | {
      readonly state: 'changed'
      readonly changed: Changed
      readonly arrival: Arrival | undefined
      readonly remembered: Parameters<MaskMemory['remember']> | undefined
    }
  | ({ readonly state: 'done' } & Done)
  | { readonly state: 'failed'; readonly message: string }
)

/** Runs the TypeScript of a clone, as for every command. In the package, this code is in a folder beside the thread's. */
const RUN = new URL('../../../scripts/run.mjs', import.meta.url)
const isSource = import.meta.url.endsWith('.ts')
const FILE = isSource ? RUN : new URL('../thread.js', import.meta.url)
const FILE_ARGUMENTS = isSource ? ['lib/pipeline/proxy/serve-thread.ts'] : []

/**
 * Starts a thread with its first job, and again after it has ended, which its jobs then fail by. Jobs that need much memory
 * have their turn one by one: together they would need that of all. `niceness` is its distance from the main thread's.
 */
function createThread(niceness: number, isOneByOne = false) {
  let worker: ReturnType<typeof start> | undefined
  let jobs = 0
  const enqueue = createJobQueue()
  const start = () => {
    const started = new Worker(FILE, { argv: FILE_ARGUMENTS, workerData: niceness })
    const answers = new Map<number, (message: FromThread) => void>()
    const end = () => {
      if (worker?.started === started) worker = undefined
      for (const [id, answer] of answers)
        answer({ id, state: 'failed', message: 'its thread ended' })
    }
    started.on('message', (message: FromThread) => answers.get(message.id)?.(message))
    started.on('error', end).on('exit', end).unref()
    return { started, answers }
  }
  return (job: Job, memory?: MaskMemory) => {
    const id = jobs++
    let setChanged = (_: Changed) => {}
    const changed = new Promise<Changed>((resolve) => {
      setChanged = resolve
    })
    const run = () =>
      new Promise<Done>((resolve, reject) => {
        worker ??= start()
        const { started, answers } = worker
        const post = (message: ToThread) => started.postMessage(message)
        answers.set(id, (message) => {
          if (message.state === 'arrives')
            return post({ id, known: memory?.arrive(...message.arrival) })
          if (message.state === 'changed') {
            if (message.arrival) memory?.arrive(...message.arrival)
            if (message.remembered) memory?.remember(...message.remembered)
            return setChanged(message.changed)
          }
          answers.delete(id)
          if (answers.size === 0) started.unref()
          if (message.state === 'done') resolve(message)
          else reject(new Error(message.message))
        })
        // Only a record keeps a process that has nothing else to do.
        if ('record' in job) started.ref()
        post({ id, ...job })
      })
    const done = isOneByOne ? enqueue(run) : run()
    return { changed: () => Promise.race([changed, done.then(() => changed)]), done }
  }
}

/** With repairs, a shorter body than `SHORT_BODY` takes a few milliseconds. */
const SHORT_TO_REPAIR = 8_000
const LONG_BODY = 4_000_000

/** Each has its own queue, so that nobody waits behind a very long body. All proxies of a process share them. */
const threads = {
  middle: createThread(2),
  // Seconds of work: with the niceness of the others, it kept short requests waiting for half a second.
  long: createThread(10, true),
  records: createThread(2),
}

export type ChangedRequest = Changed & {
  /** Counts the request, once it has left; undefined if there is nothing to count, or beyond a cap. */
  readonly count: () => Promise<BeforeAfter | undefined>
}

interface ChangerOptions extends ChangeSettings {
  readonly counter: RequestCounter
  readonly memory: MaskMemory
  readonly onProblem: (sentence: string) => void
}

/** Returns a function that changes bodies. One that a thread fails with is sent as it came. */
export function createChanger({ counter, memory, onProblem, ...others }: ChangerOptions) {
  const { repair = false, repairLoss, shadow, maskCompactions } = others
  const settings = { repair, repairLoss, shadow, maskCompactions }
  const reader = createRequestReader()
  return async (
    body: Uint8Array,
    policy: MaskPolicy,
    headers: Headers,
  ): Promise<ChangedRequest> => {
    if (isOff(policy) && !repair)
      return { ...sentAsItCame('unchanged'), count: async () => undefined }
    if (body.length <= (repair ? SHORT_TO_REPAIR : SHORT_BODY)) {
      const own = { reader, counter, memory, header: headerReader(headers) }
      const change = await changeRequest(body, policy, { ...settings, ...own })
      const { decided } = change
      return { ...change, count: async () => decided && counter.count(decided) }
    }
    const thread = body.length > LONG_BODY ? threads.long : threads.middle
    const { changed, done } = thread({ change: { body, policy, settings, headers } }, memory)
    const counted = done.then(
      ({ tokens }) => tokens,
      () => undefined,
    )
    try {
      return { ...(await changed()), count: () => counted }
    } catch (error) {
      onProblem(`A request is sent as it came: ${(error as Error).message}`)
      return { ...sentAsItCame('unread'), count: () => counted }
    }
  }
}

/**
 * Makes a folder for request logs and returns a function that writes one, in the thread that writes them all. A folder that
 * is there stays as it is: others may use it.
 */
export function openRecords(folder: string, warn: (sentence: string) => void) {
  try {
    makeFolder(folder)
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Error(`--record is "${folder}"; expected a folder for request logs (${code}).`)
  }
  const mode = statSync(folder).mode & 0o777
  if ((mode & 0o077) !== 0 && process.platform !== 'win32')
    warn(
      `${folder} is open to other users (mode ${mode.toString(8)}), the files in it are not; chmod 700 closes it.`,
    )
  return async (record: RequestRecord) =>
    (await threads.records({ record: { ...record, folder } }).done).recorded
}

/** Makes a folder and those above it, one by one: Node's `recursive` never ends where there can be none, as in `/proc`. */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
  if (dirname(path) !== path) makeFolder(dirname(path))
  mkdirSync(path, 0o700)
}

/** Reads headers by their names in lower case. */
export function headerReader(headers: Headers) {
  return (name: string) => headers[name]?.toString()
}
