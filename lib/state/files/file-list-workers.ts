/** Workers for the file list, one per encoding; separate from the page's worker, so that neither waits for the other. */

import { ReadError } from '@/lib/core/problem'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY } from '@/lib/core/tokens/model-families'
import type { Words } from '@/lib/core/words/words'
import type { FileCosts, MeasureFileInput, NeedsCosts } from '@/lib/worker/file-jobs'
import type { Jobs, Outcome } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker, type WorkerClient } from '@/lib/worker/worker-client'

type PlainJobName = 'unpack' | 'openParquet' | 'readParquetRow' | 'recommendFleet'

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

  return {
    /** The output of a job that needs no encoding; undefined if it was stopped. Throws a `ReadError` if it fails. */
    run: async <Name extends PlainJobName>(
      name: Name,
      input: Jobs[Name]['input'],
    ): Promise<Jobs[Name]['output'] | undefined> => {
      const client = clientOf(DEFAULT_MODEL_FAMILY.encoding)
      const outcome: Outcome<PlainJobName> = await client.run(name, input)
      if (outcome.state === 'crashed') throw crashError(outcome.message)
      if (outcome.state === 'unreadable')
        throw new ReadError(outcome.problem.code, outcome.problem.values)
      return outcome.state === 'done' ? (outcome.output as Jobs[Name]['output']) : undefined
    },
    /** The totals of a file; undefined if it was stopped. Reads its bytes only if the worker does not remember it. */
    measure: async (
      request: Omit<MeasureFileInput, 'bytes' | 'costs'>,
      bytesOf: () => Promise<Uint8Array | undefined>,
      costsOf: (needs: NeedsCosts) => Promise<FileCosts>,
      onProgress: (done: number) => void,
    ) => {
      let encoding = encodingOfFile.get(request.file) ?? DEFAULT_MODEL_FAMILY.encoding
      let bytes: Uint8Array | undefined
      let costs: FileCosts | undefined
      for (;;) {
        const input = { ...request, bytes, costs }
        const outcome = await clientOf(encoding).run('measureFile', input, { onProgress })
        switch (outcome.state) {
          case 'done':
            encodingOfFile.set(request.file, encoding)
            return outcome
          case 'unreadable':
            return outcome
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
    /** Ends all jobs; the next one starts new workers. */
    stop: () => {
      for (const [encoding, client] of clients) client.restart(encoding)
    },
  }
}

function crashError(reason: Words): ReadError {
  return new ReadError('unreadable_file', { reason })
}
