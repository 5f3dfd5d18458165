/** Unpacks archives in a thread, so that a decoder that loops or fills the memory is ended with a sentence. */
import { once } from 'node:events'
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import { MessageChannel, parentPort, Worker, workerData } from 'node:worker_threads'
import { archiveKind, createUnpackBudget } from '../core/files/byte-sink'
import { unpackParquet } from '../core/files/parquet'
import { type UnpackedFile, unpack } from '../core/files/unpack'
import { messageOf, type Problem, ReadError } from '../core/problem'
import { phrase, type Words } from '../core/words/words'

interface Packed {
  /** As sentences name it. */
  readonly kind: string
  readonly name: string
  /** An archive, or the path of a Parquet file. */
  readonly source: Uint8Array | string
  readonly mostRows: number
}

type Answer =
  | { readonly state: 'file'; readonly file: UnpackedFile }
  | { readonly state: 'end' }
  /** The thread ended, or was ended. */
  | { readonly state: 'broken'; readonly problem: Problem }
  | { readonly state: 'failed'; readonly message: string }

const MARK = 'unpack'
/** Longest wait for the next file. */
const MOST_MILLISECONDS = 60_000

/** Runs the TypeScript of a clone; in the package, this module itself. */
const isSource = import.meta.url.endsWith('.ts')
const FILE = new URL(isSource ? '../../scripts/run.mjs' : import.meta.url, import.meta.url)

let worker: Worker | undefined

function start(): Worker {
  const argv = ['lib/cli/unpack-in-thread.ts']
  const started = new Worker(FILE, { argv, workerData: MARK })
  const end = () => {
    if (worker === started) worker = undefined
  }
  started.on('error', end).on('exit', end).unref()
  return started
}

/** The files in an archive, or the rows of a Parquet file, each as it is asked for. */
export async function* unpackInThread(
  packed: Packed,
  limit = MOST_MILLISECONDS,
): AsyncGenerator<UnpackedFile> {
  worker ??= start()
  const thread = worker
  const { port1: answers, port2: port } = new MessageChannel()
  thread.postMessage({ ...packed, port }, [port])
  const answer = () =>
    new Promise<Answer>((resolve) => {
      const fail = (found: Words) => {
        clearTimeout(timer)
        if (worker === thread) worker = undefined
        const values = { kind: packed.kind, found, expected: phrase('undamaged_file') }
        resolve({ state: 'broken', problem: new ReadError('archive_broken', values).problem })
      }
      const timer = setTimeout(() => {
        void thread.terminate()
        fail(phrase('unpack_endless', { n: limit / 1000 }))
      }, limit)
      const onEnd = () => fail(phrase('ended_without_error'))
      answers.once('close', onEnd).once('message', (message: Answer) => {
        clearTimeout(timer)
        answers.off('close', onEnd)
        resolve(message)
      })
    })
  try {
    for (;;) {
      const given = await answer()
      if (given.state === 'failed') throw new Error(given.message)
      if (given.state === 'broken') yield { name: packed.name, problem: given.problem }
      if (given.state !== 'file') return
      yield given.file
      answers.postMessage(undefined)
    }
  } finally {
    answers.close()
  }
}

async function* filesOf({ name, source, mostRows }: Packed): AsyncGenerator<UnpackedFile> {
  if (typeof source !== 'string') {
    for (const file of await unpack(name, source, createUnpackBudget())) {
      if ('problem' in file || archiveKind(file.bytes) !== 'parquet') yield file
      else yield* unpackParquet(file.name, Uint8Array.from(file.bytes).buffer, mostRows)
    }
    return
  }
  const opened = openSync(source, 'r')
  try {
    const { size } = fstatSync(opened)
    const slice = (start: number, end = size) => {
      const bytes = new Uint8Array(end - start)
      return bytes.slice(0, readSync(opened, bytes, 0, bytes.length, start)).buffer
    }
    yield* unpackParquet(name, { byteLength: size, slice }, mostRows)
  } finally {
    closeSync(opened)
  }
}

async function serve({ port, ...packed }: Packed & { readonly port: MessagePort }): Promise<void> {
  const post = (answer: Answer) => port.postMessage(answer)
  try {
    for await (const file of filesOf(packed)) {
      post({ state: 'file', file })
      await once(port, 'message')
    }
    post({ state: 'end' })
  } catch (error) {
    post({ state: 'failed', message: messageOf(error) })
  }
}

if (workerData === MARK) parentPort?.on('message', serve)
