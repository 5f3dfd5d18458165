/** Handlers of the worker's jobs, and what it remembers between them. Node and tests run the same code inline. */
import { createUnpackBudget } from '@/lib/core/files/byte-sink'
import { unpack } from '@/lib/core/files/unpack'
import { recommendFleet } from '@/lib/core/fleet/recommend-fleet'
import type { SessionSums } from '@/lib/core/fleet/session-line'
import { readDocument } from '@/lib/core/formats/read-document'
import { createArgumentRepair } from '@/lib/core/loop/signature'
import { problemOfReading } from '@/lib/core/problem'
import { offerRepair } from '@/lib/core/repair/repair-source'
import type { Encoding } from '@/lib/core/tokens/encoding'
import type { ProblemCode } from '@/lib/core/words/words'
import { createRequestBuilder, recogniseDocument, tryRepair, withClock } from './build-request'
import { type CountHelpers, createCountHelpers } from './count-helpers'
import { formatChoices, openFile } from './document-model'
import type { JobContext, JobName, Jobs, Outcome, Wanted } from './jobs'
import { createFileMeasurer } from './measure-file'
import { createDocumentService, type OpenDocument, type Requests } from './open-document'
import { createParquetJobs } from './parquet-jobs'

type Handlers = {
  readonly [Name in JobName]: (
    input: Jobs[Name]['input'],
    context: JobContext,
  ) => Outcome<Name> | Promise<Outcome<Name>>
}

const SUPERSEDED = { state: 'superseded' } as const

/** Problems of a text that is not JSON, so that no format reads it. */
const NO_JSON: readonly ProblemCode[] = [
  'empty',
  'invalid_json',
  'truncated_json',
  'too_deep',
  'too_large',
]

export function createJobRunner(
  encoding: Encoding,
  helpers: CountHelpers = createCountHelpers(encoding, () => {}),
) {
  const { countTokens } = encoding
  const measureFile = createFileMeasurer(encoding)
  let open: OpenDocument | undefined
  /** The newest text to read. */
  let newest: unknown
  /** By document. */
  const requestsOf = new Map<number, Requests>()
  const serve = createDocumentService(encoding, helpers)

  const read = async (
    input: Jobs['open']['input'],
    { onProgress }: JobContext,
  ): Promise<OpenDocument | Exclude<Outcome<'open'>, { readonly state: 'done' }>> => {
    const { document: id, format } = input
    let text: string | undefined
    // Undo can bring back the text that is open; its counts stay valid.
    if (open?.id === id) return open
    try {
      const isCurrent = () => newest === input
      // Decoding a file is the first half.
      const decoded = input.file === undefined ? 0 : 0.5
      const opened =
        input.file === undefined
          ? input.text
          : await openFile(input.file, isCurrent, (done) => onProgress(done * decoded))
      if (!isCurrent()) return SUPERSEDED
      if (opened === undefined) return { state: 'needs_text' }
      if (typeof opened === 'string') text = opened
      const document = readDocument(opened, {
        format,
        onProgress: (done) => onProgress(decoded + done * (1 - decoded)),
      })
      const buildRequest = createRequestBuilder(document, countTokens)
      return { id, document, buildRequest, repairOnce: createArgumentRepair(), counts: [] }
    } catch (error) {
      const problem = problemOfReading(error)
      const read = (repaired: string) => readDocument(repaired, { format })
      const repair =
        text === undefined ? undefined : offerRepair(text, problem, read, () => performance.now())
      const formats = NO_JSON.includes(problem.code) ? undefined : formatChoices([])
      return { state: 'unreadable', problem, repair, formats }
    }
  }

  const handlers: Handlers = {
    open: async (input, context) => {
      newest = input
      const requests = requestsOf.get(input.document) ?? { wanted: input.wanted, wake: () => {} }
      requests.wanted = input.wanted
      requestsOf.set(input.document, requests)
      const own = await read(input, context)
      if (!('state' in own)) {
        // The same text can be opened again: its newer job goes on.
        const current = { ...own }
        open = current
        for (const { wake } of requestsOf.values()) wake()
        await serve(current, requests, () => open === current, context)
      }
      if (open?.id !== input.document) requestsOf.delete(input.document)
      return 'state' in own ? own : SUPERSEDED
    },
    recognise: ({ text }) => ({ state: 'done', output: recogniseDocument(text) }),
    tryRepair: ({ text, settings }) => ({
      state: 'done',
      output: tryRepair(text, withClock(settings)),
    }),
    unpack: async ({ name, bytes, used }) => {
      const budget = createUnpackBudget(undefined, undefined, used)
      return { state: 'done', output: await unpack(name, bytes, budget) }
    },
    ...createParquetJobs(),
    measureFile,
    recommendFleet: async ({ sums, advice }) => {
      const sessions = sums.map((one): SessionSums => JSON.parse(one))
      return { state: 'done', output: await recommendFleet(() => sessions, advice) }
    },
  }

  return {
    run: async <Name extends JobName>(
      name: Name,
      input: Jobs[Name]['input'],
      context: JobContext,
    ): Promise<Outcome<Name>> => (handlers as Handlers)[name](input, context),
    /** Changes what is wanted of a document. */
    want: (document: number, wanted: Wanted): void => {
      const requests = requestsOf.get(document)
      if (requests === undefined) return
      requests.wanted = wanted
      requests.wake()
    },
  }
}
