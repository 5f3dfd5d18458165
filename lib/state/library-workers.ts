/** Workers for the list's files: apart from the page's own, so that neither waits for the other. One an encoding. */
import type { Unpacked } from '@/lib/core/files/byte-sink'
import type { UnpackedFile } from '@/lib/core/files/unpack'
import type { MaskPolicy } from '@/lib/core/policy/policy'
import type { Problem } from '@/lib/core/problem'
import type { EncodingId } from '@/lib/core/tokens/encoding'
import { DEFAULT_MODEL_FAMILY } from '@/lib/core/tokens/models'
import { createWorkerClient, type SpawnWorker, type WorkerClient } from '@/lib/worker/client'
import type { FileFacts } from '@/lib/worker/protocol'

export interface SurveyQuestion {
  readonly file: number
  readonly model: string | undefined
  readonly policy: MaskPolicy
}

export type SurveyAnswer =
  | { readonly facts: FileFacts }
  | { readonly problem: Problem }
  /** It was stopped. */
  | undefined

export function createLibraryWorkers(spawn: SpawnWorker) {
  const clients = new Map<EncodingId, WorkerClient>()
  /** Which encoding a file was counted in last: asked first. */
  const encodingOfFile = new Map<number, EncodingId>()

  const clientOf = (encoding: EncodingId): WorkerClient => {
    const client = clients.get(encoding) ?? createWorkerClient(spawn, encoding)
    clients.set(encoding, client)
    return client
  }

  return {
    /** The files in an archive; undefined when it was stopped. Rejects with a `WorkerCrash`. */
    unpack: async (
      name: string,
      bytes: Uint8Array,
      taken: Unpacked,
    ): Promise<readonly UnpackedFile[] | undefined> => {
      const client = clientOf(DEFAULT_MODEL_FAMILY.encoding)
      const result = await client.run({ kind: 'unpack', name, bytes, taken })
      return result.kind === 'unpacked' ? result.files : undefined
    },
    /** The totals of a file; its bytes are asked for only where they are not remembered. Rejects with a `WorkerCrash`. */
    survey: async (
      question: SurveyQuestion,
      bytesOf: () => Promise<Uint8Array>,
      onProgress: (done: number) => void,
    ): Promise<SurveyAnswer> => {
      let encoding = encodingOfFile.get(question.file) ?? DEFAULT_MODEL_FAMILY.encoding
      let bytes: Uint8Array | undefined
      for (;;) {
        const result = await clientOf(encoding).run(
          { kind: 'survey', ...question, bytes },
          onProgress,
        )
        switch (result.kind) {
          case 'surveyed':
            encodingOfFile.set(question.file, encoding)
            return { facts: result.facts }
          case 'unreadable':
            return { problem: result.problem }
          case 'needs_bytes':
            bytes = await bytesOf()
            break
          case 'needs_encoding':
            encoding = result.encoding
            break
          default:
            return undefined
        }
      }
    },
    /** Ends whatever they do; the next question starts them anew. */
    stop: () => {
      for (const [encoding, client] of clients) client.restart(encoding)
    },
  }
}
