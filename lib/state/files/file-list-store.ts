/** Store of the file list; the page's store holds the open document. */
import { createStore } from 'zustand/vanilla'
import { errorOf, type Problem, ReadError } from '@/lib/core/problem'
import { loadPriceBook, type PriceBook } from '@/lib/core/replay/price-book'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY } from '@/lib/core/tokens/model-families'
import type { FileCosts, MeasureFileInput, NeedsCosts } from '@/lib/worker/file-jobs'
import type { FileMeasure } from '@/lib/worker/file-sessions'
import type { Jobs, Outcome } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker, type WorkerClient } from '@/lib/worker/worker-client'
import { costsOfFile } from '../costs/cost-terms'
import type { Playground } from '../playground'

/** Where the bytes of a file are. */
export interface FileContent {
  /** Undefined if the reading was stopped. */
  readonly bytes: () => Promise<Uint8Array | undefined>
  /** The file itself, of which parts can be read. */
  readonly file?: Blob
  /** What it uses of the budget of archives. */
  readonly unpackedBytes?: number
}

export interface ListedFile {
  readonly id: number
  /** Path of folders, archives and file name, joined by slashes. */
  readonly name: string
  readonly state:
    | { readonly state: 'waiting' }
    | { readonly state: 'failed'; readonly problem: Problem }
    /** `key` identifies the policy and model of the totals. */
    | { readonly state: 'measured'; readonly measure: FileMeasure; readonly key: string }
  /** The mechanisms on it, once that was asked for. `key` is of the model and prices; without output if the worker failed. */
  readonly compared?: { readonly key: string; readonly output: FileMeasure['compared'] }
  /** Undefined for what was refused before it was read. */
  readonly content?: FileContent
}

/** The columns of each view of the table; `costs` has those of whole sessions, answers included. */
export const COLUMNS = {
  costs: [
    ...(['name', 'model', 'turns', 'requests', 'charged', 'plainBefore', 'plainAfter'] as const),
    ...(['cachedBefore', 'cachedAfter', 'cachedSaved', 'lostUses', 'recommended'] as const),
  ],
  request: [
    ...(['name', 'format', 'conversations', 'messages', 'turns', 'results', 'masked'] as const),
    ...(['before', 'after', 'saved', 'problems'] as const),
  ],
} as const

export type View = keyof typeof COLUMNS

export type Column = (typeof COLUMNS)[View][number]

/** Only files that meet every condition are shown and recommended for; undefined for all. */
export interface FileFilter {
  readonly tool: string | undefined
  readonly model: string | undefined
  /** Turns of the longest session. */
  readonly length: (typeof LENGTH_RANGES)[number] | undefined
}

export const LENGTH_RANGES = ['upTo10', 'upTo50', 'over50'] as const

export const NO_FILTER: FileFilter = { tool: undefined, model: undefined, length: undefined }

export interface Sorting {
  readonly column: Column
  readonly isDescending: boolean
}

export interface FileListState {
  readonly files: readonly ListedFile[]
  /** The work in progress, if any. */
  readonly work?:
    | { readonly kind: 'reading' | 'renewing'; readonly done: number; readonly all: number }
    | undefined
  /** Files compared so far, while mechanisms are compared. */
  readonly comparing?: Pick<NonNullable<FileListState['work']>, 'done' | 'all'> | undefined
  /** True if the user stopped the reading. */
  readonly isStopped: boolean
  /** Undefined for the order in which the files were added. */
  readonly sorting?: Sorting | undefined
  readonly view: View
  readonly filter: FileFilter
  /** The setting for all sessions shown. `failed`: the worker ended. */
  readonly fleet:
    | { readonly state: 'none' | 'working' | 'failed' }
    | { readonly state: 'done'; readonly fleet: Jobs['recommendFleet']['output'] }
  readonly isOpen: boolean
}

export function createFileListStore() {
  return createStore<FileListState>(() => ({
    files: [],
    isStopped: false,
    view: 'costs',
    filter: NO_FILTER,
    fleet: { state: 'none' },
    isOpen: false,
  }))
}

type PlainJobName = 'unpack' | 'openParquet' | 'readParquetRow' | 'recommendFleet'

export function createFileListWorkers(spawn: SpawnWorker, { store }: Playground) {
  const clients = new Map<EncodingId, WorkerClient>()
  /** The encoding that each file was last counted in. */
  const encodingOfFile = new Map<number, EncodingId>()

  const clientOf = (encoding: EncodingId): WorkerClient => {
    const client =
      clients.get(encoding) ?? createWorkerClient((id) => spawn(id, 'parquet'), encoding)
    clients.set(encoding, client)
    return client
  }

  let priceBook: Promise<PriceBook> | undefined
  /** The model and prices that the page would give a file. */
  const costsOf = async (needs: NeedsCosts): Promise<FileCosts> => {
    priceBook ??= loadPriceBook(new Date().toISOString().slice(0, 10))
    return costsOfFile(store.getState(), await priceBook, needs)
  }

  return {
    /** The output of a job that needs no encoding; undefined if it was stopped. Throws a `ReadError` if it fails. */
    run: async <Name extends PlainJobName>(name: Name, input: Jobs[Name]['input']) => {
      const client = clientOf(DEFAULT_MODEL_FAMILY.encoding)
      return outputOf(await client.run<PlainJobName>(name, input)) as Jobs[Name]['output']
    },
    /** The same for the totals of a file. Reads its bytes only if the worker does not remember it. */
    measure: async (
      request: Omit<MeasureFileInput, 'bytes' | 'costs'>,
      bytesOf: () => Promise<Uint8Array | undefined>,
      onProgress: (done: number) => void,
    ): Promise<FileMeasure | undefined> => {
      let encoding = encodingOfFile.get(request.file) ?? DEFAULT_MODEL_FAMILY.encoding
      let bytes: Uint8Array | undefined
      let costs: FileCosts | undefined
      for (;;) {
        const input = { ...request, bytes, costs }
        const outcome = await clientOf(encoding).run('measureFile', input, { onProgress })
        if (outcome.state === 'needs_bytes') {
          bytes = await bytesOf()
          if (bytes === undefined) return undefined
        } else if (outcome.state === 'needs_costs') {
          costs = await costsOf(outcome)
          bytes = undefined
        } else if (outcome.state === 'needs_encoding') encoding = outcome.encoding
        else {
          encodingOfFile.set(request.file, encoding)
          return outputOf(outcome)
        }
      }
    },
    /** Ends all jobs; the next one starts new workers. */
    stop: () => {
      for (const [encoding, client] of clients) client.restart(encoding)
    },
  }
}

type Ended<Output> =
  | { readonly state: 'done'; readonly output: Output }
  | Extract<
      Outcome<PlainJobName | 'measureFile'>,
      { readonly state: 'unreadable' | 'crashed' | 'superseded' }
    >

function outputOf<Output>(outcome: Ended<Output>): Output | undefined {
  if (outcome.state === 'crashed')
    throw new ReadError('unreadable_file', { reason: outcome.message })
  if (outcome.state === 'unreadable') throw errorOf(outcome.problem)
  return outcome.state === 'done' ? outcome.output : undefined
}
