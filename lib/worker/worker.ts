/** The worker's entry point. It removes every way to the network before it sees any text. */
import { type EncodingId, loadEncoding } from '@/lib/core/tokens/encoding'
import { createMessageReceiver } from './answer-messages'
import type { JobMessage, PortMessage, WorkerMessage } from './jobs'
import { loadParquet } from './parquet-jobs'
import { removeNetwork } from './remove-network'

const scope = self as unknown as {
  readonly name: string
  onmessage: ((event: { data: JobMessage | PortMessage }) => void) | null
  postMessage: (message: WorkerMessage) => void
}

/** Code cannot be loaded without the network, so the encoding is loaded first and stays fixed. So is what reads Parquet. */
async function start() {
  const [id, also] = scope.name.split(' ')
  const encoding = await loadEncoding(id as EncodingId)
  if (also === 'parquet') await loadParquet()
  removeNetwork(self)
  return encoding
}

/** Holds a lock as long as this worker lives. The browser releases it when the worker ends, with or without an error. */
function holdLock(): void {
  // Browsers have locks on secure origins only; elsewhere the page notices that the worker is silent.
  if (navigator.locks === undefined) return
  const lock = `worker ${crypto.randomUUID()}`
  void navigator.locks.request(lock, () => {
    scope.postMessage({ lock })
    return new Promise(() => {})
  })
}

holdLock()
const receive = createMessageReceiver(start(), (message) => scope.postMessage(message))

scope.onmessage = ({ data }) => void receive(data)
