/** Workers for the file list, one per encoding; separate from the page's worker, so that neither waits for the other. */

import type { Unpacked } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
import { type Problem, ReadError } from '@/lib/core/problem'
import type { AdviceSettings } from '@/lib/core/replay/recommend'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY } from '@/lib/core/tokens/model-families'
import type { Words } from '@/lib/core/words/words'
import type {
  FileCosts,
  FileMeasure,
  MeasureFileInput,
  NeedsCosts,
  ParquetFile,
  ParquetJobs,
} from '@/lib/worker/file-jobs'
import type { Jobs, Outcome } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker, type WorkerClient } from '@/lib/worker/worker-client'

export type FileToMeasure = Omit<MeasureFileInput, 'bytes' | 'costs'>

export type MeasureOutcome =
  | { readonly measure: FileMeasure }
  | { readonly problem: Problem }
  /** Stopped. */
  | undefined

export function createFileListWorkers(spawn: SpawnWorker) {
  const clients = new Map<EncodingId, WorkerClient>()
  /** The encoding that each file was last counted in. */
  const encodingOfFile = new Map<number, EncodingId>()

  const clientOf = (encoding: EncodingId): WorkerClient => {
    const client =
      clients.get(encoding) ?? createWorkerClient((id) => spawn(id, 'parquet'), encoding)
    clients.set(encoding, client)
    return client
  }

  const runParquet = async <Name extends keyof ParquetJobs>(
    name: Name,
    input: Jobs[Name]['input'],
  ): Promise<Jobs[Name]['output'] | undefined> => {
    const outcome: Outcome<keyof ParquetJobs> = await clientOf(DEFAULT_MODEL_FAMILY.encoding).run(
      name,
      input,
    )
    if (outcome.state === 'crashed') throw crashError(outcome.message)
    if (outcome.state === 'unreadable')
      throw new ReadError(outcome.problem.code, outcome.problem.values)
    return outcome.state === 'done' ? (outcome.output as Jobs[Name]['output']) : undefined
  }

  return {
    /** The number of rows and the first names. Throws a `ReadError`. Undefined if it was stopped, as for every job. */
    openParquet: (file: ParquetFile, limit: number) =>
      runParquet('openParquet', { ...file, limit }),
    readParquetRow: (file: ParquetFile, row: number) =>
      runParquet('readParquetRow', { ...file, row }),
    /** The files in an archive; undefined if it was stopped. Throws if the worker crashes. */
    unpack: async (
      name: string,
      bytes: Uint8Array,
      used: Unpacked,
    ): Promise<readonly UnpackedFile[] | undefined> => {
      const client = clientOf(DEFAULT_MODEL_FAMILY.encoding)
      const outcome = await client.run('unpack', { name, bytes, used })
      if (outcome.state === 'crashed') throw crashError(outcome.message)
      return outcome.state === 'done' ? outcome.output : undefined
    },
    /** The totals of a file; reads its bytes only if the worker does not remember it. Throws if the worker crashes. */
    measure: async (
      request: FileToMeasure,
      bytesOf: () => Promise<Uint8Array | undefined>,
      costsOf: (needs: NeedsCosts) => Promise<FileCosts>,
      onProgress: (done: number) => void,
    ): Promise<MeasureOutcome> => {
      let encoding = encodingOfFile.get(request.file) ?? DEFAULT_MODEL_FAMILY.encoding
      let bytes: Uint8Array | undefined
      let costs: FileCosts | undefined
      for (;;) {
        const outcome = await clientOf(encoding).run(
          'measureFile',
          { ...request, bytes, costs },
          onProgress,
        )
        switch (outcome.state) {
          case 'done':
            encodingOfFile.set(request.file, encoding)
            return { measure: outcome.output }
          case 'unreadable':
            return { problem: outcome.problem }
          case 'needs_bytes':
            bytes = await bytesOf()
            if (bytes === undefined) return undefined
            break
          case 'needs_costs':
            costs = await costsOf(outcome)
            bytes = undefined
            break
          case 'needs_encoding':
            encoding = outcome.encoding
            break
          case 'crashed':
            throw crashError(outcome.message)
          case 'superseded':
            return undefined
        }
      }
    },
    /** The setting for all sessions; undefined if it was stopped. Throws if the worker crashes. */
    recommend: async (
      sums: readonly string[],
      advice: AdviceSettings,
    ): Promise<Jobs['recommendFleet']['output'] | undefined> => {
      const client = clientOf(DEFAULT_MODEL_FAMILY.encoding)
      const outcome = await client.run('recommendFleet', { sums, advice })
      if (outcome.state === 'crashed') throw crashError(outcome.message)
      return outcome.state === 'done' ? outcome.output : undefined
    },
    /** Ends all jobs; the next one starts new workers. */
    stop: () => {
      for (const [encoding, client] of clients) client.restart(encoding)
    },
  }
}

function crashError(reason: Words): ReadError {
  return new ReadError('unreadable_file', { reason })
}
