/** A thread of the proxy: does the jobs that `change-in-thread.ts` sends it. */
import { getPriority, setPriority } from 'node:os'
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { MaskMemory } from '../mask-memory'
import type { DecidedRequest } from '../mask-request'
import {
  type FromThread,
  headerReader,
  type MemoryCall,
  type ThreadData,
  type ThreadJobs,
} from './change-in-thread'
import { changeRequest, type RequestChange } from './change-request'
import { createRequestCounter } from './count-request'
import { createRecorder } from './record-request'

// Streams and short requests go first. Elsewhere, this would be the priority of the whole process.
if (process.platform === 'linux') setPriority(Math.min(getPriority() + 2, 19))

const { flag, port } = workerData as ThreadData
const main = parentPort as NonNullable<typeof parentPort>
/** A body that has its memory to itself is handed over, not copied. */
const post = (message: FromThread, body?: Uint8Array) =>
  main.postMessage(
    message,
    body !== undefined && body.length === body.buffer.byteLength
      ? [body.buffer as ArrayBuffer]
      : [],
  )

/** Asks the memory that all threads share, and waits for its answer. */
function sharedMemory(id: number): MaskMemory {
  const ask = (asks: MemoryCall) => {
    Atomics.store(flag, 0, 0)
    post({ id, asks })
    Atomics.wait(flag, 0, 0)
    return receiveMessageOnPort(port)?.message
  }
  return {
    arrive: (...args) => ask(['arrive', ...args]),
    remember: (...args) => ask(['remember', ...args]),
  }
}

let counter: ReturnType<typeof createRequestCounter> | undefined
const decided = new Map<number, DecidedRequest>()
const recorders = new Map<string, ReturnType<typeof createRecorder>>()

type Job<Name extends keyof ThreadJobs> = (
  input: Parameters<ThreadJobs[Name]>[0],
  id: number,
) => Promise<ReturnType<ThreadJobs[Name]>>

const JOBS: { readonly [Name in keyof ThreadJobs]: Job<Name> } = {
  change: async ({ body, policy, settings, headers }, id) => {
    counter ??= createRequestCounter()
    const change = await changeRequest(body, policy, {
      ...settings,
      counter: await counter,
      memory: sharedMemory(id),
      header: headerReader(headers),
    })
    if (change.decided !== undefined) decided.set(id, change.decided)
    return { body: change.body, report: change.report, isDecided: change.decided !== undefined }
  },
  count: async (id) => {
    const request = decided.get(id)
    decided.delete(id)
    return request && (await counter)?.count(request)
  },
  record: async ({ folder, ...record }) => {
    const write = recorders.get(folder) ?? createRecorder(folder)
    recorders.set(folder, write)
    await write(record)
  },
}

interface ToThread {
  readonly id: number
  readonly name: keyof ThreadJobs
  readonly input: never
}

main.on('message', async ({ id, name, input }: ToThread) => {
  try {
    const output = await JOBS[name](input, id)
    post({ id, output }, (output as Partial<RequestChange> | undefined)?.body)
  } catch (error) {
    post({ id, error: (error as Error).message })
  }
})
