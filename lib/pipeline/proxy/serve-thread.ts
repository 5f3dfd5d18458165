/** A thread of the proxy: does the jobs that `change-in-thread.ts` sends it. */
import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'
import { type Arrival, MOST_CALLS } from '../mask-memory'
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

async function change(
  { body, policy, settings, headers }: Jobs['change'],
  port: MessagePort,
): Promise<Done> {
  const post = (message: FromThread) => port.postMessage(message)
  const memory = {
    arrive: async (...call: Arrival) => {
      const answered = isMemoryNeeded(call) ? once(port, 'message') : []
      post({ state: 'arrives', call })
      return (await answered)[0]
    },
    // More than a session may have would hold up all others on their way.
    remember: (session: string, callIds: readonly string[]) =>
      post({ state: 'remembers', call: [session, callIds.slice(0, MOST_CALLS + 1)] }),
  }
  counter ??= createRequestCounter()
  const own = { reader, counter: await counter, memory, header: headerReader(headers) }
  const { decided, ...changed } = await changeRequest(body, policy, { ...settings, ...own })
  const buffer = changed.body?.buffer
  // A body that has its memory to itself is handed over, not copied.
  const isOwn = buffer instanceof ArrayBuffer && buffer.byteLength === changed.body?.length
  const message: FromThread = { state: 'changed', changed }
  port.postMessage(message, isOwn ? [buffer] : [])
  return { tokens: decided && (await own.counter.count(decided)) }
}

async function record({ folder, ...record }: Jobs['record']): Promise<Done> {
  const write = recorders.get(folder) ?? createRecorder(folder)
  recorders.set(folder, write)
  return { recorded: await write(record) }
}

parentPort?.on('message', async ({ port, ...job }: ToThread) => {
  const run = 'change' in job ? change(job.change, port) : record(job.record)
  const end = await run.then(
    (done): FromThread => ({ state: 'done', ...done }),
    ({ message }: Error): FromThread => ({ state: 'failed', message }),
  )
  port.postMessage(end)
  port.close()
})
