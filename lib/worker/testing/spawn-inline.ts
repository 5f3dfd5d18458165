import { type Encoding, type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createMessageReceiver } from '../answer-messages'
import type { SpawnWorker, WorkerLike } from '../worker-client'

/** Loading one takes a second on a busy machine. */
const encodings = new Map<EncodingId, Promise<Encoding>>()

function encodingOf(id: EncodingId): Promise<Encoding> {
  const encoding = encodings.get(id) ?? loadEncoding(id)
  encodings.set(id, encoding)
  return encoding
}

/** Runs the worker's code without a thread, for Node; messages are cloned as in a browser. */
export const spawnInline: SpawnWorker = (encodingId) => {
  let isEnded = false
  const receive = createMessageReceiver(encodingOf(encodingId), (message) => {
    if (!isEnded) worker.onmessage?.({ data: structuredClone(message) })
  })
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {
      isEnded = true
    },
    postMessage: (message, transfer = []) => void receive(structuredClone(message, { transfer })),
  }
  return worker
}
