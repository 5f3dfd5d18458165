/** Workers for the file list, one per encoding; separate from the page's worker, so that neither waits for the other. */

import { errorOf, ReadError } from '@/lib/core/problem'
import { loadPriceBook, type PriceBook } from '@/lib/core/replay/price-book'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY } from '@/lib/core/tokens/model-families'
import type { FileCosts, MeasureFileInput, NeedsCosts } from '@/lib/worker/file-jobs'
import type { FileMeasure } from '@/lib/worker/file-sessions'
import type { Jobs, Outcome } from '@/lib/worker/jobs'
import { createWorkerClient, type SpawnWorker, type WorkerClient } from '@/lib/worker/worker-client'
import { costsOfFile } from '../costs/cost-terms'
import type { Playground } from '../playground'

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
    run: async <Name extends PlainJobName>(
      name: Name,
      input: Jobs[Name]['input'],
    ): Promise<Jobs[Name]['output'] | undefined> => {
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
