/** The threads of the proxy: what takes longer than a few milliseconds is done there, so that no other request waits. */
import { accessSync, constants, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { BeforeAfter } from '../../core/mask/measure-request'
import type { MaskPolicy } from '../../core/policy/policy'
import { createJobQueue } from '../../core/steps'
import type { Arrival, MaskMemory } from '../mask-memory'
import { isMemoryNeeded, isOff } from '../mask-request'
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

/** A job, and where its thread answers. */
export type ToThread = (Pick<Jobs, 'change'> | Pick<Jobs, 'record'>) & {
  readonly port: MessagePort
}

/** What a job resolves with. */
export interface Done {
  readonly tokens?: BeforeAfter | undefined
  readonly recorded?: Recorded | undefined
}

export type FromThread =
  /** Calls of the memory that all threads share; the first is answered where `isMemoryNeeded`. */
  | { readonly state: 'arrives'; readonly call: Arrival }
  | { readonly state: 'remembers'; readonly call: Parameters<MaskMemory['remember']> }
  | { readonly state: 'changed'; readonly changed: Changed }
  /** The end of the job. */
  | ({ readonly state: 'done' } & Done)
  | { readonly state: 'failed'; readonly message: string }

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
  let worker: Worker | undefined
  const enqueue = createJobQueue()
  const start = (): Worker => {
    const started = new Worker(FILE, { argv: FILE_ARGUMENTS, workerData: niceness })
    const end = () => {
      if (worker === started) worker = undefined
    }
    started.on('error', end).on('exit', end).unref()
    return started
  }
  return (job: Pick<Jobs, 'change'> | Pick<Jobs, 'record'>, memory?: MaskMemory) => {
    const { port1: answers, port2: port } = new MessageChannel()
    const post = () => {
      worker ??= start()
      worker.postMessage({ ...job, port }, [port])
      return done
    }
    let setChanged = (_: Changed) => {}
    const changed = new Promise<Changed>((resolve) => {
      setChanged = resolve
    })
    const done = new Promise<Done>((resolve, reject) => {
      answers.on('message', (message: FromThread) => {
        switch (message.state) {
          case 'arrives': {
            const known = memory?.arrive(...message.call)
            return isMemoryNeeded(message.call) ? answers.postMessage(known) : undefined
          }
          case 'remembers':
            return memory?.remember(...message.call)
          case 'changed':
            return setChanged(message.changed)
          case 'done':
            return resolve(message)
          case 'failed':
            return reject(new Error(message.message))
        }
      })
      answers.on('close', () => reject(new Error('its thread ended')))
    })
    if (isOneByOne) enqueue(post).catch(() => {})
    else post()
    // Only a record keeps a process that has nothing else to do; a listener would undo it.
    if ('change' in job) answers.unref()
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
