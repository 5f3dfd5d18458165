/** A thread of the proxy: does the jobs that `change-in-thread.ts` sends it. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import { type Arrival, type KnownSession, type MaskMemory, MOST_CALLS } from '../mask-memory'
import { isMemoryNeeded } from '../mask-request'
import { createRequestReader } from '../read-grown-request'
import type { Done, FromThread, Jobs, ToThread } from './change-in-thread'
import { headerReader } from './change-in-thread'
import { changeRequest } from './change-request'
import { createRequestCounter } from './count-request'
import { createRecorder } from './record-request'

// Streams and short requests go first. Elsewhere, this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + workerData, 19))

let counter: ReturnType<typeof createRequestCounter> | undefined
const reader = createRequestReader()
const recorders = new Map<string, ReturnType<typeof createRecorder>>()

/** Those that wait for an answer of the memory, by job. */
const waiting = new Map<number, (known: KnownSession | undefined) => void>()
const post = (message: FromThread, transferred: ArrayBuffer[] = []) =>
  parentPort?.postMessage(message, transferred)

async function change(
  { body, policy, settings, headers }: Jobs['change'],
  id: number,
): Promise<Done> {
  let arrival: Arrival | undefined
  let remembered: Parameters<MaskMemory['remember']> | undefined
  const memory = {
    arrive: async (...call: Arrival) => {
      if (isMemoryNeeded(call))
        return new Promise<KnownSession | undefined>((resolve) => {
          waiting.set(id, resolve)
          post({ id, state: 'arrives', arrival: call })
        })
      arrival = call
      return undefined
    },
    // More than a session may have would hold up all others on their way.
    remember: (session: string, callIds: readonly string[]) => {
      remembered = [session, callIds.slice(0, MOST_CALLS + 1)]
    },
  }
  counter ??= createRequestCounter()
  const own = { reader, counter: await counter, memory, header: headerReader(headers) }
  const { decided, ...changed } = await changeRequest(body, policy, { ...settings, ...own })
  const buffer = changed.body?.buffer
  // A body that has its memory to itself is handed over, not copied.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === changed.body?.length
  post({ id, state: 'changed', changed, arrival, remembered }, isOwn ? [buffer] : [])
  return { tokens: decided && (await own.counter.count(decided)) }
}

async function record({ folder, ...record }: Jobs['record']): Promise<Done> {
  const write = recorders.get(folder) ?? createRecorder(folder)
  recorders.set(folder, write)
  return { recorded: await write(record) }
}

parentPort?.on('message', (message: ToThread) => {
  const { id } = message
  if ('known' in message) {
    waiting.get(id)?.(message.known)
    waiting.delete(id)
    return
  }
  const run = 'change' in message ? change(message.change, id) : record(message.record)
  run.then(
    (done) => post({ id, state: 'done', ...done }),
    (error: Error) => post({ id, state: 'failed', message: error.message }),
  )
})
