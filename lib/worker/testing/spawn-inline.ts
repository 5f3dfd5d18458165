import { type Encoding, type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createMessageReceiver } from '../answer-messages'
import type { SpawnWorker, WorkerLike } from '../worker-client'

/** Loading one takes a second on a busy machine. A helper forgets what it counted, so it has its own. */
const encodings = new Map<string, Promise<Encoding>>()

function encodingOf(id: EncodingId, role: 'worker' | 'helper'): Promise<Encoding> {
  const key = `${id} ${role}`
  const encoding = encodings.get(key) ?? loadEncoding(id)
  encodings.set(key, encoding)
  return encoding
}

/** Runs the worker's code without a thread, for Node; messages are cloned as in a browser. */
export const spawnInline: SpawnWorker = (encodingId) => {
  let isEnded = false
  const receiverOf = (role: 'worker' | 'helper') =>
    createMessageReceiver(encodingOf(encodingId, role), (message) => {
      if (!isEnded) worker.onmessage?.({ data: structuredClone(message) })
    })
  const receive = receiverOf('worker')
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    terminate: () => {
      isEnded = true
    },
    postMessage: (message, transfer = []) => {
      const sent = structuredClone(message, { transfer })
      void ('countFor' in sent ? receiverOf('helper') : receive)(sent)
    },
  }
  return worker
}
